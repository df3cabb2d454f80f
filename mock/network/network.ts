import { formatRuleName } from '../../scenarios/format/network/rule.js';
import type { NetworkRule, ServiceStep, Step } from '../../scenarios/format/types.js';
import { quote } from '../../spec/show.js';
import type { Organisation } from '../engine/organisation.js';
import type { NetworkSnapshot } from '../engine/snapshot/network.js';
import type { Timelines } from '../engine/snapshot/timelines.js';
import type { Run, Task } from '../engine/tasks/task.js';
import { MockError } from '../exchange/errors.js';
import type { WireResponse } from '../exchange/wire.js';
import type { RequestContext } from '../pipeline/context.js';
import type { RequestNetwork } from '../pipeline/organisations.js';
import { ActiveRule, type RuleLimits, type Scope, type SharedCount } from './active-rule.js';
import { Delivery } from './delivery.js';
import { toNetworkRequest } from './network-request.js';
import { PendingRequests } from './pending-requests.js';
import { RequestCounts } from './request-counts.js';
import { assignIds, type ListedRule, RuleBook, toListedRule } from './rule-book.js';
import { StepRules } from './step-rules.js';
import type { Tracer } from './tracer.js';

export function createMissingRule(id: string): MockError {
  return new MockError('missing', `There is no network rule ${quote(id)}.`);
}

export type NetworkedOrganisation = Organisation<Network>;

/** How to change a rule. All given parts apply. */
export interface RuleChange {
  /** False switches it off: it affects nothing, and the requests that it holds are released. */
  enabled?: boolean;
  /** Another rule in its place, under its id. Its counters start at 0. */
  rule?: NetworkRule;
  /** Its counters start at 0, and its time begins now. */
  again?: true;
  /** Puts it before the rule with this id; null: last. */
  before?: string | null;
}

/**
 * The simulated network between one organisation's clients and the service. Its rules apply to API requests, never to the admin API. The
 * service changes state when it handles a request, not when the response leaves.
 */
export class Network implements RequestNetwork {
  readonly counts = new RequestCounts();
  readonly pending: PendingRequests;
  readonly #book: RuleBook;
  readonly steps: StepRules;
  #injected = 0;

  /** `onWaiting` is called when a request begins to wait. With a tracer, no request bypasses the network. */
  constructor(
    readonly organisation: NetworkedOrganisation,
    onWaiting?: (organisation: NetworkedOrganisation) => void,
    private readonly tracer?: Tracer,
  ) {
    this.pending = new PendingRequests(organisation, () => onWaiting?.(organisation));
    this.#book = new RuleBook(organisation);
    this.steps = new StepRules(this.#book, this, tracer);
  }

  /** True without rules and tracer: requests can bypass the network. */
  get isIdle(): boolean {
    return this.tracer === undefined && this.#book.isEmpty;
  }

  get waiting(): number {
    return this.pending.size;
  }

  /**
   * Replaces the standing rules and releases their pending requests. Without `times`, a rule fires without limit; `expires_ms` counts from
   * now. `list` shows a rule by its `id`, default `rule-1`, `rule-2`, …
   */
  set(rules: readonly (NetworkRule & { id?: string })[]): void {
    this.clear((rule) => rule.scope === undefined);
    this.add(rules);
  }

  add(
    rules: readonly (NetworkRule & { id?: string })[],
    ids = assignIds(rules, new Set(this.listIds())),
    limits: RuleLimits = {},
  ): void {
    for (const [index, rule] of rules.entries()) this.#book.add(this.#createRule(ids[index]!, rule, limits));
  }

  #createRule(id: string, rule: NetworkRule, limits: RuleLimits): ActiveRule {
    const { now, random, journal } = this.organisation;
    const created = new ActiveRule(id, rule, undefined, now, random, limits);
    // A new organisation has no journal yet.
    created.afterSeq = journal?.seq ?? 0;
    return created;
  }

  findRule(id: string): ActiveRule | undefined {
    return this.#book.find(id);
  }

  /**
   * Changes a rule. Throws MockError if there is none, and for a change of a timeline's rule other than `enabled`. `together`: what a rule
   * begins to count that counts together.
   */
  change(id: string, { enabled, rule, again, before }: RuleChange, together?: SharedCount): void {
    const found = this.#book.find(id);
    if (!found) throw createMissingRule(id);
    const isReplaced = rule !== undefined || again === true;
    if (found.scope && (isReplaced || before !== undefined))
      throw new MockError(
        'invalid',
        `The rule ${quote(id)} is of a scenario: it can only be switched off and on.`,
      );
    let changed = found;
    if (isReplaced) {
      const { onlyTask } = found;
      const limits = { onlyTask, together: together ?? (found.together && { used: 0, seen: 0 }) };
      changed = this.#createRule(id, rule ?? found.rule, limits);
      changed.isOff = found.isOff;
      this.#book.replace(found, changed);
    }
    if (enabled !== undefined) changed.isOff = !enabled;
    if (before !== undefined) this.#book.move(id, before);
    if (isReplaced || changed.isOff) this.#release((each) => each === found);
  }

  /** After a snapshot was restored: the rule counts with those of other organisations. */
  countTogether(id: string, together: SharedCount): void {
    const rule = this.#book.find(id);
    if (rule?.together) rule.together = together;
  }

  listIds(): string[] {
    return this.#book.list().flatMap(({ id, scope }) => (scope ? [] : [id]));
  }

  listRules(): ActiveRule[] {
    return this.#book.list();
  }

  /** All rules, including exhausted ones. */
  list(): ListedRule[] {
    const { now } = this.organisation;
    return this.#book.list().map((rule) => toListedRule(rule, now));
  }

  /** Removes the rule with an id, the rules that satisfy a predicate, or all; releases their pending requests. */
  clear(which?: string | ((rule: ActiveRule) => boolean)): void {
    const isRemoved =
      typeof which === 'function' ? which : (rule: ActiveRule) => which === undefined || rule.id === which;
    this.#book.remove(isRemoved);
    this.#release(isRemoved);
  }

  #release(isReleased: (rule: ActiveRule) => boolean): void {
    this.pending.clear(isReleased);
    this.steps.clear(isReleased);
  }

  /**
   * Sets a rule from a timeline. It applies to requests of its task only, except for creates: those belong to the organisation, and the
   * create that set the rule is the first of them. Without `times` it fires once. Rules that `leadingCreateRules` has already set are
   * skipped.
   */
  addTimelineRule(rule: NetworkRule, { task, run, at }: Scope & { at: number }): void {
    const index = run.steps.indexOf(rule as Step);
    const { id } = rule as { id?: string };
    const name = index === -1 ? (id ?? `injected-${++this.#injected}`) : formatRuleName(rule as Step, index);
    if (this.#book.hasLeadingRule(name, rule)) return;
    this.#book.add(new ActiveRule(`${task.id}/${name}`, rule, { task, run }, at, this.organisation.random));
  }

  reportStep(task: Task, run: Run, step: ServiceStep): void {
    this.tracer?.traceStep(task, run, step, this.organisation.now);
  }

  /** Releases requests whose condition is met, once the current change is complete. */
  review(): void {
    this.pending.review();
  }

  /** Called before tasks are removed: removes the timelines' rules and releases all requests. Standing rules stay. */
  reset(): void {
    this.#book.remove((rule) => rule.scope !== undefined);
    this.pending.clear(() => true);
    this.steps.forget();
  }

  /** For snapshots. Does not include pending requests. */
  toSnapshot(timelines: Timelines): NetworkSnapshot {
    const rules = this.#book.list().flatMap((rule) => rule.toSnapshot(timelines) ?? []);
    return { rules, injected: this.#injected, ...this.counts.toSnapshot(timelines) };
  }

  /** Restores a snapshot and releases pending requests. The tasks must be restored first. */
  restore(memory: NetworkSnapshot, timelines: Timelines): void {
    this.pending.clear(() => true);
    this.#book.remove(() => true);
    this.steps.forget();
    for (const kept of memory.rules) {
      const rule = ActiveRule.restore(kept, timelines, this.organisation.random);
      if (!rule) continue;
      this.#book.add(rule);
      if (kept.held) this.steps.restoreHold(rule, kept.held);
    }
    this.#injected = memory.injected;
    this.counts.restore(memory, timelines);
  }

  /**
   * Delivers a request to the service (`respond`: called never, once or twice) and returns its response. Applies matching rules in the
   * order in which they were set, standing rules first, and lists their effects in `context.exchange.network`. Returns a Promise only if
   * something waits.
   *
   * @param isHandled The service has already handled the request: only rules for the response apply.
   */
  deliver(
    context: RequestContext,
    respond: () => WireResponse | Promise<WireResponse>,
    isHandled = false,
  ): WireResponse | Promise<WireResponse> {
    const request = toNetworkRequest(context);
    const run = this.counts.recordArrival(request);
    const { now } = this.organisation;
    this.tracer?.traceArrival(request, run, context.exchange.seq, now);
    const delivery = new Delivery(context, request, respond, this);
    if (!isHandled)
      for (const rule of this.#book.listForRequest(request)) delivery.addMatchingRule(rule, run);
    context.isAffected = delivery.hits.length > 0;
    const announce = this.pending.createArrivalReporter();
    try {
      return delivery.start();
    } finally {
      // Requests that waited for this one are released after it.
      announce(request);
      this.steps.reportRequest('arrive', request);
    }
  }

  addLateRules(delivery: Delivery): void {
    const { kind, task } = delivery.request;
    if (kind !== 'create' || !task) return;
    for (const rule of this.#book.listForCreates(task)) delivery.addLateRule(rule);
  }

  completeDelivery({ context, request, hits, result }: Delivery): void {
    const steps = hits.flatMap(({ rule, isDone }) => (isDone && rule.step !== undefined ? [rule.step] : []));
    this.tracer?.traceDeparture(request, result, steps, context.exchange.seq, this.organisation.now);
    for (const { rule, isDone } of hits) if (!isDone) rule.releaseClaim();
    this.counts.recordDeparture(request);
    this.pending.reportResponse(request);
    this.review();
    this.steps.reportRequest('response', request);
  }
}
