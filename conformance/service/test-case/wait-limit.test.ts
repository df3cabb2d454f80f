import { expect, it } from 'vitest';
import { WaitLimit } from './wait-limit.js';

it('a run waits for the full timeout until it knows its target', () => {
  const patience = new WaitLimit();
  patience.recordMet(400);
  patience.recordTimeout();
  expect(patience.computeLimit(60_000)).toBe(60_000);
});

it('a fast target gets half a minute, and no more than the timeout', () => {
  const patience = new WaitLimit();
  for (let i = 0; i < 5; i++) patience.recordMet(800);
  expect(patience.computeLimit(60_000)).toBe(30_000);
  expect(patience.computeLimit(10_000)).toBe(10_000);
});

it('a slow target gets the full timeout', () => {
  const patience = new WaitLimit();
  for (let i = 0; i < 5; i++) patience.recordMet(20_000);
  expect(patience.computeLimit(60_000)).toBe(60_000);
  patience.recordTimeout();
  patience.recordTimeout();
  expect(patience.computeLimit(600_000)).toBe(100_000);
});

it('failed waits cut others short', () => {
  const patience = new WaitLimit();
  patience.recordMet(300);
  patience.recordTimeout();
  patience.recordTimeout();
  expect(patience.computeLimit(60_000)).toBe(5_000);
});

it('the contexts of a run share it', () => {
  const settings = { timeoutMs: 1, pollIntervalMs: 1, texts: {}, tools: undefined };
  expect(WaitLimit.forRun(settings)).toBe(WaitLimit.forRun(settings));
  expect(WaitLimit.forRun({ ...settings })).not.toBe(WaitLimit.forRun(settings));
});
