import { describe, expect, it } from 'vitest';
import {
  complaintsOf,
  everyChoice,
  judgeDialect,
  namedDialects,
} from '../../../test/support/dialect/dialects.js';
import { allCases } from '../all-cases.js';

/** Much less than the mock allows by itself, and still enough to work with. */
const tightNumbers = [
  { 'limits.rate': 5 },
  { 'event.retention': 5000, 'recording.delay': 60_000, 'file.retention': 10_000 },
  { 'poll.long-poll': 'on', 'poll.long-poll-max': 100 },
  { 'session.idle-timeout': 10_000, 'session.total-timeout': 60_000, 'task.total-timeout': 60_000 },
  { 'limits.custom-tools': 4, 'limits.upload-size': 1024, 'limits.body-size': 1024 },
];

/** The whole suite finds nothing wrong in a service that chose otherwise. */
describe('no dialect is failed', () => {
  it('with every choice as the mock makes it by itself', async () => {
    expect(complaintsOf(await judgeDialect({}, allCases))).toEqual([]);
  });

  it.each(everyChoice.filter(({ choice, usual }) => choice !== usual))('$point: $choice', async (one) => {
    expect(complaintsOf(await judgeDialect({ [one.point]: one.choice }, allCases))).toEqual([]);
  });

  it.each(namedDialects)('$name', async ({ name }) => {
    expect(complaintsOf(await judgeDialect(name, allCases))).toEqual([]);
  });

  it.each(tightNumbers)('numbers that are tight: %o', async (choices) => {
    expect(complaintsOf(await judgeDialect(choices, allCases))).toEqual([]);
  });
});
