import { describeProblem } from '../../scenarios/format/invalid-file.js';
import { writeDurations } from '../../scenarios/format/network/rule.js';
import type { NetworkRule, Problem } from '../../scenarios/format/types.js';
import { quote } from '../../spec/show.js';
import { MockError } from '../exchange/errors.js';
import type { ListedRule, SharedRule } from '../network/rule-book.js';
import type { MockService } from '../service.js';

export interface NetworkView {
  organisation: string;
  rules: ListedRule[];
}

/** The part of a mock or proxy that `MockNetwork` uses. */
type NetworkService = Pick<MockService, 'organisations' | 'sharedRules'>;

/**
 * The network rules of a mock's organisations. With a key, methods concern the organisation of this API key; without one, all
 * organisations, including those that are opened later.
 */
export class MockNetwork {
  readonly #service: NetworkService;

  constructor(service: NetworkService) {
    this.#service = service;
  }

  /** The current rules with their counters. A key that was never used has none. */
  list(key?: string): NetworkView[] {
    return this.#service.organisations
      .selectOpen(key)
      .map(({ name, network }) => ({ organisation: name, rules: network.list() }));
  }

  /** The shared rules, set without a key: every new organisation starts with them. */
  forAll(): readonly SharedRule[] {
    return this.#service.sharedRules.list();
  }

  /** Replaces the standing rules: objects or text in the form of a network file, or shorthand such as `fail 503 of poll times 3`. */
  async set(rules: string | object, key?: string): Promise<NetworkView[]> {
    const read = await readValidRules(rules);
    if (key === undefined) this.#service.sharedRules.set(read);
    else for (const { network } of this.#service.organisations.select(key)) network.set(read);
    return this.list(key);
  }

  /** Adds standing rules to the existing ones, in the forms that `set` accepts. */
  async add(rules: string | object, key?: string): Promise<NetworkView[]> {
    const read = await readValidRules(rules);
    if (key === undefined) this.#service.sharedRules.add(read);
    else for (const { network } of this.#service.organisations.select(key)) network.add(read);
    return this.list(key);
  }

  /** Removes the rule `id`, or all rules, and releases their pending requests. */
  clear(key?: string, id?: string): NetworkView[] {
    const { organisations, sharedRules } = this.#service;
    const selected = organisations.select(key);
    const lists = [
      ...selected.map(({ network }) => network.list()),
      ...(key === undefined ? [this.forAll()] : []),
    ];
    if (id !== undefined && !lists.some((list) => list.some((rule) => rule.id === id)))
      throw new MockError('missing', `There is no network rule ${quote(id)}.`);
    for (const { network } of selected) network.clear(id);
    if (key === undefined) sharedRules.forget(id);
    return this.list(key);
  }
}

/** Throws MockError with all problems. */
async function readValidRules(given: string | object): Promise<NetworkRule[]> {
  const { rules, problems } = await readRules(given, 'rules');
  if (problems.length > 0) throw new MockError('invalid', problems.map(describeProblem).join('\n'));
  return rules;
}

/**
 * Reads network rules: the text of a network file, or its contents as objects. Accepts loaded rules too: their durations name the unit
 * (`time_ms`).
 */
export async function readRules(
  given: string | object,
  file: string,
): Promise<{ rules: NetworkRule[]; problems: Problem[] }> {
  const { loadNetworkText } = await import('../../scenarios/format/network/shorthand.js');
  if (typeof given === 'string') return loadNetworkText(given, { file });
  const written = Array.isArray(given) ? given.map(writeDurations) : given;
  return loadNetworkText(JSON.stringify(written, null, 2), { file, isObject: true });
}
