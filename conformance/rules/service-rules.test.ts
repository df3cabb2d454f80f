import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec/generated/documents.js';
import { loadExamples } from '../../test/support/rules/example.js';
import type { ExchangeBuilder } from '../../test/support/rules/exchange-builder.js';
import { judgeExchanges } from './judge.js';
import { serviceRules } from './service-rules.js';

const examples = await loadExamples('service');
const good = Object.entries(examples).flatMap(([rule, each]) =>
  Object.entries(each.good).map(([why, talk]) => ({ rule, why, talk })),
);
const bad = Object.entries(examples).flatMap(([rule, each]) =>
  Object.entries(each.bad).map(([mistake, expected]) => ({ rule, mistake, ...expected })),
);

function look(talk: ExchangeBuilder) {
  const judge = judgeExchanges(serviceRules, talk.exchanges);
  return { findings: judge.findings(), held: judge.collectKeptRules() };
}

describe('the rules about services', () => {
  it('have ids of their own, each with a good and a bad conversation', () => {
    const ids = serviceRules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const message = 'examples have to stand under the id of each rule, in service/NAME.examples.ts';
    expect(Object.keys(examples).sort(), message).toEqual([...ids].sort());
    for (const [rule, each] of Object.entries(examples)) {
      expect(Object.keys(each.good), rule).not.toEqual([]);
      expect(Object.keys(each.bad), rule).not.toEqual([]);
    }
  });

  it.each(serviceRules)('$id holds one requirement, which is a must of the service', (rule) => {
    // Finding and evidence count for all requirements of the rule.
    expect(rule.requirements).toHaveLength(1);
    const held = requirements.find(({ id }) => id === rule.requirements[0]);
    expect([held?.side, held?.level, rule.side, rule.level]).toEqual(['service', 'must', 'service', 'must']);
  });

  it.each(Object.entries(examples))('%s shows in a good conversation that it was kept', (rule, each) => {
    const witnesses = Object.values(each.good).flatMap((talk) => look(talk).held.get(rule) ?? []);
    expect(witnesses).not.toEqual([]);
  });

  it.each(good)('$rule lets pass: $why', ({ talk }) => {
    expect(look(talk).findings).toEqual([]);
  });

  it.each(bad)('$rule finds: $mistake', ({ rule, talk, says, evidence }) => {
    const { findings } = look(talk);
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
    expect(findings[0]).toMatchObject({ side: 'service', message: expect.stringMatching(says), evidence });
  });

  it.each(bad)('$rule does not report $mistake if the network made the responses', ({ talk }) => {
    const exchanges = talk.exchanges.map((exchange) => ({
      ...exchange,
      network: [{ effect: 'replaced' as const, note: 'failed with 500' }],
    }));
    expect(judgeExchanges(serviceRules, exchanges).findings()).toEqual([]);
  });

  it('have no findings without exchanges', () => {
    expect(judgeExchanges(serviceRules, []).findings()).toEqual([]);
  });
});
