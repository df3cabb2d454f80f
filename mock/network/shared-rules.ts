import type { NetworkRule } from '../../scenarios/format/types.js';
import type { SharedCount } from './active-rule.js';
import type { Network, NetworkedOrganisation, RuleChange } from './network.js';
import { assignIds, moveBefore } from './rule-book.js';

/** A standing rule of every organisation, with the same id in each. */
export interface SharedRule {
  id: string;
  rule: NetworkRule;
  /** Present if all organisations count `times` together. */
  together?: SharedCount;
  off?: boolean;
}

/**
 * The standing rules of every organisation, including those opened later. Unless they count together, each organisation counts separately
 * how often a rule has fired. Each may remove it.
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

  add(rules: readonly NetworkRule[], isTogether = false): void {
    const networks = [...this.open()].map(({ network }) => network);
    const usedIds = new Set([
      ...this.#rules.map(({ id }) => id),
      ...networks.flatMap((each) => each.listIds()),
    ]);
    const ids = assignIds(rules, usedIds);
    const added = rules.map((rule, index): SharedRule => {
      return { id: ids[index]!, rule, ...(isTogether && { together: { used: 0, seen: 0 } }) };
    });
    this.#rules = [...this.#rules, ...added];
    for (const network of networks) addShared(network, added);
  }

  /** Changes the rule in every organisation that has it. False if there is no such rule. */
  change(id: string, change: RuleChange): boolean {
    const shared = this.#rules.find((each) => each.id === id);
    const networks = [...this.open()].flatMap(({ network }) => (network.findRule(id) ? network : []));
    if (!shared && networks.length === 0) return false;
    const changed = shared && changeShared(shared, change);
    if (changed) this.#rules = this.#rules.map((each) => (each === shared ? changed : each));
    if (change.before !== undefined) this.#rules = moveBefore(this.#rules, id, change.before);
    for (const network of networks) network.change(id, change, changed?.together);
    return true;
  }

  /** Removes the rule `id`, or all rules, for organisations that are opened later. */
  forget(id?: string): void {
    this.#rules = id === undefined ? [] : this.#rules.filter((each) => each.id !== id);
  }

  /** Restores the rules of a snapshot for organisations that are opened later, and what the open ones count together. */
  restore(rules: readonly SharedRule[]): void {
    this.#rules = rules;
    this.link();
  }

  /** Called after organisations were restored: their rules count together again. */
  link(): void {
    for (const { network } of this.open())
      for (const { id, together } of this.#rules) if (together) network.countTogether(id, together);
  }

  applyTo({ network }: NetworkedOrganisation): void {
    addShared(network, this.#rules);
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

function addShared(network: Network, rules: readonly SharedRule[]): void {
  for (const { id, rule, together, off } of rules) {
    network.add([rule], [id], { together });
    if (off) network.change(id, { enabled: false });
  }
}

function changeShared({ id, rule, together, off }: SharedRule, change: RuleChange): SharedRule {
  const { rule: changed, again, enabled = !off } = change;
  const isNew = changed !== undefined || again === true;
  return {
    id,
    rule: changed ?? rule,
    ...(together && { together: isNew ? { used: 0, seen: 0 } : together }),
    ...(!enabled && { off: true }),
  };
}
