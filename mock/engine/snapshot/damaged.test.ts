import { describe, expect, it } from 'vitest';
import { InvalidValue } from '../../../spec/json-schema/violations.js';
import { captureSnapshot, playFirstHalf, SCENARIOS } from '../../../test/support/mock/first-half.js';
import { startMock } from '../../../test/support/mock/mock.js';
import { restoreSnapshot } from './snapshot.js';

describe('invalid snapshots', () => {
  // biome-ignore lint/suspicious/noExplicitAny: these tests break snapshots in every way
  const breakages: [string, (state: any) => void, RegExp][] = [
    [
      'another version',
      (s) => {
        s.version = 1;
      },
      /^version: expected 3; found 1$/,
    ],
    [
      'no clock',
      (s) => {
        delete s.clock;
      },
      /^expected the key "clock", which is missing$/,
    ],
    [
      'an odd clock',
      (s) => {
        s.clock.mode = 'fast';
      },
      /^clock\.mode: expected one of real/,
    ],
    [
      'a time that is no number',
      (s) => {
        s.clock.now = 'noon';
      },
      /^clock\.now: expected a whole number/,
    ],
    [
      'a short random state',
      (s) => {
        s.random.pop();
      },
      /^random: expected a list of 8 numbers/,
    ],
    [
      'no tasks',
      (s) => {
        s.tasks = null;
      },
      /^tasks: expected a list; found nothing$/,
    ],
    [
      'an unknown status',
      (s) => {
        s.tasks[0].status = 'completed';
      },
      /^tasks\[0\]\.status: expected one of waiting.*; found "completed"$/,
    ],
    [
      'a step of no task',
      (s) => {
        s.timelines[0][0] = { robot: 'x' };
      },
      /^timelines\[0\]\[0\]: expected a step/,
    ],
    [
      'a timeline that is not there',
      (s) => {
        s.tasks[0].runs[0].timeline = 9;
      },
      /^tasks\[0\]\.runs\[0\]: expected steps/,
    ],
    [
      'a cursor beyond the end',
      (s) => {
        s.tasks[0].runs[0].cursor = 99;
      },
      /^tasks\[0\]\.runs\[0\]\.cursor: expected at most/,
    ],
    [
      'work for no task',
      (s) => {
        s.pending[0].task = 'x';
      },
      /^pending\[0\]\.task: expected the id of a task in the snapshot; found "x"$/,
    ],
    [
      'unknown records',
      (s) => {
        s.records.cats = [];
      },
      /^unknown key "cats" in records; .*$/,
    ],
    [
      'missing records',
      (s) => {
        delete s.records.files;
      },
      /^expected the key "files" in records, which is missing$/,
    ],
    [
      'a broken rule',
      (s) => {
        s.network.rules[0].rule.network = 'explode';
      },
      /^network\.rules\[0\]\.rule\.network: expected one of/,
    ],
    [
      'a broken exchange',
      (s) => {
        s.journal.exchanges[0].request = 1;
      },
      /^journal\.exchanges\[0\]\.request: expected an object; found 1$/,
    ],
    [
      'twins',
      (s) => {
        s.tasks[1].id = s.tasks[0].id;
      },
      /^tasks\[1\]\.id: expected a unique id/,
    ],
  ];

  it.each(breakages)('%s: names the place and changes nothing', async (_, damage, message) => {
    const mock = await startMock({ scenarios: SCENARIOS });
    await playFirstHalf(mock);
    const before = JSON.stringify(captureSnapshot(mock));
    const broken = JSON.parse(before);
    damage(broken);
    const organisation = mock.service.organisations.open('a');
    expect(() => restoreSnapshot(organisation, broken)).toThrow(InvalidValue);
    expect(() => restoreSnapshot(organisation, broken)).toThrow(message);
    expect(JSON.stringify(captureSnapshot(mock))).toBe(before);
  });

  it.each([null, undefined, 7, 'x', [], {}])('%j is not a snapshot', async (value) => {
    const mock = await startMock();
    expect(() => restoreSnapshot(mock.service.organisations.open('a'), value)).toThrow(InvalidValue);
  });
});
