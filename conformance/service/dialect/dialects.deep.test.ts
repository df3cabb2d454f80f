import { describe, expect, it } from 'vitest';
import type { Choices } from '../../../mock/options/mock-options.js';
import { openPoints } from '../../../spec/generated/documents.js';
import {
  everyChoice,
  hiddenChoices,
  judgeDialect,
  listFailures,
  namedDialects,
} from '../../../test/support/dialect/dialects.js';
import type { ConformResult } from '../../conform.js';
import { allCases } from '../all-cases.js';

/** Much lower limits than the mock's defaults, but high enough for the suite. */
const tightNumbers: readonly Choices[] = [
  { 'limits.rate': 5 },
  { 'event.retention': 20_000, 'recording.delay': 60_000, 'file.retention': 10_000 },
  { 'poll.long-poll': 'on', 'poll.long-poll-max': 100 },
  { 'session.idle-timeout': 10_000, 'session.total-timeout': 60_000, 'task.total-timeout': 60_000 },
  { 'limits.custom-tools': 4, 'limits.upload-size': 1024, 'limits.body-size': 1024 },
];

/** Rules that the points of a dialect concern and that no check of a run tested. */
function untested(choices: Choices, { requirements }: ConformResult): string[] {
  const touched = openPoints.filter(({ id }) => id in choices).flatMap((point) => point.requirements ?? []);
  // Without jobs, none can be read.
  const isHidden = (id: string) => id === 'JOB-01' && choices['job.ids'] === 'none-exist';
  return requirements.untested.map(({ id }) => id).filter((id) => touched.includes(id) && !isHidden(id));
}

/** Choices of different points that are combined: the points are mostly independent. */
const AT_ONCE = 4;
const others = [...everyChoice, ...hiddenChoices].filter(({ choice, usual }) => choice !== usual);
const rounds = Math.ceil(others.length / AT_ONCE);
const groups = Array.from({ length: rounds }, (_, n) =>
  Object.fromEntries(
    others.filter((_, index) => index % rounds === n).map(({ point, choice }) => [point, choice]),
  ),
);

/**
 * The whole suite reports no failure for a service with other choices, and tests each rule that the choices concern: no rule
 * contradicts a choice.
 */
describe('no dialect is failed', () => {
  it('with every choice as the mock makes it by itself', async () => {
    expect(listFailures(await judgeDialect({}, allCases))).toEqual([]);
  });

  it('tries every choice, and another number at every point with numbers', () => {
    expect(groups.flatMap((choices) => Object.keys(choices))).toHaveLength(others.length);
    const numbers = openPoints.filter(({ kind }) => kind === 'number').map(({ id }) => id);
    expect(numbers.filter((id) => !tightNumbers.some((choices) => id in choices))).toEqual([]);
  });

  it.each(groups)('%o', async (choices) => {
    const report = await judgeDialect(choices, allCases);
    expect(listFailures(report)).toEqual([]);
    expect(untested(choices, report)).toEqual([]);
  });

  it.each(namedDialects)('$name', async ({ name }) => {
    expect(listFailures(await judgeDialect(name, allCases))).toEqual([]);
  });

  it.each(tightNumbers)('numbers that are tight: %o', async (choices) => {
    const report = await judgeDialect(choices, allCases);
    expect(listFailures(report)).toEqual([]);
    expect(untested(choices, report)).toEqual([]);
  });
});
