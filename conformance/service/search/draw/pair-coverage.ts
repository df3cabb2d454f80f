import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import type { CommandBuilder } from '../../operations/definitions.js';
import { type ResourceName, resources } from '../../operations/resources.js';

/** A request to the resource was refused by design, for example one with the key of another organisation. */
export const REFUSED = 'refused before';
const TASK_STATES = ['session', 'one-shot', 'waiting', 'closing', 'over', 'gone'];

export interface PairFigures {
  pairs: number;
  of_pairs: number;
  states: number;
  of_states: number;
}

/** Covered pairs: two operations, one after the other in a sequence, and an operation and a state of its resource. */
export class PairCoverage {
  /** By operation: those that it has not followed, and those that have not followed it. Few are left soon. */
  readonly #newBefore: ReadonlyMap<OperationId, Set<OperationId>>;
  readonly #newAfter: ReadonlyMap<OperationId, Set<OperationId>>;
  readonly #sent = new Map<OperationId, number>();
  /** By operation: the possible states, and whether a request was sent in each. */
  readonly #states = new Map<OperationId, Map<string, boolean>>();
  /** Operations with a state in which no request was sent. */
  readonly #incomplete = new Set<OperationId>();

  /** `builders`: what the sequences may contain. */
  constructor(builders: readonly CommandBuilder[]) {
    const operations = new Set(builders.map(({ operation }) => operation));
    const pairWithAll = () => new Map([...operations].map((each) => [each, new Set(operations)]));
    this.#newBefore = pairWithAll();
    this.#newAfter = pairWithAll();
    for (const { operation, of, states } of builders) {
      const all = of ? listStates(of, states, operation) : [];
      const known = this.#states.get(operation) ?? [];
      this.#states.set(operation, new Map([...known, ...all.map((state) => [state, false] as const)]));
      if (all.length > 0) this.#incomplete.add(operation);
    }
  }

  /** `before`: the operations that the sequence has sent. `states`: of the resource. */
  add(operation: OperationId, before: ReadonlySet<OperationId>, states: readonly string[]): void {
    this.#sent.set(operation, this.countSent(operation) + 1);
    const left = this.#newBefore.get(operation);
    if (left && left.size > 0)
      for (const each of before) if (left.delete(each)) this.#newAfter.get(each)!.delete(operation);
    const own = this.#states.get(operation);
    for (const state of states) if (own?.get(state) === false) own.set(state, true);
    if (own && ![...own.values()].includes(false)) this.#incomplete.delete(operation);
  }

  countSent(operation: OperationId): number {
    return this.#sent.get(operation) ?? 0;
  }

  /** The number of the earlier operations that this one has not followed in any sequence. */
  countNew(operation: OperationId, before: ReadonlySet<OperationId>): number {
    const left = this.#newBefore.get(operation);
    return left ? countShared(left, before) : 0;
  }

  /** The number of these operations that have not followed this one in any sequence. Those that were never possible do not count. */
  countNewAfter(operation: OperationId, later: ReadonlySet<OperationId>): number {
    let count = 0;
    for (const each of this.#newAfter.get(operation) ?? [])
      if (this.#sent.has(each) && later.has(each)) count++;
    return count;
  }

  /** The same as a share of the earlier operations. */
  computeNewShare(operation: OperationId, before: ReadonlySet<OperationId>): number {
    return before.size === 0 ? 0 : this.countNew(operation, before) / before.size;
  }

  /** Whether no request of the operation was sent in one of these states. */
  hasNewState(operation: OperationId, states: () => readonly string[]): boolean {
    if (!this.#incomplete.has(operation)) return false;
    const own = this.#states.get(operation);
    return states().some((state) => own?.get(state) === false);
  }

  /** The number of pairs of these operations that no sequence has sent. */
  countNewPairs(operations: ReadonlySet<OperationId>): number {
    let count = 0;
    for (const each of operations) count += this.countNew(each, operations);
    return count;
  }

  /**
   * What no sequence has sent: `deleteFile, then getAttachment`, `updateTask (closing)`. What is missing of an operation that the
   * service refuses is one entry.
   */
  listUncovered(isRefused: (operation: OperationId) => boolean): string[] {
    const uncovered = new Set<string>();
    const add = (operations: readonly OperationId[], what: string) => {
      const refused = operations.find(isRefused);
      uncovered.add(refused ? `what has ${refused}, which the service refuses` : what);
    };
    for (const [operation, left] of this.#newBefore)
      for (const before of left) add([before, operation], `${before}, then ${operation}`);
    for (const [operation, own] of this.#states)
      for (const [state, isSent] of own) if (!isSent) add([operation], `${operation} (${state})`);
    return [...uncovered];
  }

  get figures(): PairFigures {
    const states = [...this.#states.values()].flatMap((own) => [...own.values()]);
    const left = [...this.#newBefore.values()].reduce((sum, { size }) => sum + size, 0);
    const of_pairs = this.#newBefore.size ** 2;
    return {
      pairs: of_pairs - left,
      of_pairs,
      states: states.filter(Boolean).length,
      of_states: states.length,
    };
  }
}

export function countShared<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): number {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  let count = 0;
  for (const each of smaller) if (larger.has(each)) count++;
  return count;
}

function listStates(
  kind: ResourceName,
  given: readonly string[] | undefined,
  operation: OperationId,
): string[] {
  const isRemovable = resources[kind].remove !== undefined;
  const states = given ? [...given] : kind === 'task' ? TASK_STATES : ['there'];
  if (isRemovable && !states.includes('gone')) states.push('gone');
  return operations[operation].method === 'GET' ? states : [...states, REFUSED];
}
