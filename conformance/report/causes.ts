import type { RequirementId } from '../../spec/generated/documents.js';
import type { OperationId } from '../../spec/generated/operations.js';
import { oneLine } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { groupBy } from '../group-by.js';
import type { Cause, CheckResult } from '../service/runner/result.js';
import { shorten } from './text.js';

/** Longest title, in characters. */
const LONGEST_TITLE = 300;
/** A cause with so few failures is a consequence of one that failed in all the same cases. */
const FEW = 3;

/** Failures that one broken rule or requirement explains. */
interface Group {
  /** The rule or requirement. */
  subject: string;
  /** Failures of the subject itself. */
  own: CheckResult[];
  /** These, and what follows from them. */
  explained: Set<CheckResult>;
}

/**
 * Groups failures by what probably causes them, what explains most first. Spectrum-based fault localization: a rule or
 * requirement is the likelier the cause, the more of the failures and the fewer of the passed checks are about it
 * (Ochiai), and the more other failures its own explain: those of the same case that the same exchange shows. Every failed
 * check is in exactly one cause. Of recorded exchanges, which no test case made, each rule or requirement is a cause of its own.
 */
export function causesOf(checks: readonly CheckResult[], exchanges: readonly Exchange[]): Cause[] {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return [];
  const decided = checks.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  const decidedOf = groupBy(decided, subjectOf);
  const operations = new Map(exchanges.map(({ seq, operation }) => [seq, operation]));
  const ofCase = groupBy(failed, (check) => check.case);
  const open = new Set(failed);
  const groups: Group[] = [];
  while (open.size > 0) {
    const candidates = [...groupBy([...open], subjectOf)].map(([subject, own]) => {
      const explained = new Set([...own, ...own.flatMap((check) => consequences(check, ofCase, open))]);
      const ochiai = own.length / Math.sqrt(open.size * decidedOf.get(subject)!.length);
      return { subject, own, explained, rank: ochiai * Math.sqrt(explained.size) };
    });
    const best = candidates.reduce((one, other) => (other.rank > one.rank ? other : one));
    for (const check of best.explained) open.delete(check);
    groups.push(best);
  }
  if (!failed.some(isRecorded)) joinGroups(groups, ({ explained }) => operationOf(explained, operations));
  groups.sort((one, other) => other.explained.size - one.explained.size);
  const named = nameRequirements(groups);
  return groups.map((group) => toCause(group, named.get(group)!, operations));
}

/** What a failure is grouped by: of a service the requirement that is broken, of a client the rule. */
export function subjectOf({ rule, covers, id }: CheckResult): string {
  const about = id.slice(id.indexOf('#') + 1);
  return covers.some((each) => each === about) ? about : (rule ?? covers[0] ?? about);
}

/** About exchanges that no test case made: what shares an exchange there may be unrelated. */
function isRecorded({ side }: CheckResult): boolean {
  return side !== undefined;
}

/** Failures of the same case that share an exchange of the evidence: a failed prerequisite explains its dependants. */
function consequences(
  check: CheckResult,
  ofCase: ReadonlyMap<string, readonly CheckResult[]>,
  open: ReadonlySet<CheckResult>,
): CheckResult[] {
  if (isRecorded(check)) return [];
  const seqs = new Set(check.evidence);
  return ofCase
    .get(check.case)!
    .filter((other) => open.has(other) && other.evidence.some((seq) => seqs.has(seq)));
}

/** Later groups join an earlier one that shows in the same single operation, or if few, in all of their cases. */
function joinGroups(groups: Group[], operationOfGroup: (group: Group) => OperationId | null): void {
  for (const group of groups.slice(1).reverse()) {
    const earlier = groups.slice(0, groups.indexOf(group));
    const operation = operationOfGroup(group);
    const cases = new Set([...group.explained].map((check) => check.case));
    const hasAllCases = ({ explained }: Group) => {
      const its = new Set([...explained].map((check) => check.case));
      return [...cases].every((each) => its.has(each));
    };
    const into =
      (operation && earlier.find((other) => operationOfGroup(other) === operation)) ??
      (group.explained.size <= FEW ? earlier.find(hasAllCases) : undefined);
    if (!into) continue;
    for (const check of group.explained) into.explained.add(check);
    groups.splice(groups.indexOf(group), 1);
  }
}

/** The operation that all of these are about; null where there are several. */
function operationOf(
  checks: ReadonlySet<CheckResult>,
  operations: ReadonlyMap<number, string | undefined>,
): OperationId | null {
  const found = new Set([...checks].map(({ evidence }) => operations.get(evidence.at(-1) ?? 0)));
  const [operation] = found;
  return found.size === 1 ? ((operation as OperationId | undefined) ?? null) : null;
}

/** Each requirement is named where most of its failures are. */
function nameRequirements(groups: readonly Group[]): Map<Group, RequirementId[]> {
  const named = new Map<Group, RequirementId[]>(groups.map((group) => [group, []]));
  const counts = groups.map(({ explained }) =>
    groupBy(
      [...explained].flatMap(({ covers }) => covers),
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
  { subject, own, explained }: Group,
  named: readonly RequirementId[],
  operations: ReadonlyMap<number, string | undefined>,
): Cause {
  // The smallest conversation that shows it.
  const example =
    own.find(({ shrunk }) => shrunk) ??
    own.reduce((one, other) => (other.evidence.length < one.evidence.length ? other : one));
  return {
    id: subject,
    title: shorten(oneLine(example.message), LONGEST_TITLE),
    requirements: [...new Set([...example.covers.slice(0, 1), ...named])],
    rule: example.rule ?? subject,
    operation: operationOf(explained, operations),
    explains: explained.size,
    example: example.id,
    checks: [...explained].map(({ id }) => id),
  };
}
