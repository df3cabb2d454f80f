import { expect, it } from 'vitest';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import { scenario } from '../../../test/support/client/scenarios.js';
import { clockOf } from './command-run.js';

it('vain polls are spared wherever nothing comes of them', async () => {
  const real = (await readLibrary()).filter((each) => clockOf(each) === 'real').map(({ name }) => name);
  expect(real).toEqual(
    expect.arrayContaining(['auth/key-withdrawn', 'limits/too-many-polls', 'races/vanishing-task']),
  );
  expect(real.length).toBeLessThan(8);
});

it('a timeline that takes too long is never played in real time', () => {
  const quota = { network: 'quota', of: { poll: true }, requests: 2, per_ms: 1000 };
  const after = (time_ms: number) => ({ service: 'finish', after: { time_ms } });
  expect(clockOf(scenario([quota, after(4000)]))).toBe('real');
  expect(clockOf(scenario([quota, after(40_000)]))).toBe('eager');
  expect(clockOf(scenario([{ network: 'fail', status: 503, skip: 2 }, after(4000)]))).toBe('eager');
});

it('time is real where no poll in vain is to be left out, unless that takes too long', () => {
  const after = (time_ms: number) => scenario([{ service: 'finish', after: { time_ms } }]);
  expect(clockOf(after(4000))).toBe('eager');
  expect(clockOf(after(4000), true)).toBe('real');
  expect(clockOf(after(40_000), true)).toBe('eager');
});
