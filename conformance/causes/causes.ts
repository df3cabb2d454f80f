import { type RequirementId, requirements } from '../../spec/generated/documents.js';
import type { OperationId } from '../../spec/generated/operations.js';
import { type Requirement, SEVERITIES, type Severity } from '../../spec/requirement-types.js';
import { toOneLine } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { groupBy } from '../common/group-by.js';
import { shorten } from '../common/text.js';
import type { Cause, JudgedCheck, Situation } from './cause.js';
import { describeDefect, readRuleDefect } from './rule-defects.js';

/** Longest title, in characters. */
const LONGEST_TITLE = 300;

const REQUIREMENTS: ReadonlyMap<string, Requirement> = new Map(requirements.map((each) => [each.id, each]));

/** Failures of one defect. */
interface FailureGroup {
  /** The rule or requirement, and the situation. */
  subject: string;
  /** Failures of the subject itself; none where all of them are consequences. */
  own: JudgedCheck[];
  /** These, and what follows from them. */
  explained: JudgedCheck[];
}

/**
 * Groups failures by the defect that causes them, the gravest first, then what explains most. Failures of one rule (of a
 * service, of one requirement that one rule found) in one situation are one defect. Others join it by evidence only: their rule
 * states that it is a consequence, and both are broken in the same run; or a test case misses something in the very exchange in
 * which a rule sees the reason. That two show in one operation joins nothing. Every failed check is in exactly one cause.
 */
export function findCauses(checks: readonly JudgedCheck[], exchanges: readonly Exchange[]): Cause[] {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const operations = mapOperations(exchanges);
  const groups = [...groupBy(failed, readSubject)].map(
    ([subject, own]): FailureGroup => ({ subject, own, explained: [...own] }),
  );
  const groupByCheck = new Map(groups.flatMap((group) => group.own.map((check) => [check, group] as const)));
  const ofCase = groupBy(failed, (check) => check.case);
  // Of recorded exchanges, which no test case made, what shares a run may be unrelated.
  const findCheckReason = (check: JudgedCheck) =>
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

/** What a failure is grouped by: of a service the requirement that is broken, of a client the rule. */
export function readSubject(check: JudgedCheck): string {
  const { rule, covers, situation } = check;
  const about = check.id.slice(check.id.indexOf('#') + 1);
  if (covers.some((each) => each === about)) return about;
  if (situation) return `${rule}, ${describeSituation(situation)}`;
  const { defects } = readRuleDefect(rule);
  const requirement = covers[0];
  const isOther = requirement !== undefined && defects?.[requirement] !== undefined;
  return isOther ? `${rule} (${requirement})` : (rule ?? covers[0] ?? about);
}

/** `after the result of goto, waiting for the end of the task`. */
function describeSituation({ given, waits, error }: Situation): string {
  return `after ${given}, waiting for ${waits}${error === undefined ? '' : `: ${error}`}`;
}

/** The failure of the same run that explains this one: what its rule names as its reason; undefined where nothing does. */
function findReason(check: JudgedCheck, ofRun: readonly JudgedCheck[]): JudgedCheck | undefined {
  const { consequenceOf = [], onGivingUp } = readRuleDefect(check.rule);
  if (check.situation?.died) return undefined;
  const others = ofRun.filter((each) => each !== check && each.rule !== undefined);
  // A process that died does nothing more.
  const isLeft = consequenceOf.includes('*') || onGivingUp !== undefined;
  const death = isLeft ? others.find(({ situation }) => situation?.died) : undefined;
  if (death) return death;
  const seqs = new Set(check.evidence);
  const sharesEvidence = (each: JudgedCheck) => each.evidence.some((seq) => seqs.has(seq));
  for (const reason of consequenceOf) {
    const found = others.filter((each) => (reason === '*' ? isSpecific(each) : each.rule === reason));
    // How requests are written explains only what the request itself shows.
    const fitting = found.filter(
      (each) => readRuleDefect(each.rule).concerns !== 'form' || sharesEvidence(each),
    );
    const best = fitting.find(sharesEvidence) ?? fitting[0];
    if (best) return best;
  }
  return undefined;
}

/** Not a rule that whatever goes wrong leads to. */
function isSpecific({ rule }: JudgedCheck): boolean {
  return !readRuleDefect(rule).consequenceOf?.includes('*');
}

/** The reason of the reason, and so on; the failure itself where reasons lead in a circle. */
function findFirstReason(
  check: JudgedCheck,
  reasons: ReadonlyMap<JudgedCheck, JudgedCheck | undefined>,
): JudgedCheck {
  const seen = new Set([check]);
  let first = check;
  for (let next = reasons.get(first); next; next = reasons.get(first)) {
    if (seen.has(next)) return check;
    seen.add(next);
    first = next;
  }
  return first;
}

function moveCheck(check: JudgedCheck, from: FailureGroup, into: FailureGroup): void {
  if (from === into) return;
  from.own = from.own.filter((each) => each !== check);
  from.explained = from.explained.filter((each) => each !== check);
  into.explained.push(check);
}

/**
 * What a test case of a service missed without a rule that saw a reason, where the exchange that decides it decides another
 * failure of the same case too, the first time or again: each time, or it is a defect of its own. Two rules that are broken by one exchange are two
 * defects.
 */
function joinObservations(groups: FailureGroup[], failed: readonly JudgedCheck[]): void {
  const ofCase = groupBy(failed, (check) => check.case);
  const bySize = [...groups].sort((one, other) => other.own.length - one.own.length);
  for (const group of [...bySize].reverse()) {
    const { own } = group;
    if (own.length === 0 || own.some(({ rule, side }) => rule !== undefined || side !== undefined)) continue;
    const into = bySize.find(
      (other) =>
        other !== group &&
        canJoin(group, other) &&
        own.every(({ case: name, evidence }) =>
          ofCase.get(name)!.some((each) => other.own.includes(each) && isDecidedBy(each, evidence.at(-1))),
        ),
    );
    if (into) for (const check of [...group.explained]) moveCheck(check, group, into);
  }
}

function isDecidedBy({ evidence, again_in = [] }: JudgedCheck, seq: number | undefined): boolean {
  return seq !== undefined && (evidence.at(-1) === seq || again_in.includes(seq));
}

/** Nothing joins what is less grave, nor a leak, which is what it is alone. Of two equally grave ones, the smaller joins. */
function canJoin({ own }: FailureGroup, { own: others }: FailureGroup): boolean {
  const [severity, other] = [readSeverity(own), readSeverity(others)];
  if (severity !== other) return other !== 'leak' && SEVERITIES.indexOf(other) < SEVERITIES.indexOf(severity);
  return others.length > own.length || others.some(({ rule }) => rule !== undefined);
}

/** The gravest of these. */
export function readSeverity(checks: readonly Pick<JudgedCheck, 'severity' | 'rule' | 'covers'>[]): Severity {
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

/** The operation that all of these are about; null where there are several. */
export function findOperation(
  checks: readonly Pick<JudgedCheck, 'evidence'>[],
  operations: OperationBySeq,
): OperationId | null {
  const found = new Set(checks.map(({ evidence }) => operations.get(evidence.at(-1) ?? 0)));
  const [operation] = found;
  return found.size === 1 ? ((operation as OperationId | undefined) ?? null) : null;
}

/** Each requirement is named where most of its failures are. */
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
  // The smallest conversation that shows it.
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

/** The defect in a sentence; where the rule states none, what was expected and what came. */
function formatTitle({ rule, covers, message, situation }: JudgedCheck): string {
  const defect = describeDefect(rule, covers[0]);
  if (defect === undefined) return message;
  if (situation === undefined) return `${defect}.`;
  const error = situation.error === undefined ? '' : ` (${situation.error})`;
  return `${defect} after ${situation.given}${error}. It was waiting for ${situation.waits}.`;
}
