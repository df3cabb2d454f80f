import type { RequirementId } from '../../../spec/generated/documents.js';
import { groupBy } from '../../../spec/lists.js';
import { SEVERITIES } from '../../../spec/requirement-types.js';
import { findOperation, mapOperations, readRuleDefect, readSeverity } from '../../causes/causes.js';
import type { Cause } from '../../causes/check-result.js';
import { findRunRule } from '../../rules/run-rules.js';
import type { Failure } from '../types.js';
import { canExplain, findRequestKind, isMerelyLate, isUnusable, normalizeRefusals } from './changes.js';
import { formatTitle } from './titles.js';

/** The failures that a cause explains, the best example first. */
export function listFailures({ checks }: Pick<Cause, 'checks'>, failures: readonly Failure[]): Failure[] {
  const ids = assignCheckIds(failures);
  const byId = new Map(failures.map((failure) => [ids.get(failure)!, failure]));
  return checks.map((id) => byId.get(id)!);
}

/** The ids of the checks for failures in reports: `tool-calls/one-call#replies/once get_weather`. */
export function assignCheckIds(failures: readonly Failure[]): Map<Failure, string> {
  const ids = new Set<string>();
  return new Map(failures.map((each) => [each, makeUnique(`${each.scenario}#${each.key}`, ids)]));
}

/**
 * Groups failures by the defect that causes them, by severity, then in the order of discovery. Two failures have the same defect if the
 * client waits for the same, the necessary deviations are similar, and the same rule is broken, or if one run shows both in one place.
 * The best example comes first.
 */
export function groupCauses(failures: readonly Failure[]): Cause[] {
  const ids = assignCheckIds(failures);
  const names = new Set<string>();
  const rankSeverity = ({ severity }: Cause) => SEVERITIES.indexOf(severity);
  return groupByDefect(failures)
    .map((group) => toCause(group, ids, names))
    .sort((one, other) => rankSeverity(one) - rankSeverity(other));
}

/** In the order of discovery. The best example of each group comes first. */
function groupByDefect(failures: readonly Failure[]): Failure[][] {
  const groups: Failure[][] = [];
  const isConsequence = ({ rule }: Failure) => readRuleDefect(rule).consequenceOf?.includes('*') === true;
  for (const failure of failures.filter((each) => !isConsequence(each))) {
    const [first, ...others] = groups.filter((group) => group.some((each) => isSameDefect(each, failure)));
    first?.push(failure, ...others.flat());
    if (!first) groups.push([failure]);
    for (const other of others) groups.splice(groups.indexOf(other), 1);
  }
  joinRequests(groups);
  joinExplained(groups, needsMore);
  // Consequences do not join two groups.
  for (const failure of failures.filter(isConsequence)) {
    const group =
      groups.find((each) => each.some((other) => isSameRun(other, failure))) ??
      groups.find((each) => each.some((other) => isSameDefect(other, failure)));
    if (group) group.push(failure);
    else groups.push([failure]);
  }
  joinExplained(groups, isVariant);
  const findFirstSchedule = (group: readonly Failure[]) => Math.min(...group.map(({ schedule }) => schedule));
  return groups.map(sortBestFirst).sort((one, other) => findFirstSchedule(one) - findFirstSchedule(other));
}

/** If requests of this many kinds fail alike, the client has one defect for all of them. */
const MANY_KINDS = 3;

function joinRequests(groups: Failure[][]): void {
  const alike = groupBy(groups, ([first]) => `${first!.rule} ${first!.wait}`);
  for (const all of alike.values()) {
    const ofRequests = all.filter((group) =>
      group[0]!.changes.some((each) => findRequestKind(each) !== undefined),
    );
    const kinds = new Set(ofRequests.flatMap(([first]) => first!.changes.map(findRequestKind)));
    kinds.delete(undefined);
    if (kinds.size < MANY_KINDS) continue;
    const [into, ...others] = ofRequests as [Failure[], ...Failure[][]];
    for (const other of others) {
      into.push(...other);
      groups.splice(groups.indexOf(other), 1);
    }
  }
}

/** Each failure of a group that joins another is explained by one of that group. */
function joinExplained(
  groups: Failure[][],
  isExplained: (failure: Failure, reason: Failure) => boolean,
): void {
  for (const group of [...groups]) {
    const into = groups.find(
      (other) => other !== group && group.every((each) => other.some((reason) => isExplained(each, reason))),
    );
    if (!into) continue;
    into.push(...group);
    groups.splice(groups.indexOf(group), 1);
  }
}

/**
 * It shows only with more changes than the other: the client is in a wrong state before. Changes of order alone are too frequent to be the
 * reason.
 */
function needsMore(failure: Failure, reason: Failure): boolean {
  if (reason.deviations.length === 0 || reason.deviations.length >= failure.deviations.length) return false;
  const changes = normalizeRefusals(reason.changes);
  return !canExplain([], changes) && canExplain(changes, normalizeRefusals(failure.changes));
}

/** It needs several deviations in a scenario that fails without any, or at the same place with fewer. */
function isVariant(failure: Failure, reason: Failure): boolean {
  const [more, fewer] = [failure, reason].map(({ deviations }) => deviations.length) as [number, number];
  if (reason.scenario !== failure.scenario || more < 2 || fewer >= more) return false;
  return fewer === 0 || (reason.about !== undefined && reason.key === failure.key);
}

function isSameDefect(one: Failure, other: Failure): boolean {
  if (one.exchanges === other.exchanges)
    return isSamePlace(one, other) || isSameOmission(one, other) || isStatedConsequence(one, other);
  if (isSameGiveUp(one, other) || isSameOmission(one, other)) return true;
  if (isStatedConsequence(one, other) && hasSameChanges(one, other)) return true;
  if (one.rule !== other.rule || !isSameWait(one, other)) return false;
  // It is unknown whether the faults of the scenario itself are necessary.
  if (one.deviations.length === 0 && other.deviations.length === 0) return one.wait === other.wait;
  const [a, b] = [one.changes, other.changes];
  if ((a.length === 0 || b.length === 0) && isRequestRule(one)) return true;
  if (canExplain(a, b) || canExplain(b, a)) return true;
  if (a.length === 0 || b.length === 0) return false;
  if (isMerelyLate(a, b) || isMerelyLate(b, a)) return true;
  // A client that handles neither a 429 nor another failure of the same request handles no failure of it.
  const [c, d] = [normalizeRefusals(a), normalizeRefusals(b)];
  return canExplain(c, d) || canExplain(d, c);
}

/** The unchanged run of a scenario shows all that fails without a deviation. */
function isSameRun(one: Failure, other: Failure): boolean {
  if (one.exchanges === other.exchanges) return true;
  const isUnchanged = [one, other].every(({ deviations }) => deviations.length === 0);
  return isUnchanged && one.scenario === other.scenario;
}

/** After an unusable response, what the client waits for depends on the scenario. */
function isSameWait(one: Failure, other: Failure): boolean {
  return one.wait === other.wait || [one, other].every(({ changes }) => changes.some(isUnusable));
}

/** A rule about the content of a request: with a deviation that causes the request it is the same defect as without. */
function isRequestRule({ rule }: Failure): boolean {
  return readRuleDefect(rule).concerns !== undefined;
}

/** Both clients end early under the same changes without an error. What they leave undone depends on the scenario. */
function isSameOmission(one: Failure, other: Failure): boolean {
  const isSilent = ({ rule, reported }: Failure) =>
    reported === undefined && readRuleDefect(rule).onGivingUp === 'left undone';
  return isSilent(one) && isSilent(other) && hasSameChanges(one, other);
}

/** Both clients give up with the same error under the same changes. */
function isSameGiveUp(one: Failure, other: Failure): boolean {
  if (one.reported === undefined || one.reported !== other.reported) return false;
  const isGiveUp = ({ rule }: Failure) => readRuleDefect(rule).onGivingUp !== undefined;
  return isGiveUp(one) && isGiveUp(other) && hasSameChanges(one, other);
}

/** One is a finding about the result line whose rule states that it follows from the rule of the other. */
function isStatedConsequence({ rule: one }: Failure, { rule: other }: Failure): boolean {
  const isStated = (line: string, reason: string) => {
    const { evidence, consequenceOf } = findRunRule(line) ?? {};
    return evidence === 'line' && consequenceOf?.includes(reason) === true;
  };
  return isStated(one, other) || isStated(other, one);
}

function hasSameChanges(one: Failure, other: Failure): boolean {
  return one.changes.length > 0 && one.changes.join() === other.changes.join();
}

/** In one run: same subject, a shared exchange, or both consequences of an unread event. */
function isSamePlace(one: Failure, other: Failure): boolean {
  const [its, others] = [one, other].map(({ rule }) => readRuleDefect(rule));
  if ((its!.concerns === 'form') !== (others!.concerns === 'form')) return false;
  if (one.rule !== other.rule && its!.concerns === 'field' && others!.concerns === 'field') return false;
  if (one.about !== undefined && one.about === other.about) return true;
  if (its!.followsFromLostEvent && others!.followsFromLostEvent) return true;
  return one.evidence.some((seq) => other.evidence.includes(seq));
}

function sortBestFirst(group: readonly Failure[]): Failure[] {
  // A scenario with its own faults has many. A single deviation identifies the relevant one.
  const isSingle = ({ rule, deviations }: Failure) => rule === group[0]!.rule && deviations.length === 1;
  const hasOwnFaults = group[0]!.deviations.length === 0 && group[0]!.changes.length > 0;
  const earlier = (hasOwnFaults && group.find(isSingle)) || group[0]!;
  // In one run, a repeated tool run explains more than repeated replies.
  const isToolRepeat = ({ rule, exchanges }: Failure) =>
    rule === 'line/tool-runs' && exchanges === earlier.exchanges;
  const first = group.find(isToolRepeat) ?? earlier;
  return [first, ...group.filter((each) => each !== first)];
}

function toCause(group: readonly Failure[], ids: ReadonlyMap<Failure, string>, names: Set<string>): Cause {
  const [first] = group as [Failure];
  const { rule, wait, changes } = first;
  const name = [rule, ...(wait === undefined ? [] : [`waits for ${wait}`]), ...changes].join(', ');
  const checks = group.map((each) => ids.get(each)!);
  const judged = group.map((each) => ({ ...each, covers: [each.requirement as RequirementId] }));
  const operations = mapOperations(group.flatMap(({ exchanges }) => exchanges));
  return {
    id: makeUnique(name, names),
    title: formatTitle(first),
    requirements: [...new Set(judged.flatMap(({ covers }) => covers))],
    rule,
    operation: findOperation(judged, operations),
    severity: readSeverity(judged),
    explains: checks.length,
    example: checks[0]!,
    checks,
  };
}

/** Appends a number if the name is taken. */
function makeUnique(name: string, taken: Set<string>): string {
  let id = name;
  for (let n = 2; taken.has(id); n++) id = `${name} (${n})`;
  taken.add(id);
  return id;
}
