import { expect, it } from 'vitest';
import { RealTimers } from './real-timers.js';

it('real time that a client waits for is reported once, when it is long', () => {
  const warnings: string[] = [];
  const timers = new RealTimers((hint) => warnings.push(hint));
  timers.set(true, 1_000);
  expect([timers.take(1_400.5), timers.take(1_899), warnings, timers.hint]).toEqual([
    400,
    499,
    [],
    undefined,
  ]);
  timers.set(true, 1_900);
  expect(timers.take(1_901)).toBe(2);
  expect(timers.take(4_000)).toBe(2_099);
  expect(warnings).toEqual([expect.stringMatching(/^The client has waited 0\.9 s of real time.*setupFiles/)]);
  expect(timers.hint).toContain('waited 3.0 s');
});

it('no real time passes while no such timer is set', () => {
  const timers = new RealTimers(() => expect.unreachable());
  timers.set(true, 0);
  timers.set(false, 500);
  expect([timers.arePending, timers.take(9_000), timers.hint]).toEqual([false, 0, undefined]);
  timers.set(true, 9_000);
  expect([timers.arePending, timers.take(9_100)]).toEqual([true, 100]);
});
