import { describeUntil, HOLD_AT_MOST_MS } from '../../scenarios/verbs/timing/hold.js';
import type { RuleSnapshot } from '../engine/snapshot/network.js';
import { processDueWork } from '../engine/tasks/agent.js';
import { logEvent } from '../engine/tasks/event-log.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { ActiveRule } from './active-rule.js';
import type { Network } from './network.js';
import type { NetworkRequest } from './network-request.js';
import { createCondition, type WaitCondition } from './pending-requests.js';
import type { RuleBook } from './rule-book.js';
import type { Tracer } from './tracer.js';

/** Applies rules about steps of the service (as opposed to requests). */
export class StepRules {
  #holding = new Set<ActiveRule>();

  constructor(
    private readonly book: RuleBook,
    private readonly network: Network,
    private readonly tracer: Tracer | undefined,
  ) {}

  /**
   * Fires once for a step. `same-instant`: its event shares the timestamp of the previous event. `at-once`: the completion does not wait
   * until clients had time to read the last event.
   */
  fireVerb(verb: 'same-instant' | 'at-once', task: Task, step: string | undefined): boolean {
    if (this.book.isEmpty) return false;
    return this.book.listForTask(task).some((rule) => {
      const wanted = rule.rule.of?.step;
      const isMeant = rule.rule.network === verb && (wanted === undefined || wanted === step);
      return isMeant && this.#fire(rule, task, step ?? 'without an id');
    });
  }

  /** Sends due events again. */
  reissue(task: Task): void {
    if (this.book.isEmpty) return;
    for (const rule of this.book.listForTask(task)) {
      const { verb, scope } = rule;
      const step = rule.rule.of?.step;
      const event = scope && step !== undefined ? verb.selectEvent?.(scope.task, scope.run, step) : undefined;
      if (!event || !this.#fire(rule, task, step!)) continue;
      const { organisation } = this.network;
      logEvent(task, { id: event.id, name: event.name, payload: event.payload });
      this.tracer?.traceRepeat(task, step!, organisation.now);
    }
  }

  /**
   * True while the step must wait. The agent calls this each time it reaches the step. A rule holds one step once, even if it may fire more
   * often.
   */
  holdStep(task: Task, run: Run, step: string): boolean {
    if (this.book.isEmpty) return false;
    let isHeld = false;
    for (const rule of this.book.listForTask(task)) {
      if (!rule.until || rule.rule.of?.step !== step || rule.scope?.run !== run) continue;
      if (rule.held ? this.#continueHold(rule) : this.#beginHold(rule, task, step)) isHeld = true;
    }
    return isHeld;
  }

  /** Describes the conditions of a held step. */
  listHolds(task: Task, step: string): string[] {
    return [...this.#holding].flatMap(({ rule, scope, until }) =>
      scope?.task === task && rule.of?.step === step ? [describeUntil(until!)] : [],
    );
  }

  isHolding(task: Task): boolean {
    for (const rule of this.#holding) if (rule.scope?.task === task) return true;
    return false;
  }

  /** A request has arrived (`arrive`), or its response has left (`response`). */
  reportRequest(what: 'arrive' | 'response', request: NetworkRequest): void {
    if (this.#holding.size === 0) return;
    for (const rule of [...this.#holding]) {
      const { task } = rule.scope!;
      if (this.#isGone(task)) this.#holding.delete(rule);
      else if (rule.held!.condition.onRequest?.(what, request)) processDueWork(task);
    }
  }

  clear(concerns: (rule: ActiveRule) => boolean): void {
    for (const rule of [...this.#holding]) {
      if (!concerns(rule)) continue;
      this.#endHold(rule);
      processDueWork(rule.scope!.task);
    }
  }

  /** Called before the tasks are removed. */
  forget(): void {
    this.#holding.clear();
  }

  /** Restores the step that a rule held when the snapshot was created. */
  restoreHold(rule: ActiveRule, { latest, come }: NonNullable<RuleSnapshot['held']>): void {
    rule.held = { latest, condition: this.#createCondition(rule, come) };
    rule.waiting = 1;
    this.#holding.add(rule);
  }

  #fire(rule: ActiveRule, task: Task, step: string): boolean {
    const { organisation } = this.network;
    if (!rule.isAbout(task) || !rule.claim(formatStepSubject(task, step), organisation.now)) return false;
    rule.fire();
    const note = rule.verb.formatStepNote?.(step);
    if (note !== undefined) organisation.note(note);
    return true;
  }

  #beginHold(rule: ActiveRule, task: Task, step: string): boolean {
    const { organisation } = this.network;
    if (rule.fired > 0 || !rule.claim(formatStepSubject(task, step), organisation.now)) return false;
    const { at_most_ms = HOLD_AT_MOST_MS } = rule.rule as { at_most_ms?: number };
    const latest = organisation.now + at_most_ms;
    const condition = this.#createCondition(rule);
    // Do not hold for a condition that is already met.
    if (latest <= organisation.now || condition.isMet()) {
      rule.releaseClaim();
      return false;
    }
    rule.held = { latest, condition };
    rule.fire();
    rule.waiting++;
    this.#holding.add(rule);
    organisation.plan(latest, task);
    return true;
  }

  #continueHold(rule: ActiveRule): boolean {
    const { latest, condition } = rule.held!;
    const isMet = condition.isMet();
    if (!isMet && this.network.organisation.now < latest) return true;
    if (!isMet) rule.gave_up++;
    this.#endHold(rule);
    return false;
  }

  #createCondition({ scope, until }: ActiveRule, isInitiallyMet?: boolean): WaitCondition {
    return createCondition(until!, scope!.task, scope!.run, this.network, isInitiallyMet);
  }

  #endHold(rule: ActiveRule): void {
    this.#holding.delete(rule);
    rule.held = null;
    rule.waiting--;
  }

  #isGone(task: Task): boolean {
    return this.network.organisation.tasks.get(task.id) !== task || task.runs.length === 0;
  }
}

function formatStepSubject({ seq }: Task, step: string): string {
  return `task ${seq} step ${step}`;
}
