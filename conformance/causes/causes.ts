import { type RequirementId, requirements } from '../../spec/generated/documents.js';
import type { OperationId } from '../../spec/generated/operations.js';
import { groupBy } from '../../spec/lists.js';
import { type Requirement, SEVERITIES, type Severity } from '../../spec/requirement-types.js';
import { toOneLine } from '../../spec/visible.js';
import type { Exchange, Situation } from '../../spec/vocabulary.js';
import { shorten } from '../common/text.js';
import { allRules } from '../rules/all-rules.js';
import type { RuleDefect } from '../rules/rule.js';
import { RUN_RULES } from '../rules/run-rules.js';
import type { Cause, CheckResult } from './check-result.js';

/** Longest title, in characters. */
const LONGEST_TITLE = 300;

const REQUIREMENTS: ReadonlyMap<string, Requirement> = new Map(requirements.map((each) => [each.id, each]));

interface FailureGroup {
  /** The violated rule or requirement, and the situation. */
  subject: string;
  /** Failures of the subject itself; empty if all are consequences of other defects. */
  own: CheckResult[];
  /** `own` and their consequences. */
  explained: CheckResult[];
}

/**
 * Groups failures by the defect that causes them, the most severe first, then by number of failures. Failures of one rule in
 * one situation are one defect; for a service, failures of one requirement that one rule found. Other failures join a defect
 * on evidence only: their rule is declared a consequence of a rule that fails in the same run, or a test case fails on the
 * exchange on which a rule fails. A shared operation is no evidence.
 */
export function findCauses(checks: readonly CheckResult[], exchanges: readonly Exchange[]): Cause[] {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const operations = mapOperations(exchanges);
  const groups = [...groupBy(failed, readSubject)].map(
    ([subject, own]): FailureGroup => ({ subject, own, explained: [...own] }),
  );
  const groupByCheck = new Map(groups.flatMap((group) => group.own.map((check) => [check, group] as const)));
  const ofCase = groupBy(failed, (check) => check.case);
  // In recorded exchanges, which no test case made, failures of one run may be unrelated.
  const findCheckReason = (check: CheckResult) =>
    check.side === undefined ? findReason(check, ofCase.get(check.case)!) : undefined;
  const reasons = new Map(failed.map((check) => [check, findCheckReason(check)]));
  for (const check of failed) {
    const first = findFirstReason(check, reasons);
    if (first !== check) moveCheck(check, groupByCheck.get(check)!, groupByCheck.get(first)!);
  }
  joinObservations(groups, failed);
  const left = groups.filter(({ explained }) => explained.length > 0);
  const named = assignRequirements(left);
  const isRecorded = failed.some(({ side }) => side !== undefined);
  const casesByGroup = new Map(
    left.map((group) => [group, new Set(group.explained.map((check) => check.case))] as const),
  );
  const causes = left.map((group) => {
    const cases = casesByGroup.get(group)!;
    const isFirst =
      !isRecorded &&
      left.some((other) => other !== group && [...casesByGroup.get(other)!].every((each) => cases.has(each)));
    return toCause(group, named.get(group)!, operations, isFirst);
  });
  return causes.sort(
    (one, other) =>
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) || other.explains - one.explains,
  );
}

/** The key of a group: the violated requirement of a service, the rule of a client. */
export function readSubject(check: CheckResult): string {
  const { rule, covers, situation, change } = check;
  const about = check.id.slice(check.id.indexOf('#') + 1);
  if (covers.some((each) => each === about)) return about;
  if (situation) return `${rule}, ${describeSituation(situation)}`;
  // Results, outputs and inputs of tools are read alike.
  if (change !== undefined) return `changed values, ${change}`;
  const { defects } = readRuleDefect(rule);
  const requirement = covers[0];
  const isOther = requirement !== undefined && defects?.[requirement] !== undefined;
  return isOther ? `${rule} (${requirement})` : (rule ?? covers[0] ?? about);
}

/** `after the result of goto, waiting for the end of the task`. */
function describeSituation({ given, waits, error }: Situation): string {
  return `after ${given}, waiting for ${waits}${error === undefined ? '' : `: ${error}`}`;
}

/** Finds the failure of the same run that explains this one, as declared by its rule. */
function findReason(check: CheckResult, ofRun: readonly CheckResult[]): CheckResult | undefined {
  const { consequenceOf = [], onGivingUp } = readRuleDefect(check.rule);
  if (check.situation?.died) return undefined;
  const others = ofRun.filter((each) => each !== check && each.rule !== undefined);
  // A crashed process sends nothing more.
  const followsCrash = consequenceOf.includes('*') || onGivingUp !== undefined;
  const crash = followsCrash ? others.find(({ situation }) => situation?.died) : undefined;
  if (crash) return crash;
  const seqs = new Set(check.evidence);
  const sharesEvidence = (each: CheckResult) => each.evidence.some((seq) => seqs.has(seq));
  for (const reason of consequenceOf) {
    const found = others.filter((each) => (reason === '*' ? isSpecific(each) : each.rule === reason));
    // A rule about the form of a request explains only failures on the same request.
    const fitting = found.filter(
      (each) => readRuleDefect(each.rule).concerns !== 'form' || sharesEvidence(each),
    );
    const best = fitting.find(sharesEvidence) ?? fitting[0];
    if (best) return best;
  }
  return undefined;
}

/** False for a rule that any other failure can cause. */
function isSpecific({ rule }: CheckResult): boolean {
  return !readRuleDefect(rule).consequenceOf?.includes('*');
}

/** Follows the reasons to the first; returns the failure itself if they form a circle. */
function findFirstReason(
  check: CheckResult,
  reasons: ReadonlyMap<CheckResult, CheckResult | undefined>,
): CheckResult {
  const seen = new Set([check]);
  let first = check;
  for (let next = reasons.get(first); next; next = reasons.get(first)) {
    if (seen.has(next)) return check;
    seen.add(next);
    first = next;
  }
  return first;
}

function moveCheck(check: CheckResult, from: FailureGroup, into: FailureGroup): void {
  if (from === into) return;
  from.own = from.own.filter((each) => each !== check);
  from.explained = from.explained.filter((each) => each !== check);
  into.explained.push(check);
}

/**
 * Joins failures that only a test case found to another group of the same case. Every one of them must be decided by an
 * exchange that also decides a failure of that group, the first time or in a repetition; else they are a defect of their
 * own. Two rules that one exchange violates are two defects.
 */
function joinObservations(groups: FailureGroup[], failed: readonly CheckResult[]): void {
  const ofCase = groupBy(failed, (check) => check.case);
  const bySize = [...groups].sort((one, other) => other.own.length - one.own.length);
  for (const [index, group] of [...bySize.entries()].reverse()) {
    const { own } = group;
    if (own.length === 0 || own.some(({ rule, side }) => rule !== undefined || side !== undefined)) continue;
    const into = bySize.find(
      (other, at) =>
        other !== group &&
        canJoin(group, other, at < index) &&
        own.every(({ case: name, evidence }) =>
          ofCase.get(name)!.some((each) => other.own.includes(each) && isDecidedBy(each, evidence.at(-1))),
        ),
    );
    if (into) for (const check of [...group.explained]) moveCheck(check, group, into);
  }
}

function isDecidedBy({ evidence, again_in = [] }: CheckResult, seq: number | undefined): boolean {
  return seq !== undefined && (evidence.at(-1) === seq || again_in.includes(seq));
}

/**
 * A group joins neither a less severe one nor a leak, which is always a defect of its own. Of two equally severe groups, the
 * smaller joins, or of the same size the later.
 */
function canJoin({ own }: FailureGroup, { own: others }: FailureGroup, isLater: boolean): boolean {
  const [severity, other] = [readSeverity(own), readSeverity(others)];
  if (severity !== other) return other !== 'leak' && SEVERITIES.indexOf(other) < SEVERITIES.indexOf(severity);
  const isSmaller = own.length < others.length || (own.length === others.length && isLater);
  return isSmaller || others.some(({ rule }) => rule !== undefined);
}

export function readSeverity(checks: readonly Pick<CheckResult, 'severity' | 'rule' | 'covers'>[]): Severity {
  const found = checks.map(
    ({ severity, rule, covers }): Severity =>
      severity ?? readRuleDefect(rule).severity ?? REQUIREMENTS.get(covers[0] ?? '')?.severity ?? 'state',
  );
  return SEVERITIES.find((each) => found.includes(each)) ?? 'state';
}

type OperationBySeq = ReadonlyMap<number, string | undefined>;

export function mapOperations(exchanges: readonly Exchange[]): OperationBySeq {
  return new Map(exchanges.map(({ seq, operation }) => [seq, operation]));
}

/** Null if the checks concern several operations. */
export function findOperation(
  checks: readonly Pick<CheckResult, 'evidence'>[],
  operations: OperationBySeq,
): OperationId | null {
  const found = new Set(checks.map(({ evidence }) => operations.get(evidence.at(-1) ?? 0)));
  const [operation] = found;
  return found.size === 1 ? ((operation as OperationId | undefined) ?? null) : null;
}

/** Assigns each requirement to the group with most of its failures. */
function assignRequirements(groups: readonly FailureGroup[]): Map<FailureGroup, RequirementId[]> {
  const named = new Map<FailureGroup, RequirementId[]>(groups.map((group) => [group, []]));
  const counts = groups.map(({ explained }) =>
    groupBy(
      explained.flatMap(({ covers }) => covers),
      (id) => id,
    ),
  );
  for (const id of new Set(counts.flatMap((each) => [...each.keys()]))) {
    const times = counts.map((each) => each.get(id)?.length ?? 0);
    named.get(groups[times.indexOf(Math.max(...times))]!)!.push(id as RequirementId);
  }
  return named;
}

function toCause(
  { subject, own, explained }: FailureGroup,
  named: readonly RequirementId[],
  operations: OperationBySeq,
  isFirst: boolean,
): Cause {
  // The shortest conversation that shows the defect.
  const example =
    own.find(({ shrunk }) => shrunk) ??
    own.reduce((one, other) => (other.evidence.length < one.evidence.length ? other : one));
  return {
    id: subject,
    title: shorten(toOneLine(formatTitle(example)), LONGEST_TITLE),
    requirements: [...new Set([...example.covers.slice(0, 1), ...named])],
    rule: example.rule ?? subject,
    operation: findOperation(own, operations),
    severity: readSeverity(own),
    explains: explained.length,
    ...(isFirst && { first: true as const }),
    example: example.id,
    checks: explained.map(({ id }) => id),
  };
}

/** The defect in a sentence; the message of the check if its rule declares none. */
function formatTitle({ rule, covers, message, situation, change }: CheckResult): string {
  if (change !== undefined) return `The client changed a value that it had received: ${change}.`;
  const defect = describeDefect(rule, covers[0]);
  if (defect === undefined) return message;
  if (situation === undefined) return `${defect}.`;
  const error = situation.error === undefined ? '' : ` (${situation.error})`;
  return `${defect} after ${situation.given}${error}. It was waiting for ${situation.waits}.`;
}

/** Run rules come last: they override a rule about exchanges with the same id. */
const DEFECTS: ReadonlyMap<string, Partial<RuleDefect>> = new Map([
  ...allRules.map((rule): [string, Partial<RuleDefect>] => [rule.id, rule]),
  ...Object.entries<RuleDefect>(RUN_RULES),
]);

/** Empty for an id that is no rule. */
export function readRuleDefect(rule: string | undefined): Partial<RuleDefect> {
  return (rule === undefined ? undefined : DEFECTS.get(rule)) ?? {};
}

/** What a violation of the rule is, in a sentence without its full stop. */
export function describeDefect(rule: string | undefined, requirement?: string): string | undefined {
  const { defect, defects = {} } = readRuleDefect(rule);
  return (defects as Readonly<Record<string, string>>)[requirement ?? ''] ?? defect;
}
