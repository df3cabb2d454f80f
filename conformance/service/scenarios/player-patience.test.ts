import { expect, it } from 'vitest';
import { Patience } from './player-patience.js';

it('a run waits as long as it is told to until it knows its target', () => {
  const patience = new Patience();
  patience.met(400);
  patience.inVain();
  expect(patience.limit(60_000)).toBe(60_000);
});

it('where everything came soon, half a minute is enough, and no more than it is told to', () => {
  const patience = new Patience();
  for (let i = 0; i < 5; i++) patience.met(800);
  expect(patience.limit(60_000)).toBe(30_000);
  expect(patience.limit(10_000)).toBe(10_000);
});

it('a slow target is given its time', () => {
  const patience = new Patience();
  for (let i = 0; i < 5; i++) patience.met(20_000);
  expect(patience.limit(60_000)).toBe(60_000);
  patience.inVain();
  patience.inVain();
  expect(patience.limit(600_000)).toBe(100_000);
});

it('waits that were in vain cut others short', () => {
  const patience = new Patience();
  patience.met(300);
  patience.inVain();
  patience.inVain();
  expect(patience.limit(60_000)).toBe(5_000);
});

it('the players of a run share it', () => {
  const settings = { timeout_ms: 1, poll_interval_ms: 1, texts: {}, tools: undefined };
  expect(Patience.of(settings)).toBe(Patience.of(settings));
  expect(Patience.of({ ...settings })).not.toBe(Patience.of(settings));
});
