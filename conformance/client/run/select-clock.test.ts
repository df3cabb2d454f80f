import { expect, it } from 'vitest';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import { createScenario } from '../../../test/support/client/scenarios.js';
import { selectClock } from './command-run.js';

const after = (time_ms: number) => ({ service: 'finish', after: { time_ms } });
const quota = { network: 'quota', of: { poll: true }, requests: 2, per_ms: 1000 };
const search = { skipsWaits: true };

it('no wait of the library is skipped for a client in real time', async () => {
  const clocks = (await readLibrary()).map((each) => selectClock(each));
  expect(new Set(clocks)).toEqual(new Set(['real']));
});

it('a wait longer than a minute is not skipped if the deadline allows it', () => {
  expect(selectClock(createScenario([after(90_000)]))).toBe('eager');
  expect(selectClock(createScenario([after(90_000)]), { deadlineMs: 100_000 })).toBe('real');
});

it('a search skips waits, unless the scenario counts empty polls or is about the wait', () => {
  expect(selectClock(createScenario([after(4000)]), search)).toBe('eager');
  expect(selectClock(createScenario([quota, after(4000)]), search)).toBe('real');
  expect(selectClock(createScenario([quota, after(40_000)]), search)).toBe('eager');
  expect(selectClock(createScenario([{ network: 'fail', status: 503, skip: 2 }, after(4000)]), search)).toBe(
    'eager',
  );
  expect(selectClock({ ...createScenario([after(4000)]), exposes: ['long-wait'] }, search)).toBe('real');
});
