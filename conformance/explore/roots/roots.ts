import { ruleDefect } from '../../causes/rule-defects.js';
import { groupBy } from '../../group-by.js';
import { runRule } from '../../rules/run-rules.js';
import type { Failure, Root } from '../types.js';
import { explains, isMerelyLate, isUnusable, requestIn, withoutLimits } from './changes.js';
import { titleOf } from './titles.js';

/**
 * Groups failures by their root, in the order in which the roots were found. Two are of one root where the client waits for
 * the same, the necessary deviations ask the same of it, and the same rule is broken; or where one run shows both in one
 * place. The failure that explains a root best is its first.
 */
export function rootsOf(failures: readonly Failure[]): Root[] {
  const groups: Failure[][] = [];
  const isConsequence = ({ rule }: Failure) => ruleDefect(rule).consequenceOf?.includes('*') === true;
  for (const failure of failures.filter((each) => !isConsequence(each))) {
    const [first, ...others] = groups.filter((group) => group.some((each) => isSameRoot(each, failure)));
    first?.push(failure, ...others.flat());
    if (!first) groups.push([failure]);
    for (const other of others) groups.splice(groups.indexOf(other), 1);
  }
  joinRequests(groups);
  // These join no two groups.
  for (const failure of failures.filter(isConsequence)) {
    const group =
      groups.find((each) => each.some(({ exchanges }) => exchanges === failure.exchanges)) ??
      groups.find((each) => each.some((other) => isSameRoot(other, failure)));
    if (group) group.push(failure);
    else groups.push([failure]);
  }
  const ids = new Set<string>();
  return groups.map((group) => toRoot(group, ids)).sort((one, other) => one.schedule - other.schedule);
}

/** Requests of so many kinds that fail alike: it is the way in which the client sends any of them. */
const MANY_KINDS = 3;

function joinRequests(groups: Failure[][]): void {
  const alike = groupBy(groups, ([first]) => `${first!.rule} ${first!.wait}`);
  for (const all of alike.values()) {
    const ofRequests = all.filter((group) => group[0]!.changes.some((each) => requestIn(each) !== undefined));
    const kinds = new Set(ofRequests.flatMap(([first]) => first!.changes.map(requestIn)));
    kinds.delete(undefined);
    if (kinds.size < MANY_KINDS) continue;
    const [into, ...others] = ofRequests as [Failure[], ...Failure[][]];
    for (const other of others) {
      into.push(...other);
      groups.splice(groups.indexOf(other), 1);
    }
  }
}

function isSameRoot(one: Failure, other: Failure): boolean {
  if (one.exchanges === other.exchanges)
    return isSamePlace(one, other) || haveLeftUndoneAlike(one, other) || isStatedBetween(one, other);
  if (haveGivenUpAlike(one, other) || haveLeftUndoneAlike(one, other)) return true;
  if (isStatedBetween(one, other) && haveSameChanges(one, other)) return true;
  if (one.rule !== other.rule || !isSameWait(one, other)) return false;
  // Whether what a scenario has of its own is necessary is not known.
  if (one.deviations.length === 0 && other.deviations.length === 0) return one.wait === other.wait;
  const [a, b] = [one.changes, other.changes];
  if ((a.length === 0 || b.length === 0) && isOfOneRequest(one)) return true;
  if (explains(a, b) || explains(b, a)) return true;
  if (a.length === 0 || b.length === 0) return false;
  if (isMerelyLate(a, b) || isMerelyLate(b, a)) return true;
  // A client that takes neither a 429 nor another failure of the same request takes no failure of it.
  const [c, d] = [withoutLimits(a), withoutLimits(b)];
  return explains(c, d) || explains(d, c);
}

/** What a client waits for once it could not use a response depends on the scenario. */
function isSameWait(one: Failure, other: Failure): boolean {
  return one.wait === other.wait || [one, other].every(({ changes }) => changes.some(isUnusable));
}

/** A rule about which request is sent, and how it is written: without a deviation it is the same mistake as with one, which makes such a request. */
function isOfOneRequest({ rule }: Failure): boolean {
  return ruleDefect(rule).concerns !== undefined;
}

/** Clients that end early under the same changes without a word: what they then leave undone is the scenario's affair. */
function haveLeftUndoneAlike(one: Failure, other: Failure): boolean {
  const isSilent = ({ rule, reported }: Failure) =>
    reported === undefined && ruleDefect(rule).onGivingUp === 'left undone';
  return isSilent(one) && isSilent(other) && haveSameChanges(one, other);
}

/** Clients that give up with the same error under the same changes. */
function haveGivenUpAlike(one: Failure, other: Failure): boolean {
  if (one.reported === undefined || one.reported !== other.reported) return false;
  const isGivenUp = ({ rule }: Failure) => ruleDefect(rule).onGivingUp !== undefined;
  return isGivenUp(one) && isGivenUp(other) && haveSameChanges(one, other);
}

/** One is what the client says of itself in its result line, and its rule states that it follows from the rule of the other. */
function isStatedBetween({ rule: one }: Failure, { rule: other }: Failure): boolean {
  const states = (line: string, reason: string) => {
    const { evidence, consequenceOf } = runRule(line) ?? {};
    return evidence === 'line' && consequenceOf?.includes(reason) === true;
  };
  return states(one, other) || states(other, one);
}

function haveSameChanges(one: Failure, other: Failure): boolean {
  return one.changes.length > 0 && one.changes.join() === other.changes.join();
}

/** Of one run: about the same thing, shown by the same exchange, or both of what an unread event leads to. */
function isSamePlace(one: Failure, other: Failure): boolean {
  const [its, others] = [one, other].map(({ rule }) => ruleDefect(rule));
  if ((its!.concerns === 'form') !== (others!.concerns === 'form')) return false;
  if (one.rule !== other.rule && its!.concerns === 'field' && others!.concerns === 'field') return false;
  if (one.about !== undefined && one.about === other.about) return true;
  if (its!.followsFromLostEvent && others!.followsFromLostEvent) return true;
  return one.evidence.some((seq) => other.evidence.includes(seq));
}

function toRoot(group: Failure[], ids: Set<string>): Root {
  // The faults that a scenario has of its own are many: one deviation names the one that matters.
  const isSingle = ({ rule, deviations }: Failure) => rule === group[0]!.rule && deviations.length === 1;
  const hasOwnFaults = group[0]!.deviations.length === 0 && group[0]!.changes.length > 0;
  const earlier = (hasOwnFaults && group.find(isSingle)) || group[0]!;
  // Of one run: that a tool ran twice says more than that its replies did.
  const isTelling = ({ rule, exchanges }: Failure) =>
    rule === 'line/tool-runs' && exchanges === earlier.exchanges;
  const first = group.find(isTelling) ?? earlier;
  const failures = [first, ...group.filter((each) => each !== first)];
  const { rule, wait, changes } = first;
  const name = [rule, ...(wait === undefined ? [] : [`waits for ${wait}`]), ...changes].join(', ');
  let id = name;
  for (let n = 2; ids.has(id); n++) id = `${name} (${n})`;
  ids.add(id);
  const earliest = failures.reduce((one, other) => (other.schedule < one.schedule ? other : one));
  return {
    id,
    title: titleOf(first),
    failures,
    scenarios: [...new Set(failures.flatMap(({ scenarios }) => scenarios))],
    schedule: earliest.schedule,
    foundAtMs: earliest.foundAtMs,
    seen: Math.max(...failures.map(({ seen }) => seen)),
  };
}
