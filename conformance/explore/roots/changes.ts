import type { DeviationKind } from '../../../scenarios/verbs/verbs.js';
import type { Deviation } from '../types.js';

/** What a kind of deviation does to a client. Kinds of the same sort ask the same of it. */
const SORTS: Readonly<Record<DeviationKind, string>> = {
  limited: 'limited',
  unavailable: 'no response',
  'response-lost': 'no response',
  'request-lost': 'no response',
  garble: 'no response',
  truncate: 'no response',
  redeliver: 'listed again',
  repeat: 'listed again',
  reissue: 'listed again',
  'same-instant': 'same instant',
  shuffle: 'order',
  reshape: 'shape',
  'at-once': 'time',
  delay: 'time',
  'hold-step': 'time',
  'hold-answer': 'time',
  'late-answer': 'time',
  'hold-request': 'time',
  reorder: 'time',
};

/** Changes that decide only what comes first. */
const MERELY_ORDER: ReadonlySet<string> = new Set(['time', 'order']);

/** What these deviations change for the client, without numbers and names: `limited poll`. Sorted, each once. */
export function changesOf(deviations: readonly Deviation[]): string[] {
  const changes = deviations.map(({ kind, rule }) => {
    const sort = SORTS[kind];
    const of = sort === 'limited' || sort === 'no response' ? requestOf(rule.of) : undefined;
    return of === undefined ? sort : `${sort} ${of}`;
  });
  return [...new Set(changes)].sort();
}

/** The kind of request: `poll` of `{ poll: 3 }`. */
function requestOf(of: Deviation['rule']['of']): string {
  const [kind, value] = Object.entries(of ?? {}).find(([, each]) => each !== undefined) ?? ['request'];
  return kind === 'operation' ? String(value) : kind;
}

/**
 * Whether what the `fewer` changes show explains a run with `more`. What needs no deviation explains nothing that needs
 * one, but for a change of order: scenarios differ in that too.
 */
export function explains(fewer: readonly string[], more: readonly string[]): boolean {
  if (!fewer.every((each) => more.includes(each))) return false;
  return fewer.length > 0 || more.every((each) => MERELY_ORDER.has(each));
}

/** The kind of request that a change lets fail: `poll` of `limited poll`. */
export function requestIn(change: string): string | undefined {
  return /^(?:limited|no response) (.+)$/.exec(change)?.[1];
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

/** With a 429 read as any response that is no good. */
export function withoutLimits(changes: readonly string[]): string[] {
  return [...new Set(changes.map((each) => each.replace(/^limited /, 'no response ')))].sort();
}
