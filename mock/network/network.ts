import { ruleName } from '../../scenarios/format/network/leading-rules.js';
import type { NetworkRule, ServiceStep, Step } from '../../scenarios/format/types.js';
import type { Organisation } from '../engine/organisation.js';
import type { NetworkSnapshot, Packing, RemembersRules, Unpacking } from '../engine/snapshot/network.js';
import { processDueWork } from '../engine/tasks/due-work.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { NetworkPort } from '../engine/world.js';
import type { Random } from '../generate/random.js';
import type { RequestContext } from '../pipeline/context.js';
import type { WireResponse } from '../pipeline/wire.js';
import { describeCall } from './about.js';
import { aim, aimAtAnswer } from './aim.js';
import { Held } from './held.js';
import { keepRule, recallRule } from './memory.js';
import { ActiveRule, type Scope } from './rule.js';
import { type ListedRule, listed, RuleBook } from './rule-book.js';
import { StepHolds } from './step-holds.js';
import { StepRules } from './step-rules.js';
import { Tally } from './tally.js';
import type { Tracer } from './tracer.js';
import { Trip, type Way } from './trip.js';
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
  readonly #stepRules: StepRules;
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
      (task) => processDueWork(this.#world, task),
      (rule) => this.#book.retire(rule, this.#world.now),
    );
    this.#stepRules = new StepRules(this.#book, () => this.#world, tracer);
    this.#way = {
      ground: () => this.#ground(),
      held: this.#held,
      afterHandling: (trip) => {
        const { kind, task } = trip.about;
        if (kind === 'create' && task) aimAtAnswer(trip, this.#book.forCreates(task), this.#world.now);
      },
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

  takeSameInstant(task: Task, stepId: string | undefined): boolean {
    return this.#stepRules.takeSameInstant(task, stepId);
  }

  takeAtOnce(task: Task, stepId: string | undefined): boolean {
    return this.#stepRules.takeAtOnce(task, stepId);
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
    this.#stepRules.reissue(task);
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
   * `context.exchange.network`. A Promise only where something is waited for.
   *
   * @param isHandled The service has handled it already: what concerns the way there comes too late.
   */
  carry(
    context: RequestContext,
    answer: () => WireResponse | Promise<WireResponse>,
    isHandled = false,
  ): WireResponse | Promise<WireResponse> {
    const about = describeCall(context);
    const run = this.#tally.arrived(about);
    const { now } = this.#world;
    this.tracer?.arrived(about, run, context.exchange.seq, now);
    const trip = new Trip(context, about, answer, this.#way);
    if (!isHandled) for (const rule of this.#book.concerning(about, now)) aim(trip, rule, run, now);
    const tell = this.#held.hearing();
    try {
      return trip.start();
    } finally {
      // Whoever was held for this request is let go behind it, not before it.
      tell(about);
      this.#stepHolds.heard('arrive', about);
    }
  }

  #done(trip: Trip): void {
    const { about, shots, overtakes } = trip;
    const { now } = this.#world;
    this.tracer?.left(about, trip.result, trip.context.exchange.seq, now);
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
