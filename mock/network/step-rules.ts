import type { NetworkRule } from '../../scenarios/format/types.js';
import { logEvent } from '../engine/tasks/log-event.js';
import type { Task } from '../engine/tasks/task.js';
import type { World } from '../engine/world.js';
import { toReissue } from './reissues.js';
import type { ActiveRule } from './rule.js';
import type { RuleBook } from './rule-book.js';
import type { Tracer } from './tracer.js';

/** The rules that are about steps of the service and not about requests: they fire when the step happens. */
export class StepRules {
  constructor(
    private readonly book: RuleBook,
    private readonly world: () => World,
    private readonly tracer: Tracer | undefined,
  ) {}

  /**
   * True (once, unless the rule says otherwise) when an event is to share the timestamp of the one before it. That
   * breaks the rule that timestamps strictly increase, on purpose: a poll between the two never sees the second.
   */
  takeSameInstant(task: Task, stepId: string | undefined): boolean {
    if (task.log.length === 0 || !this.#takeFor('same-instant', task, stepId)) return false;
    this.world().setup.onNote(
      `event ${stepId ?? 'without a step id'} shares the timestamp of the event before it`,
    );
    return true;
  }

  takeAtOnce(task: Task, stepId: string | undefined): boolean {
    return this.#takeFor('at-once', task, stepId);
  }

  reissue(task: Task): void {
    if (this.book.isEmpty) return;
    for (const rule of this.book.forTask(task)) {
      const step = rule.rule.network === 'reissue' ? rule.rule.of?.step : undefined;
      const event = step !== undefined && rule.scope ? toReissue(rule.scope, step) : undefined;
      if (!event || !this.#fire(rule, task)) continue;
      logEvent(this.world(), task, { id: event.id, name: event.name, payload: event.payload });
      task.version++;
      this.tracer?.repeated(task, step!, this.world().now);
      this.world().setup.onNote(`the event of step ${step} comes again`);
    }
  }

  /** Fires the first rule of this kind that is about the step, or about any. */
  #takeFor(verb: NetworkRule['network'], task: Task, stepId: string | undefined): boolean {
    if (this.book.isEmpty) return false;
    return this.book.forTask(task).some((rule) => {
      const wanted = rule.rule.of?.step;
      const isMeant = rule.rule.network === verb && (wanted === undefined || wanted === stepId);
      return isMeant && this.#fire(rule, task);
    });
  }

  #fire(rule: ActiveRule, task: Task): boolean {
    const { now } = this.world();
    if (!rule.take(task, now)) return false;
    rule.fire();
    this.book.retire(rule, now);
    return true;
  }
}
