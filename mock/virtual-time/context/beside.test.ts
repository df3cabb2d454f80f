import { expect, it } from 'vitest';
import { Beside } from './beside.js';

it('real time beside virtual time is told of once, when it is long', () => {
  const warnings: string[] = [];
  const beside = new Beside((hint) => warnings.push(hint));
  beside.see(true, 1_000);
  expect([beside.take(1_400.5), beside.take(1_899), warnings, beside.hint]).toEqual([
    400,
    499,
    [],
    undefined,
  ]);
  beside.see(true, 1_900);
  expect(beside.take(1_901)).toBe(2);
  expect(beside.take(4_000)).toBe(2_099);
  expect(warnings).toEqual([expect.stringMatching(/^The client has waited 0\.9 s of real time.*setupFiles/)]);
  expect(beside.hint).toContain('waited 3.0 s');
});

it('nothing passes beside while no such timer is set', () => {
  const beside = new Beside(() => expect.unreachable());
  beside.see(true, 0);
  beside.see(false, 500);
  expect([beside.isOn, beside.take(9_000), beside.hint]).toEqual([false, 0, undefined]);
  beside.see(true, 9_000);
  expect([beside.isOn, beside.take(9_100)]).toEqual([true, 100]);
});
