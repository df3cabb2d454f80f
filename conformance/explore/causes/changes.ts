import type { NetworkRule, Scenario } from '../../../scenarios/format/types.js';
import { readChange } from '../../../scenarios/verbs/verbs.js';
import type { Schedule } from '../types.js';

/** Changes that affect only the order. */
const MERELY_ORDER: ReadonlySet<string> = new Set(['time', 'order']);

/** Changes that make a request fail, followed by its kind. */
const OF_REQUEST = /^(?:limited|no response|refused)$/;

/** The changes of a schedule without numbers and names: `limited poll`. Includes the faults of the scenario. Sorted and unique. */
export function collectChanges({ scenario, deviations }: Schedule): string[] {
  const changes = deviations.map(({ kind, rule }) => addRequestKind(readChange(kind).sort, rule));
  return [...new Set([...changes, ...collectScenarioChanges(scenario)])].sort();
}

function collectScenarioChanges({ timeline }: Scenario): string[] {
  return timeline.flatMap((step) => {
    if (!('network' in step)) return [];
    if (step.network === 'fail') {
      const sort = step.status === 429 ? 'limited' : step.status >= 500 ? 'no response' : 'refused';
      return [addRequestKind(sort, step)];
    }
    const isLost = step.network === 'drop' || step.network === 'garble' || step.network === 'truncate';
    return isLost ? [addRequestKind('no response', step)] : [];
  });
}

function addRequestKind(sort: string, { of }: NetworkRule): string {
  return OF_REQUEST.test(sort) ? `${sort} ${classifyRequest(of)}` : sort;
}

/** The kind of request: `poll` of `{ poll: 3 }`. Default: poll, the most frequent kind. */
function classifyRequest(of: NetworkRule['of']): string {
  const [kind = 'any', value] = Object.entries(of ?? {}).find(([, each]) => each !== undefined) ?? [];
  if (kind === 'operation') return String(value);
  return kind === 'any' ? 'poll' : kind;
}

/**
 * Whether a failure with the `fewer` changes explains one with `more`. A failure without changes explains only changes of order:
 * scenarios differ in that too.
 */
export function canExplain(fewer: readonly string[], more: readonly string[]): boolean {
  if (!fewer.every((each) => more.includes(each))) return false;
  return fewer.length > 0 || more.every((each) => MERELY_ORDER.has(each));
}

/** The kind of request that a change makes fail: `poll` of `limited poll`. */
export function findRequestKind(change: string): string | undefined {
  return /^(?:limited|no response|refused) (.+)$/.exec(change)?.[1];
}

/** The response may have nothing that the client can use. */
export function isUnusable(change: string): boolean {
  return change === 'shape' || findRequestKind(change) !== undefined;
}

/** A repeated request has a late response: if delays alone show the same failure, they are the cause. */
export function isMerelyLate(changes: readonly string[], other: readonly string[]): boolean {
  const isTime = (each: string) => each === 'time';
  return (
    changes.length > 0 &&
    changes.every(isTime) &&
    other.every((each) => isTime(each) || each.startsWith('no response '))
  );
}

/** Treats a 429 and other refusals like a missing response. */
export function normalizeRefusals(changes: readonly string[]): string[] {
  return [...new Set(changes.map((each) => each.replace(/^(?:limited|refused) /, 'no response ')))].sort();
}
