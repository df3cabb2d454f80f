import { describe, expect, it } from 'vitest';
import { loadExamples } from '../../test/support/rules/example.js';
import { allRules } from './all-rules.js';
import { judgeExchanges } from './judge.js';

const examples = { ...(await loadExamples('client')), ...(await loadExamples('service')) };
const needing = allRules.filter(({ needs }) => needs !== undefined);
const pairs = Object.entries(examples).flatMap(([rule, { bad, open = {} }]) =>
  Object.entries(open).map(([missing, { of, change, why }]) => ({
    rule,
    missing,
    of,
    bad: bad[of],
    change,
    why,
  })),
);

describe('a rule that concludes from an absence', () => {
  it('has an example in which it may not', () => {
    const withOpen = new Set(pairs.map(({ rule }) => rule));
    expect(needing.map(({ id }) => id).filter((id) => !withOpen.has(id))).toEqual([]);
    expect([...withOpen].filter((id) => !needing.some((rule) => rule.id === id))).toEqual([]);
  });

  it.each(pairs)('$rule: "$of" is a failure, and open where $missing', ({ rule, bad, change, why }) => {
    const of = allRules.filter(({ id }) => id === rule);
    const { exchanges } = bad!.talk;
    const whole = judgeExchanges(of, exchanges);
    expect([whole.findings().length, whole.conclude().openQuestions]).toEqual([1, []]);
    const judge = judgeExchanges(of, change(exchanges));
    expect(judge.findings()).toEqual([]);
    expect(judge.conclude().openQuestions.map((each) => each.rule.id)).toEqual([rule]);
    expect(judge.conclude().openQuestions[0]!.message).toMatch(why);
  });
});
