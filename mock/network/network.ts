import { ruleName } from '../../scenarios/leading-rules.js';
import type { NetworkRule, ServiceStep, Step } from '../../scenarios/types.js';
import type { Call } from '../call.js';
import type { Random } from '../engine/generate/random.js';
import { logEvent } from '../engine/log-event.js';
import type { Organisation } from '../engine/organisation.js';
import type { NetworkSnapshot, Packing, RemembersRules, Unpacking } from '../engine/snapshot-network.js';
import type { Run, Task } from '../engine/task.js';
import { tend } from '../engine/tend.js';
import type { NetworkPort } from '../engine/world.js';
import type { WireResponse } from '../wire.js';
import { type About, describeCall } from './about.js';
import { Held } from './held.js';
import { keepRule, recallRule } from './memory.js';
import { toReissue } from './reissues.js';
import { ActiveRule, type Overtaking, type Scope } from './rule.js';
import { type ListedRule, listed, RuleBook } from './rule-book.js';
import { StepHolds } from './step-holds.js';
import { Tally } from './tally.js';
import { anySuch, matches } from './targets.js';
import type { Tracer } from './tracer.js';
import { Trip, type Way } from './trip.js';
import { worksOnAnswers } from './verbs.js';
import type { Ground } from './waits.js';

/**
 * What may go wrong between one organisation's clients and the service, as data. Concerns API requests only, never the
 * admin API. The service's state changes when it takes a request, not when the answer leaves.
 */
export class Network implements NetworkPort, RemembersRules {
  readonly #book = new RuleBook();
  readonly #tally = new Tally();
  readonly #held: Held;
  readonly #stepHolds: StepHolds;
  readonly #way: Way;
  #known: Ground | undefined;
  #injected = 0;

  /** `onWaiting` is told each time that a request begins to wait. With a tracer all requests come by here. */
  constructor(
    private readonly organisation: () => Organisation,
    onWaiting?: (organisation: Organisation) => void,
    private readonly tracer?: Tracer,
  ) {
    this.#held = new Held(
      () => this.organisation().world,
      () => onWaiting?.(this.organisation()),
    );
    this.#stepHolds = new StepHolds(
      () => this.#ground(),
      (task) => tend(this.#world, task),
      (rule) => this.#book.retire(rule, this.#world.now),
    );
    this.#way = {
      ground: () => this.#ground(),
      held: this.#held,
      afterHandling: (trip) => this.#afterCreate(trip),
      done: (trip) => this.#done(trip),
    };
  }

  /** True while no rule is set and nobody watches: requests need not come by. */
  get idle(): boolean {
    return this.tracer === undefined && this.#book.isEmpty;
  }

  /** Requests and answers that are held or delayed now. */
  get waiting(): number {
    return this.#held.size;
  }

  /**
   * Sets the standing rules in place of those before; what those held is let go. Without `times` they fire without
   * end; `expires_ms` counts from now. The rule's `id` names it in `list`, else `rule-1`, `rule-2`, … does.
   */
  set(rules: readonly (NetworkRule & { id?: string })[]): void {
    this.clear((rule) => rule.scope === undefined);
    const { now } = this.#world;
    rules.forEach((rule, index) => {
      const name = `rule-${index + 1}`;
      this.#book.stand(new ActiveRule(rule.id ?? name, rule, undefined, now, this.#random(name)));
    });
  }

  /** The standing rules as they were set: what a snapshot keeps. */
  standing(): NetworkRule[] {
    return this.#book.all().flatMap((rule) => (rule.scope ? [] : [rule.rule]));
  }

  /** Every rule that is set, and the last that have done what they had to. */
  list(): ListedRule[] {
    const { now } = this.#world;
    return this.#book.all().map((rule) => listed(rule, now));
  }

  /** Takes one rule away by its id, those that a test gives true for, or all; lets go what they held. */
  clear(which?: string | ((rule: ActiveRule) => boolean)): void {
    const goes =
      typeof which === 'function' ? which : (rule: ActiveRule) => which === undefined || rule.id === which;
    this.#book.remove(goes);
    this.#held.clear(goes);
    this.#stepHolds.clear(goes);
  }

  /**
   * Sets a rule from a timeline. It concerns the requests of its task only, but for creates: those are the
   * organisation's, and the answer to the very create that set the rule is the first of them. Without `times` it
   * fires once. What `leadingCreateRules` has set beforehand is not set again.
   */
  arm(rule: NetworkRule, { task, run, at }: Scope & { at: number }): void {
    const index = run.steps.indexOf(rule as Step);
    const { id } = rule as { id?: string };
    const name = index === -1 ? (id ?? `injected-${++this.#injected}`) : ruleName(rule as Step, index);
    if (this.#book.leads(name, rule)) return;
    const { tasks } = this.#world;
    this.#book.arm(
      new ActiveRule(`${task.id}/${name}`, rule, { task, run }, at, this.#random(`timeline ${name}`)),
      (each) => tasks.has(each.id),
    );
  }

  /**
   * True (once, unless the rule says otherwise) when an event is to share the timestamp of the one before it. That
   * breaks the rule that timestamps strictly increase, on purpose: a poll between the two never sees the second.
   */
  takeSameInstant(task: Task, stepId: string | undefined): boolean {
    if (task.log.length === 0 || !this.#takeFor('same-instant', task, stepId)) return false;
    this.#world.setup.onNote(
      `event ${stepId ?? 'without a step id'} shares the timestamp of the event before it`,
    );
    return true;
  }

  takeAtOnce(task: Task, stepId: string | undefined): boolean {
    return this.#takeFor('at-once', task, stepId);
  }

  holdsStep(task: Task, run: Run, stepId: string): boolean {
    return !this.#book.isEmpty && this.#stepHolds.holds(this.#book.forTask(task), task, run, stepId);
  }

  /** True while a step of the task is held. */
  isHolding(task: Task): boolean {
    return this.#stepHolds.isHolding(task);
  }

  /** What a held step waits for, in words. */
  waitsFor(task: Task, step: string): string[] {
    return this.#stepHolds.waitsFor(task, step);
  }

  reissue(task: Task): void {
    if (this.#book.isEmpty) return;
    for (const rule of this.#book.forTask(task)) {
      const step = rule.rule.network === 'reissue' ? rule.rule.of?.step : undefined;
      const event = step !== undefined && rule.scope ? toReissue(rule.scope, step) : undefined;
      if (!event || !this.#fire(rule, task)) continue;
      logEvent(this.#world, task, { id: event.id, name: event.name, payload: event.payload });
      task.version++;
      this.tracer?.repeated(task, step!, this.#world.now);
      this.#world.setup.onNote(`the event of step ${step} comes again`);
    }
  }

  /** Fires the first rule of this kind that is about the step, or about any. */
  #takeFor(verb: NetworkRule['network'], task: Task, stepId: string | undefined): boolean {
    if (this.#book.isEmpty) return false;
    return this.#book.forTask(task).some((rule) => {
      const wanted = rule.rule.of?.step;
      const isMeant = rule.rule.network === verb && (wanted === undefined || wanted === stepId);
      return isMeant && this.#fire(rule, task);
    });
  }

  #fire(rule: ActiveRule, task: Task): boolean {
    const { now } = this.#world;
    if (!rule.take(task, now)) return false;
    rule.fire();
    this.#book.retire(rule, now);
    return true;
  }

  /** A step of the service has happened. */
  stepped(task: Task, run: Run, step: ServiceStep): void {
    this.tracer?.stepped(task, run, step, this.#world.now);
  }

  /** Something has changed: whoever waits for it is let go once the change is complete. */
  review(): void {
    this.#held.review();
  }

  /** The tasks are about to go: takes the timelines' rules away and lets go everything. Standing rules stay. */
  reset(): void {
    this.#book.remove((rule) => rule.scope !== undefined);
    this.#held.clear(() => true);
    this.#stepHolds.forget();
  }

  /** Everything it remembers, for snapshots. Requests that it holds are not part of it. */
  keep(packing: Packing): NetworkSnapshot {
    const rules = this.#book.placed().flatMap(({ place, rule }) => keepRule(place, rule, packing) ?? []);
    return { rules, injected: this.#injected, ...this.#tally.keep(packing) };
  }

  /** Becomes what it was; lets go what it holds now. The tasks must be there. */
  recall(memory: NetworkSnapshot, unpacking: Unpacking): void {
    this.#held.clear(() => true);
    const rules = memory.rules.flatMap((kept) => {
      const rule = recallRule(kept, unpacking, this.#random(kept.id));
      return rule ? [{ place: kept.place, rule }] : [];
    });
    this.#book.replace(rules);
    this.#stepHolds.recall(rules.map(({ rule }) => rule));
    this.#injected = memory.injected;
    this.#tally.recall(memory, unpacking);
  }

  /** A create has passed while no rule was set: it counts all the same. */
  created(): void {
    this.#tally.created();
  }

  /**
   * Carries a request to the service (`answer`, called never, once or twice) and its answer back, past every rule that
   * concerns it, in the order in which they were set: standing rules first. What was done stands in
   * `call.exchange.network`. A Promise only where something is waited for.
   *
   * @param isHandled The service has handled it already: what concerns the way there comes too late.
   */
  carry(
    call: Call,
    answer: () => WireResponse | Promise<WireResponse>,
    isHandled = false,
  ): WireResponse | Promise<WireResponse> {
    const about = describeCall(call);
    const run = this.#tally.arrived(about);
    const { now } = this.#world;
    this.tracer?.arrived(about, run, call.exchange.seq, now);
    const trip = new Trip(call, about, answer, this.#way);
    if (!isHandled) for (const rule of this.#book.concerning(about, now)) this.#aim(trip, rule, run, now);
    const tell = this.#held.hearing();
    try {
      return trip.start();
    } finally {
      // Whoever was held for this request is let go behind it, not before it.
      tell(about);
      this.#stepHolds.heard('arrive', about);
    }
  }

  #aim({ about, shots, overtakes }: Trip, rule: ActiveRule, run: Run | undefined, now: number): void {
    const overtaken = this.#overtaken(rule, about, run);
    if (overtaken) {
      overtaken.met = true;
      overtakes.push(overtaken);
      rule.passed++;
      return;
    }
    if (!rule.concerns(about, run) || !rule.take(about.task, now)) return;
    const overtaking = rule.overtakings && { task: about.task, met: false, done: false };
    if (overtaking) rule.overtakings!.add(overtaking);
    shots.push({ rule, overtaking, done: false });
  }

  /** The one that this request overtakes: the next such request does, and is not kept back itself. */
  #overtaken(rule: ActiveRule, about: About, run: Run | undefined): Overtaking | undefined {
    if (!rule.overtakings?.size || !matches(anySuch(rule.rule.of), about, rule.scope?.run ?? run))
      return undefined;
    for (const each of rule.overtakings) if (!each.met && each.task === about.task) return each;
    return undefined;
  }

  /** A timeline that begins with a rule for creates means its own: that rule is set while the create is handled. */
  #afterCreate({ about, shots }: Trip): void {
    if (about.kind !== 'create' || !about.task) return;
    for (const rule of this.#book.forCreates(about.task)) {
      if (shots.some((shot) => shot.rule === rule) || !worksOnAnswers(rule)) continue;
      if (!rule.concerns(about, rule.scope?.run)) continue;
      if (rule.take(about.task, this.#world.now)) shots.push({ rule, overtaking: undefined, done: false });
    }
  }

  #done(trip: Trip): void {
    const { about, shots, overtakes } = trip;
    const { now } = this.#world;
    this.tracer?.left(about, trip.result, trip.call.exchange.seq, now);
    for (const { rule, done, overtaking } of shots) {
      if (!done) rule.giveBack();
      if (overtaking) rule.overtakings!.delete(overtaking);
      this.#book.retire(rule, now);
    }
    for (const overtaken of overtakes) overtaken.done = true;
    this.#tally.left(about);
    this.#held.answered(about);
    this.review();
    this.#stepHolds.heard('answer', about);
  }

  #ground(): Ground {
    this.#known ??= { world: this.#world, tally: this.#tally };
    return this.#known;
  }

  get #world() {
    return this.organisation().world;
  }

  #random(name: string): () => Random {
    return () => this.#world.setup.random.fork(`network ${name}`);
  }
}
