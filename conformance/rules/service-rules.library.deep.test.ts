import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPoints } from '../../spec/generated/documents.js';
import { listFindings, playLibrary } from '../../test/support/rules/play-library.js';

const dialects = readdirSync(new URL('../../spec/dialects/', import.meta.url)).map((file) =>
  basename(file, '.yaml'),
);
/** Every choice other than the default, one at a time; numbers that change the result. */
const choices = [
  ...openPoints.flatMap((point) =>
    point.kind === 'choice'
      ? Object.keys(point.choices)
          .filter((choice) => choice !== point.default)
          .map((choice) => ({ [point.id]: choice }))
      : [],
  ),
  { 'event.retention': 20_000 },
  { 'recording.delay': 60_000 },
  { 'limits.rate': 3 },
  { 'session.idle-timeout': 12_000 },
  { 'task.total-timeout': 5000 },
];

describe('a mock that plays the library and serves every operation', () => {
  it.each(dialects)('breaks no rule in the dialect %s', async (dialect) => {
    expect(listFindings(await playLibrary(dialect))).toEqual([]);
  });

  // Every third: the tests of the dialect and of the conformance suite run all of them.
  it.each(choices.filter((_, index) => index % 3 === 0))('breaks no rule with %o', async (choice) => {
    expect(listFindings(await playLibrary(choice))).toEqual([]);
  });
});
