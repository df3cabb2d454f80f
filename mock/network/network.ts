import { ruleName } from '../../scenarios/format/network/leading-rules.js';
import type { NetworkRule, ServiceStep, Step } from '../../scenarios/format/types.js';
import type { Organisation } from '../engine/organisation.js';
import type { NetworkSnapshot } from '../engine/snapshot/network.js';
import type { Timelines } from '../engine/snapshot/timelines.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { World } from '../engine/world.js';
import type { Random } from '../generate/random.js';
import type { RequestContext } from '../pipeline/context.js';
import type { WireResponse } from '../pipeline/wire.js';
import { ActiveRule, type Scope } from './active-rule.js';
import { Delivery, type DeliveryContext } from './delivery.js';
import { describeRequest } from './network-request.js';
import { PendingRequests } from './pending-requests.js';
import { RequestCounts } from './request-counts.js';
import { type ListedRule, listed, RuleBook } from './rule-book.js';
import { StepRules } from './step-rules.js';
import type { Tracer } from './tracer.js';

/**
 * What may go wrong between one organisation's clients and the service, as data. Concerns API requests only, never the
 * admin API. The service's state changes when it takes a request, not when the answer leaves.
 */
export class Network implements DeliveryContext {
  readonly counts = new RequestCounts();
  readonly pending: PendingRequests;
  readonly #book = new RuleBook();
  readonly steps: StepRules;
  #injected = 0;

  /** `onWaiting` is called each time that a request begins to wait. With a tracer all requests come by here. */
  constructor(
    private readonly organisation: () => Organisation,
    onWaiting?: (organisation: Organisation) => void,
    private readonly tracer?: Tracer,
  ) {
    this.pending = new PendingRequests(this, () => onWaiting?.(this.organisation()));
    this.steps = new StepRules(this.#book, this, tracer);
  }

  /** Of an organisation that is there only once it is asked for. */
  get world(): World {
    return this.organisation().world;
  }

  /** True while no rule is set and nobody watches: requests need not come by. */
  get idle(): boolean {
    return this.tracer === undefined && this.#book.isEmpty;
  }

  /** Requests and responses that are held or delayed now. */
  get waiting(): number {
    return this.pending.size;
  }

  /**
   * Sets the standing rules in place of those before; what those held is released. Without `times` they fire without
   * end; `expires_ms` counts from now. The rule's `id` names it in `list`, else `rule-1`, `rule-2`, … does.
   */
  set(rules: readonly (NetworkRule & { id?: string })[]): void {
    this.clear((rule) => rule.scope === undefined);
    const { now } = this.world;
    rules.forEach((rule, index) => {
      const name = `rule-${index + 1}`;
      this.#book.add(new ActiveRule(rule.id ?? name, rule, undefined, now, this.#random(name)));
    });
  }

  /** The standing rules as they were set: what a snapshot keeps. */
  standing(): NetworkRule[] {
    return this.#book.all().flatMap((rule) => (rule.scope ? [] : [rule.rule]));
  }

  /** Every rule that is set, and the last that have done what they had to. */
  list(): ListedRule[] {
    const { now } = this.world;
    return this.#book.all().map((rule) => listed(rule, now));
  }

  /** Takes one rule away by its id, those that a test gives true for, or all; releases what they held. */
  clear(which?: string | ((rule: ActiveRule) => boolean)): void {
    const goes =
      typeof which === 'function' ? which : (rule: ActiveRule) => which === undefined || rule.id === which;
    this.#book.remove(goes);
    this.pending.clear(goes);
    this.steps.clear(goes);
  }

  /**
   * Sets a rule from a timeline. It concerns the requests of its task only, but for creates: those are the
   * organisation's, and the response to the very create that set the rule is the first of them. Without `times` it
   * fires once. What `leadingCreateRules` has set beforehand is not set again.
   */
  arm(rule: NetworkRule, { task, run, at }: Scope & { at: number }): void {
    const index = run.steps.indexOf(rule as Step);
    const { id } = rule as { id?: string };
    const name = index === -1 ? (id ?? `injected-${++this.#injected}`) : ruleName(rule as Step, index);
    if (this.#book.leads(name, rule)) return;
    const { tasks } = this.world;
    this.#book.add(
      new ActiveRule(`${task.id}/${name}`, rule, { task, run }, at, this.#random(`timeline ${name}`)),
      (each) => tasks.has(each.id),
    );
  }

  /** A step of the service has happened. */
  stepped(task: Task, run: Run, step: ServiceStep): void {
    this.tracer?.stepped(task, run, step, this.world.now);
  }

  /** Something has changed: what waits for it is released once the change is complete. */
  review(): void {
    this.pending.review();
  }

  /** The tasks are about to go: takes the timelines' rules away and releases everything. Standing rules stay. */
  reset(): void {
    this.#book.remove((rule) => rule.scope !== undefined);
    this.pending.clear(() => true);
    this.steps.forget();
  }

  /** Everything it remembers, for snapshots. Requests that it holds are not part of it. */
  keep(timelines: Timelines): NetworkSnapshot {
    const rules = this.#book.all().flatMap((rule) => rule.keep(timelines) ?? []);
    return { rules, injected: this.#injected, ...this.counts.keep(timelines) };
  }

  /** Becomes what it was; releases what it holds now. The tasks must be there. */
  recall(memory: NetworkSnapshot, timelines: Timelines): void {
    this.pending.clear(() => true);
    this.#book.remove(() => true);
    this.steps.forget();
    for (const kept of memory.rules) {
      const rule = ActiveRule.recall(kept, timelines, this.#random(kept.id));
      if (!rule) continue;
      this.#book.add(rule);
      if (kept.held) this.steps.recall(rule, kept.held);
    }
    this.#injected = memory.injected;
    this.counts.recall(memory, timelines);
  }

  /**
   * Carries a request to the service (`answer`, called never, once or twice) and its answer back, past every rule that
   * concerns it, in the order in which they were set: standing rules first. What was done stands in
   * `context.exchange.network`. A Promise only where something is waited for.
   *
   * @param isHandled The service has handled it already: what concerns the way there comes too late.
   */
  carry(
    context: RequestContext,
    answer: () => WireResponse | Promise<WireResponse>,
    isHandled = false,
  ): WireResponse | Promise<WireResponse> {
    const request = describeRequest(context);
    const run = this.counts.arrived(request);
    const { now } = this.world;
    this.tracer?.arrived(request, run, context.exchange.seq, now);
    const delivery = new Delivery(context, request, answer, this);
    if (!isHandled) for (const rule of this.#book.concerning(request, now)) delivery.meet(rule, run);
    const announce = this.pending.listeners();
    try {
      return delivery.start();
    } finally {
      // What was held for this request is released behind it, not before it.
      announce(request);
      this.steps.heard('arrive', request);
    }
  }

  afterHandling(delivery: Delivery): void {
    const { kind, task } = delivery.request;
    if (kind !== 'create' || !task) return;
    for (const rule of this.#book.forCreates(task)) delivery.meetLate(rule);
  }

  done({ context, request, hits, overtakes, result }: Delivery): void {
    const { now } = this.world;
    this.tracer?.left(request, result, context.exchange.seq, now);
    for (const { rule, isDone, overtaking } of hits) {
      if (!isDone) rule.giveBack();
      if (overtaking) rule.overtakings!.delete(overtaking);
      this.#book.retire(rule, now);
    }
    for (const overtaken of overtakes) overtaken.done = true;
    this.counts.left(request);
    this.pending.answered(request);
    this.review();
    this.steps.heard('answer', request);
  }

  #random(name: string): () => Random {
    return () => this.world.setup.random.fork(`network ${name}`);
  }
}
