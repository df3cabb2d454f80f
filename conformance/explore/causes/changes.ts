import type { NetworkRule, Scenario } from '../../../scenarios/format/types.js';
import { readChange } from '../../../scenarios/verbs/verbs.js';
import type { Schedule } from '../types.js';

/** Changes that decide only what comes first. */
const MERELY_ORDER: ReadonlySet<string> = new Set(['time', 'order']);

/** Changes that let a request fail: its kind stands behind them. */
const OF_REQUEST = /^(?:limited|no response|refused)$/;

/**
 * What a schedule changes for the client, without numbers and names: `limited poll`. The faults of the scenario itself count
 * like deviations. Sorted, each once.
 */
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

/** The kind of request: `poll` of `{ poll: 3 }`. Most requests are polls. */
function classifyRequest(of: NetworkRule['of']): string {
  const [kind = 'any', value] = Object.entries(of ?? {}).find(([, each]) => each !== undefined) ?? [];
  if (kind === 'operation') return String(value);
  return kind === 'any' ? 'poll' : kind;
}

/**
 * Whether what the `fewer` changes show explains a run with `more`. What needs no deviation explains nothing that needs
 * one, but for a change of order: scenarios differ in that too.
 */
export function canExplain(fewer: readonly string[], more: readonly string[]): boolean {
  if (!fewer.every((each) => more.includes(each))) return false;
  return fewer.length > 0 || more.every((each) => MERELY_ORDER.has(each));
}

/** The kind of request that a change lets fail: `poll` of `limited poll`. */
export function findRequestKind(change: string): string | undefined {
  return /^(?:limited|no response|refused) (.+)$/.exec(change)?.[1];
}

/** Whether a client may find nothing in the response that it can use. */
export function isUnusable(change: string): boolean {
  return change === 'shape' || findRequestKind(change) !== undefined;
}

/** A request that is sent again has its response later: where late things show the same, that is what it shows. */
export function isMerelyLate(changes: readonly string[], other: readonly string[]): boolean {
  const isTime = (each: string) => each === 'time';
  return (
    changes.length > 0 &&
    changes.every(isTime) &&
    other.every((each) => isTime(each) || each.startsWith('no response '))
  );
}

/** With a 429 and other refusals read as any response that is no good. */
export function normalizeRefusals(changes: readonly string[]): string[] {
  return [...new Set(changes.map((each) => each.replace(/^(?:limited|refused) /, 'no response ')))].sort();
}
