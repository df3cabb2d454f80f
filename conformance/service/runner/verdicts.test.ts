import { describe, expect, it } from 'vitest';
import { ExchangeBuilder } from '../../../test/support/rules/exchange-builder.js';
import { Judge } from '../../rules/judge.js';
import type { Rule } from '../../rules/rule.js';
import type { TestCase } from '../test-case/test-case.js';
import { Verdicts } from './verdicts.js';

const testCase: TestCase = {
  id: 'polling/sample',
  title: 'A case',
  covers: ['POLL-01'],
  operations: ['getTask'],
  run: async () => {},
};

const check = (verdicts: Verdicts) => verdicts.createChecks(testCase, { kind: 'whole' })[0]!;

/** A rule that every exchange satisfies. */
const kept = (id: string): Rule => ({
  id,
  requirements: ['POLL-01'],
  side: 'service',
  level: 'must',
  title: 'Is kept.',
  scope: 'stream',
  check: () => 'kept',
});

describe('the verdicts of a case', () => {
  it('count an exchange once, also if it is judged several times', () => {
    const verdicts = new Verdicts();
    verdicts.addEvidence('POLL-01', [9]);
    expect(check(verdicts)).toMatchObject({ message: 'kept, as an exchange shows', evidence: [9] });
    verdicts.addEvidence('POLL-01', [9, 9]);
    expect(check(verdicts)).toMatchObject({ message: 'kept, as an exchange shows', evidence: [9] });
    verdicts.addEvidence('POLL-01', [11, 9]);
    expect(check(verdicts)).toMatchObject({ message: 'kept, as 2 exchanges show', evidence: [9, 11] });
  });

  it('count an exchange once for several rules of the requirement', () => {
    const rules = [kept('polling/one'), kept('polling/other')];
    const judge = new Judge(rules);
    for (const exchange of new ExchangeBuilder().create().poll(0).exchanges) judge.observe(exchange);
    const verdicts = new Verdicts();
    verdicts.addEvidence('POLL-01', [2]);
    verdicts.addJudgeResults(judge, rules);
    expect(check(verdicts)).toMatchObject({ message: 'kept, as 2 exchanges show', evidence: [2, 1] });
  });

  it('name an exchange that breaks it once', () => {
    const verdicts = new Verdicts();
    verdicts.addFinding('POLL-01', 'expected a, got b', [3, 4, 3]);
    expect(check(verdicts)).toMatchObject({ outcome: 'failed', evidence: [3, 4] });
  });

  it('name the first exchange that breaks it, and later ones of the case', () => {
    const verdicts = new Verdicts();
    verdicts.addFinding('POLL-01', 'first', [1, 2]);
    expect(check(verdicts).again_in).toBeUndefined();
    for (const evidence of [[2], [3, 4], [4], [5]]) verdicts.addFinding('POLL-01', 'later', evidence);
    expect(check(verdicts)).toMatchObject({ message: 'first', evidence: [1, 2], again_in: [4, 5] });
  });

  it('keep the first twenty exchanges, without duplicates', () => {
    const verdicts = new Verdicts();
    for (let seq = 1; seq <= 30; seq++) verdicts.addEvidence('POLL-01', [seq, 1, seq]);
    expect(check(verdicts).evidence).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });
});
