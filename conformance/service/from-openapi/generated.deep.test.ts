import { describe, expect, it } from 'vitest';
import { openPoints } from '../../../spec/generated/documents.js';
import { listMessages, runWithoutRules, runWithRules } from '../../../test/support/from-openapi/run-cases.js';
import { generatedCases } from '../all-cases.js';
import { smokeCheck } from '../runner/smoke-check.js';

/** All except the one that creates 257 chats. */
const cases = generatedCases.filter(({ id }) => id !== 'limits/listChats-default');

const choices = openPoints.flatMap((point): [string, Record<string, unknown>][] => {
  if (point.kind === 'number') return [];
  const others = Object.keys(point.choices).filter((each) => each !== point.default);
  return others.map((each) => [`${point.id}: ${each}`, { [point.id]: each }]);
});

/** A service without automations has no jobs. */
const WITHOUT_OCCASION: Readonly<Record<string, RegExp>> = {
  'job.ids: none-exist': /\/getJob/,
};

describe('generated cases', () => {
  it('send a bounded number of requests; one in five, tried alone, calls only operations that it names', async () => {
    const { exchanges } = await runWithRules(cases);
    expect(exchanges.length).toBeLessThan(1300);
    for (const testCase of cases.filter((_, i) => i % 5 === 0)) {
      const report = await runWithRules([testCase]);
      const called = new Set(report.exchanges.map(({ operation }) => operation!));
      // Operations of the smoke check, and waiting for a task.
      const named = new Set<string>([...testCase.operations, ...smokeCheck.operations]);
      expect(
        [...called].filter((id) => !named.has(id)),
        testCase.id,
      ).toEqual([]);
    }
  });

  it.each(['bare-results', 'reference-pages', 'strict'])(
    'fail nothing in the dialect %s',
    async (dialect) => {
      const report = await runWithRules(cases, { dialect });
      expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    },
  );

  it.each(choices)('fail nothing with %s', async (name, dialect) => {
    const { faults, checks } = await runWithoutRules(cases, { dialect });
    expect(faults).toEqual([]);
    expect(listMessages(checks, 'failed')).toEqual([]);
    const undecided = [...listMessages(checks, 'inconclusive'), ...listMessages(checks, 'skipped')];
    expect(undecided.filter((each) => !WITHOUT_OCCASION[name]?.test(each))).toEqual([]);
  });
});
