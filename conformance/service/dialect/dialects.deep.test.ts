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

/** So many choices of different points at once: the points have little to do with one another. */
const AT_ONCE = 4;
const others = everyChoice.filter(({ choice, usual }) => choice !== usual);
const rounds = Math.ceil(others.length / AT_ONCE);
const groups = Array.from({ length: rounds }, (_, n) =>
  Object.fromEntries(
    others.filter((_, index) => index % rounds === n).map(({ point, choice }) => [point, choice]),
  ),
);

/** The whole suite finds nothing wrong in a service that chose otherwise. */
describe('no dialect is failed', () => {
  it('with every choice as the mock makes it by itself', async () => {
    expect(complaintsOf(await judgeDialect({}, allCases))).toEqual([]);
  });

  it('tries every choice', () => {
    expect(groups.flatMap((choices) => Object.keys(choices))).toHaveLength(others.length);
  });

  it.each(groups)('%o', async (choices) => {
    expect(complaintsOf(await judgeDialect(choices, allCases))).toEqual([]);
  });

  it.each(namedDialects)('$name', async ({ name }) => {
    expect(complaintsOf(await judgeDialect(name, allCases))).toEqual([]);
  });

  it.each(tightNumbers)('numbers that are tight: %o', async (choices) => {
    expect(complaintsOf(await judgeDialect(choices, allCases))).toEqual([]);
  });
});
