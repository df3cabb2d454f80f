import { describeProblem } from '../../scenarios/format/invalid-file.js';
import { writeDurations } from '../../scenarios/format/network/rule.js';
import type { NetworkRule, Problem } from '../../scenarios/format/types.js';
import { MockError } from '../exchange/errors.js';
import { explainRules, type RuleExplanation } from '../network/explain-rule.js';
import { createMissingRule, type RuleChange } from '../network/network.js';
import type { ListedRule } from '../network/rule-book.js';
import type { SharedRule } from '../network/shared-rules.js';
import type { MockService } from '../service.js';

export interface NetworkView {
  organisation: string;
  rules: ListedRule[];
}

export interface AddRuleOptions {
  /** Only requests of this task. */
  task?: string | undefined;
  /** `together`: `times` counts the requests of all organisations together. Default: each organisation counts on its own. */
  count?: 'together' | undefined;
}

/** `rule`: in the forms that `set` accepts. */
export type RuleChangeInput = Omit<RuleChange, 'rule'> & { rule?: string | object };

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
  async add(
    rules: string | object,
    key?: string,
    { task, count }: AddRuleOptions = {},
  ): Promise<NetworkView[]> {
    const read = await readValidRules(rules);
    const { organisations, sharedRules } = this.#service;
    if (count !== undefined && (key !== undefined || task !== undefined))
      throw new MockError(
        'invalid',
        'count is for rules of all organisations: leave out the key and the task.',
      );
    if (task !== undefined) {
      organisations.requireTask(task, key);
      const owner = organisations.selectOpen(key).find(({ tasks }) => tasks.has(task))!;
      owner.network.add(read, undefined, { onlyTask: task });
    } else if (key === undefined) sharedRules.add(read, count === 'together');
    else for (const { network } of organisations.select(key)) network.add(read);
    return this.list(key);
  }

  /** Changes the rule `id`: of one organisation, or without a key of every organisation that has it. */
  async change(id: string, { rule, ...change }: RuleChangeInput, key?: string): Promise<NetworkView[]> {
    const read =
      rule === undefined
        ? undefined
        : await readValidRules(typeof rule === 'string' || Array.isArray(rule) ? rule : [rule]);
    if (read && read.length !== 1)
      throw new MockError('invalid', `rule: expected one rule, got ${read.length}.`);
    const { organisations, sharedRules } = this.#service;
    const whole: RuleChange = { ...change, ...(read && { rule: read[0]! }) };
    if (key !== undefined) for (const { network } of organisations.select(key)) network.change(id, whole);
    else if (!sharedRules.change(id, whole)) throw createMissingRule(id);
    return this.list(key);
  }

  /** Why rules did not act, or how often they did: one (`id`), or all. */
  explain(key?: string, id?: string): RuleExplanation[] {
    const { organisations } = this.#service;
    const all = organisations.selectOpen(undefined);
    const explained = organisations
      .selectOpen(key)
      .flatMap((organisation) => explainRules(organisation, all, id));
    if (id !== undefined && explained.length === 0) throw createMissingRule(id);
    return explained;
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
      throw createMissingRule(id);
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
