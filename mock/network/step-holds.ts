import type { NetworkRule } from '../../scenarios/format/types.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { About } from './about.js';
import type { ActiveRule } from './rule.js';
import { describeTarget, matches } from './targets.js';
import type { Ground } from './waits.js';
import { comesToTask, gateIsOpen, HOLD_AT_MOST_MS, hasCome, hasLeft } from './waits.js';

type Hold = Extract<NetworkRule, { network: 'hold' }>;

/**
 * Steps of the service that wait. The agent asks each time that it comes to such a step; who waits for a request or an
 * answer is looked at again when it has come.
 */
export class StepHolds {
  /** Rules that hold a step now. */
  #holding = new Set<ActiveRule>();

  constructor(
    private readonly ground: () => Ground,
    /** Has a task's timeline go on. */
    private readonly goOn: (task: Task) => void,
    private readonly released: (rule: ActiveRule) => void,
  ) {}

  /** True when the step has to wait (still). A rule holds one step once, however often it may fire. */
  holds(rules: readonly ActiveRule[], task: Task, run: Run, step: string): boolean {
    let waits = false;
    for (const rule of rules) {
      if (rule.rule.network !== 'hold' || rule.rule.of?.step !== step || rule.scope?.run !== run) continue;
      if (rule.held ? this.#stillHolds(rule) : this.#begins(rule, rule.rule, task)) waits = true;
    }
    return waits;
  }

  /** What a step of the task that is held waits for, in words. */
  waitsFor(task: Task, step: string): string[] {
    return [...this.#holding].flatMap(({ rule, scope }) =>
      scope?.task === task && rule.of?.step === step ? [inWords((rule as Hold).until)] : [],
    );
  }

  isHolding(task: Task): boolean {
    for (const rule of this.#holding) if (rule.scope?.task === task) return true;
    return false;
  }

  /** A request has arrived (`arrive`), or the answer to it has left (`answer`). */
  heard(what: 'arrive' | 'answer', about: About): void {
    if (this.#holding.size === 0) return;
    for (const rule of [...this.#holding]) {
      const { task, run } = rule.scope!;
      if (this.#isGone(task)) {
        this.#holding.delete(rule);
        continue;
      }
      const { until } = rule.rule as Hold;
      const target = (until as Record<string, typeof rule.rule.of>)[what];
      if (!target || !comesToTask(target, about, task) || !matches(target, about, run)) continue;
      rule.held!.come = true;
      this.goOn(task);
    }
  }

  /** Lets go what these rules hold. */
  clear(concerns: (rule: ActiveRule) => boolean): void {
    for (const rule of [...this.#holding]) {
      if (!concerns(rule)) continue;
      this.#end(rule);
      this.goOn(rule.scope!.task);
    }
  }

  /** The tasks are about to go. */
  forget(): void {
    this.#holding.clear();
  }

  /** Takes up what a snapshot says. */
  recall(rules: readonly ActiveRule[]): void {
    this.#holding = new Set(rules.filter(({ held }) => held !== null));
  }

  #begins(active: ActiveRule, rule: Hold, task: Task): boolean {
    const { world } = this.ground();
    if (active.fired > 0 || !active.take(task, world.now)) return false;
    const latest = world.now + (rule.at_most_ms ?? HOLD_AT_MOST_MS);
    active.held = { latest, come: this.#hasCome(rule, task) };
    // Nothing is held for what is there already.
    if (latest <= world.now || this.#isOver(active)) {
      active.held = null;
      active.giveBack();
      return false;
    }
    active.fire();
    active.waiting++;
    this.#holding.add(active);
    world.plan(latest, task);
    return true;
  }

  #stillHolds(rule: ActiveRule): boolean {
    const isOver = this.#isOver(rule);
    if (!isOver && this.ground().world.now < rule.held!.latest) return true;
    if (!isOver) rule.gave_up++;
    this.#end(rule);
    return false;
  }

  #isOver({ rule, scope, held }: ActiveRule): boolean {
    const { until } = rule as Hold;
    if ('gate' in until) return gateIsOpen(until.gate, scope!.task, this.ground().world)();
    if ('step' in until) return scope!.run.happened.has(until.step);
    return held!.come;
  }

  #hasCome({ until }: Hold, task: Task): boolean {
    const { tally } = this.ground();
    if ('arrive' in until) return hasCome(until.arrive, task, tally);
    return 'answer' in until && hasLeft(until.answer, task, tally);
  }

  #end(rule: ActiveRule): void {
    this.#holding.delete(rule);
    rule.held = null;
    rule.waiting--;
    this.released(rule);
  }

  #isGone(task: Task): boolean {
    return this.ground().world.tasks.get(task.id) !== task || task.runs.length === 0;
  }
}

function inWords(until: Hold['until']): string {
  if ('gate' in until) return `gate ${until.gate} to be opened`;
  if ('step' in until) return `step ${until.step} to happen`;
  if ('answer' in until) return `the answer to ${describeTarget(until.answer)}`;
  return `${describeTarget(until.arrive)} to arrive`;
}
