import { expect, it } from 'vitest';
import { WaitLimit } from './wait-limit.js';

it('a run waits as long as it is told to until it knows its target', () => {
  const patience = new WaitLimit();
  patience.recordMet(400);
  patience.recordTimeout();
  expect(patience.computeLimit(60_000)).toBe(60_000);
});

it('where everything came soon, half a minute is enough, and no more than it is told to', () => {
  const patience = new WaitLimit();
  for (let i = 0; i < 5; i++) patience.recordMet(800);
  expect(patience.computeLimit(60_000)).toBe(30_000);
  expect(patience.computeLimit(10_000)).toBe(10_000);
});

it('a slow target is given its time', () => {
  const patience = new WaitLimit();
  for (let i = 0; i < 5; i++) patience.recordMet(20_000);
  expect(patience.computeLimit(60_000)).toBe(60_000);
  patience.recordTimeout();
  patience.recordTimeout();
  expect(patience.computeLimit(600_000)).toBe(100_000);
});

it('waits that were in vain cut others short', () => {
  const patience = new WaitLimit();
  patience.recordMet(300);
  patience.recordTimeout();
  patience.recordTimeout();
  expect(patience.computeLimit(60_000)).toBe(5_000);
});

it('the players of a run share it', () => {
  const settings = { timeoutMs: 1, pollIntervalMs: 1, texts: {}, tools: undefined };
  expect(WaitLimit.forRun(settings)).toBe(WaitLimit.forRun(settings));
  expect(WaitLimit.forRun({ ...settings })).not.toBe(WaitLimit.forRun(settings));
});
