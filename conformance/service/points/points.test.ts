import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDialect } from '../../../mock/dialect-text.js';
import { openPoints } from '../../../spec/generated/documents.js';
import { dialectFile } from './dialect-file.js';
import { pointProbes } from './point-probes.js';
import {
  alternatives,
  alternativesIn,
  complaintsOf,
  everyChoice,
  judgeDialect,
  namedDialects,
} from './test-support/dialects.js';

/** Numbers that are not measured, and why. */
const UNMEASURED: Readonly<Record<string, string>> = {
  'recording.delay': 'polls of an agent that takes seconds tell it only roughly, and no client depends on it',
  'poll.long-poll-max': 'a poll would have to be held to its end, up to a minute',
  'event.retention': 'events would have to be waited for until they are gone, up to a year',
  'limits.upload-size': 'only files beyond the limit show it',
  'limits.body-size': 'only bodies beyond the limit show it',
  'limits.custom-tools': 'each count that is accepted starts a task',
  'session.idle-timeout': 'it takes as long as it is',
  'session.total-timeout': 'it takes as long as it is',
  'task.total-timeout': 'it takes as long as it is',
  'file.retention': 'it takes as long as it is',
};
const MEASURED = ['limits.rate'];

it('every number is measured or has its reason', () => {
  const numbers = openPoints.filter(({ kind }) => kind === 'number').map(({ id }) => id);
  expect([...MEASURED, ...Object.keys(UNMEASURED)].sort()).toEqual(numbers.sort());
});

describe('what a service chose is seen', () => {
  it.each(everyChoice)('$point: $choice', async ({ point, choice }) => {
    const report = await judgeDialect({ [point]: choice }, pointProbes);
    expect(complaintsOf(report)).toEqual([]);
    expect(report.dialect).toMatchObject({ [point]: choice });
  });

  it.each(namedDialects)('in the dialect $name', async ({ name, choices }) => {
    const report = await judgeDialect(name, pointProbes);
    expect(complaintsOf(report)).toEqual([]);
    expect(report.dialect).toMatchObject(alternativesIn(choices));
    if ('limits.rate' in choices) expect(report.dialect['limits.rate']).toBe(choices['limits.rate']);
  });

  it('also where every point is chosen at once, and a mock told so makes the same choices', async () => {
    const dialects = fc.record(
      Object.fromEntries(
        alternatives.map(({ id, choices }) => [id, fc.constantFrom(...Object.keys(choices))]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(dialects, async (dialect) => {
        const report = await judgeDialect(dialect, pointProbes);
        expect(complaintsOf(report)).toEqual([]);
        expect(report.dialect).toEqual(dialect);
        const choices = readDialect(dialectFile(report), 'observed.yaml');
        expect((await judgeDialect(choices, pointProbes)).dialect).toEqual(dialect);
      }),
      { numRuns: 20, seed: 3 },
    );
  });
});
