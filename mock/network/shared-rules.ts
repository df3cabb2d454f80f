import type { NetworkRule } from '../../scenarios/format/types.js';
import type { NetworkedOrganisation } from './network.js';
import { assignIds } from './rule-book.js';

/** A standing rule of every organisation, with the same id in each. */
export interface SharedRule {
  id: string;
  rule: NetworkRule;
}

/**
 * The standing rules of every organisation, including those opened later. Each organisation counts separately how often a rule has fired,
 * and may remove it.
 */
export class SharedRules {
  #rules: readonly SharedRule[] = [];
  #initial: readonly NetworkRule[] = [];

  constructor(private readonly open: () => Iterable<NetworkedOrganisation>) {}

  list(): readonly SharedRule[] {
    return this.#rules;
  }

  set(rules: readonly NetworkRule[]): void {
    this.#rules = [];
    for (const { network } of this.open()) network.set([]);
    this.add(rules);
  }

  add(rules: readonly NetworkRule[]): void {
    const networks = [...this.open()].map(({ network }) => network);
    const usedIds = new Set([
      ...this.#rules.map(({ id }) => id),
      ...networks.flatMap((each) => each.listIds()),
    ]);
    const ids = assignIds(rules, usedIds);
    this.#rules = [...this.#rules, ...rules.map((rule, index) => ({ id: ids[index]!, rule }))];
    for (const network of networks) network.add(rules, ids);
  }

  /** Removes the rule `id`, or all rules, for organisations that are opened later. */
  forget(id?: string): void {
    this.#rules = id === undefined ? [] : this.#rules.filter((each) => each.id !== id);
  }

  /** Restores the rules of a snapshot for organisations that are opened later. */
  restore(rules: readonly SharedRule[]): void {
    this.#rules = rules;
  }

  applyTo({ network }: NetworkedOrganisation): void {
    if (this.#rules.length === 0) return;
    network.add(
      this.#rules.map(({ rule }) => rule),
      this.#rules.map(({ id }) => id),
    );
  }

  /** Sets the rules that `reset` restores. */
  setInitial(rules: readonly NetworkRule[]): void {
    this.#initial = rules;
    this.set(rules);
  }

  reset(): void {
    this.set(this.#initial);
  }
}
