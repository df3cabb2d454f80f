import { describe, expect, it } from 'vitest';
import { openPoints } from '../../../spec/generated/documents.js';
import {
  combinations,
  judgeDialect,
  listFailures,
  namedDialects,
  selectAlternatives,
} from '../../../test/support/dialect/dialects.js';
import { dialectCases } from '../all-cases.js';

/** Numbers that are not measured, and why. */
const UNMEASURED: Readonly<Record<string, string>> = {
  'recording.delay': 'polls of a slow agent show it only roughly, and no client depends on it',
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

/** Each choice of each point is in one of these; the deep suite takes every choice by itself. */
describe('the choices of a service are detected', () => {
  it.each(combinations)('$name', async ({ choices }) => {
    const report = await judgeDialect(choices, dialectCases);
    expect(listFailures(report)).toEqual([]);
    expect(report.dialect).toMatchObject(choices);
  });

  it.each(namedDialects)('in the dialect $name', async ({ name, choices }) => {
    const report = await judgeDialect(name, dialectCases);
    expect(listFailures(report)).toEqual([]);
    expect(report.dialect).toMatchObject(selectAlternatives(choices));
    if ('limits.rate' in choices) expect(report.dialect['limits.rate']).toBe(choices['limits.rate']);
  });
});
