import { type RequirementId, requirements } from '../../spec/generated/documents.js';
import type { Level, Side } from '../../spec/requirement-types.js';
import { type CheckResult, summarizeFindings } from '../causes/check-result.js';
import { groupBy } from '../common/group-by.js';
import { isLacking } from '../common/lacks.js';
import { clientRules } from '../rules/client-rules.js';
import type { Judge } from '../rules/judge.js';
import { serviceRules } from '../rules/service-rules.js';
import { type ConformReport, measureCoverage } from '../service/runner/result.js';
import { Verdicts } from '../service/runner/verdicts.js';
import type { Occasions } from './occasions.js';

const NO_OCCASION = 'no exchange gave the occasion';

const RULES_BY_ID: ReadonlyMap<string, string> = new Map(requirements.map(({ id, rule }) => [id, rule]));
const OPERATIONS_BY_REQUIREMENT: ReadonlyMap<string, readonly string[]> = new Map(
  requirements.map(({ id, operations }) => [id, operations]),
);
const SERVICE_REQUIREMENTS = [...new Set(serviceRules.flatMap((rule) => rule.requirements))];

/** One check per mandatory client rule. It passes if an exchange could have violated the rule and none did. */
export function createClientChecks(
  judge: Judge,
  occasions: Occasions,
  lacks: readonly string[],
): CheckResult[] {
  const { findings, openQuestions } = judge.conclude();
  const open = new Map(openQuestions.map(({ rule, ...question }) => [rule.id, question]));
  const groupByRule = (level: Level) =>
    groupBy(
      findings.filter((each) => each.side === 'client' && each.level === level),
      ({ rule }) => rule,
    );
  const [broken, advised] = [groupByRule('must'), groupByRule('advice')];
  return clientRules
    .filter(({ level }) => level === 'must')
    .map((rule): CheckResult => {
      const about = {
        id: `client#${rule.id}`,
        case: 'client',
        suite: 'client' as const,
        side: 'client' as const,
        title: rule.title,
        covers: [...rule.requirements] as RequirementId[],
      };
      const lacking = rule.parts?.find((each) => lacks.includes(each));
      if (lacking !== undefined) return { ...about, ...createSkippedResult(lacking, 'client') };
      const found = broken.get(rule.id);
      if (found) return { ...about, rule: rule.id, outcome: 'failed', ...summarizeFindings(found) };
      const question = open.get(rule.id);
      if (question) return { ...about, outcome: 'inconclusive', ...question };
      const advice = advised.get(rule.id);
      if (advice) return { ...about, outcome: 'inconclusive', ...summarizeFindings(advice) };
      const evidence = [...occasions.listEvidence(rule)];
      if (evidence.length === 0) return { ...about, outcome: 'inconclusive', message: NO_OCCASION, evidence };
      return {
        ...about,
        outcome: 'passed',
        message: 'no exchange that could have broken the rule did',
        evidence,
      };
    });
}

function createSkippedResult(
  lacking: string,
  side: Side,
): Pick<CheckResult, 'outcome' | 'message' | 'evidence'> {
  const message = `it is about ${lacking}, which the ${side} lacks (--lacks ${lacking})`;
  return { outcome: 'skipped', message, evidence: [] };
}

/** One check per requirement that the service rules check. It passes if exchanges show that it is met. */
export function createServiceChecks(judge: Judge, lacks: readonly string[]): CheckResult[] {
  const verdicts = new Verdicts();
  verdicts.addJudgeResults(judge, serviceRules);
  const all = { id: 'service', title: '', covers: SERVICE_REQUIREMENTS };
  return verdicts.createChecks(all, { kind: 'whole' }).map((check) => {
    const [id] = check.covers;
    const called = OPERATIONS_BY_REQUIREMENT.get(id!) ?? [];
    const lacking = called.every((each) => isLacking(each, lacks)) ? called[0] : undefined;
    return {
      ...check,
      ...(lacking !== undefined && createSkippedResult(lacking, 'service')),
      ...{ suite: 'service', side: 'service', title: RULES_BY_ID.get(id!) ?? '' },
    };
  });
}

export function mergeSideCoverage(
  sides: readonly Side[],
  checks: readonly CheckResult[],
  isPartial: boolean,
): ConformReport['requirements'] {
  const explainUntested = ({ unobservable }: { unobservable?: string }) => unobservable ?? NO_OCCASION;
  const parts = sides.map((side) => measureCoverage(side, checks, explainUntested, { isPartial }));
  return {
    total: parts.reduce((sum, { total }) => sum + total, 0),
    tested: parts.reduce((sum, { tested }) => sum + tested, 0),
    untested: parts.flatMap(({ untested }) => untested),
  };
}
