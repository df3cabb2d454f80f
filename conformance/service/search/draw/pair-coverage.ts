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
  readonly #pairs: ReadonlyMap<OperationId, Set<OperationId>>;
  /** By operation: the possible states, and whether a request was sent in each. */
  readonly #states = new Map<OperationId, Map<string, boolean>>();
  /** Operations with a state in which no request was sent. */
  readonly #incomplete = new Set<OperationId>();

  /** `builders`: what the sequences may contain. */
  constructor(builders: readonly CommandBuilder[]) {
    this.#pairs = new Map(builders.map(({ operation }) => [operation, new Set()]));
    for (const { operation, of, states } of builders) {
      const all = of ? listStates(of, states, operation) : [];
      const known = this.#states.get(operation) ?? [];
      this.#states.set(operation, new Map([...known, ...all.map((state) => [state, false] as const)]));
      if (all.length > 0) this.#incomplete.add(operation);
    }
  }

  /** `before`: the operations that the sequence has sent. `states`: of the resource. */
  add(operation: OperationId, before: ReadonlySet<OperationId>, states: readonly string[]): void {
    const known = this.#pairs.get(operation);
    for (const each of before) known?.add(each);
    const own = this.#states.get(operation);
    for (const state of states) if (own?.get(state) === false) own.set(state, true);
    if (own && ![...own.values()].includes(false)) this.#incomplete.delete(operation);
  }

  /** The number of the earlier operations that this one has not followed in any sequence. */
  countNew(operation: OperationId, before: ReadonlySet<OperationId>): number {
    const known = this.#pairs.get(operation);
    if (!known) return 0;
    let isNew = 0;
    for (const each of before) if (!known.has(each)) isNew++;
    return isNew;
  }

  /** The number of operations that have not followed this one in any sequence. */
  countNewAfter(operation: OperationId): number {
    let count = 0;
    for (const known of this.#pairs.values()) if (!known.has(operation)) count++;
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
  countNewPairs(all: readonly OperationId[]): number {
    return all.reduce((sum, each) => {
      const known = this.#pairs.get(each);
      return known ? sum + all.filter((earlier) => !known.has(earlier)).length : sum;
    }, 0);
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
    for (const [operation, known] of this.#pairs)
      for (const before of this.#pairs.keys())
        if (!known.has(before)) add([before, operation], `${before}, then ${operation}`);
    for (const [operation, own] of this.#states)
      for (const [state, isSent] of own) if (!isSent) add([operation], `${operation} (${state})`);
    return [...uncovered];
  }

  get figures(): PairFigures {
    const states = [...this.#states.values()].flatMap((own) => [...own.values()]);
    return {
      pairs: [...this.#pairs.values()].reduce((sum, { size }) => sum + size, 0),
      of_pairs: this.#pairs.size ** 2,
      states: states.filter(Boolean).length,
      of_states: states.length,
    };
  }
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
