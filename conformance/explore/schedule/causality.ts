import type { Scenario, Step } from '../../../scenarios/format/types.js';
import type { TracedRequest } from './traced-run.js';

/**
 * What can only come once something else has come, as far as the timeline says it. Nothing is held for what follows
 * from it alone: such a hold never ends by itself.
 */
export class Causality {
  readonly #steps: readonly Step[];
  readonly #index = new Map<string, number>();

  constructor(scenario: Scenario) {
    this.#steps = scenario.timeline;
    scenario.timeline.forEach((step, index) => {
      if (step.id !== undefined) this.#index.set(step.id, index);
    });
  }

  /** The request cannot come before the service's step `id` has happened. */
  isStepRequired({ kind, of }: TracedRequest, id: string): boolean {
    const step = this.#findIndex(id);
    if (kind === 'reply') return typeof of.reply !== 'string' || step <= this.#findIndex(of.reply);
    if (kind !== 'action') return false;
    const before = this.#findResultBefore(of.action);
    return before === undefined ? false : step <= before;
  }

  /** The service's step `id` cannot happen before the request has been handled (`handled`) or answered. */
  isRequestRequired(id: string, { kind, of, events }: TracedRequest, until: 'handled' | 'answered'): boolean {
    const step = this.#findIndex(id);
    if (kind === 'create' || kind === 'cancel') return true;
    if (kind === 'reply' || kind === 'action') {
      // Once handled it is done: the service does not wait for the client to learn it, but for what the client does next.
      const act =
        kind === 'reply'
          ? this.#findClientStep('reply', of.reply)
          : this.#findClientStep('action', of.action);
      return until === 'handled' ? act < step : this.#findNextClientStep(act) < step;
    }
    if (kind !== 'poll') return false;
    if (until === 'handled' && this.#hasPollTrigger(step)) return true;
    // The client acts upon what this response carried: steps behind those acts wait for it.
    return events.some((event) => this.#findReaction(event) < step);
  }

  /**
   * The step `id` waits for what the client does upon one of these events. One that polls once at a time learns none of
   * them while a poll is held.
   */
  isEventRequired(id: string, events: readonly string[]): boolean {
    const step = this.#findIndex(id);
    const made = this.#steps[step];
    const waitsForResults =
      made !== undefined && 'service' in made && made.service === 'finish' && !made.at_once;
    return events.some(
      (event) => this.#findReaction(event) < step || (waitsForResults && this.#isResult(event)),
    );
  }

  #isResult(id: string): boolean {
    const step = this.#steps[this.#findIndex(id)];
    return step !== undefined && 'service' in step && step.service === 'result';
  }

  #findIndex(id: string): number {
    return this.#index.get(id) ?? -1;
  }

  /** Where the timeline waits for what the client does with the event of a step; Infinity where it does not. */
  #findReaction(event: string): number {
    const at = this.#findIndex(event);
    const step = this.#steps[at];
    if (step && 'service' in step && step.service === 'tool_call')
      return this.#findClientStep('reply', event);
    return this.#findNextClientStep(at);
  }

  #findClientStep(kind: 'reply' | 'action', which: true | string | undefined): number {
    const at = this.#steps.findIndex((step) => {
      if (!('client' in step)) return false;
      if (kind === 'reply') return step.client === 'reply' && step.to === which;
      return (step.client === 'action' || step.client === 'close') && step.id === which;
    });
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  }

  #findNextClientStep(at: number): number {
    if (at === Number.POSITIVE_INFINITY) return at;
    const next = this.#steps.findIndex((step, index) => index > at && 'client' in step);
    return next === -1 ? Number.POSITIVE_INFINITY : next;
  }

  /** Place of the result that the client waits for before it sends this action. */
  #findResultBefore(which: true | string | undefined): number | undefined {
    const action = this.#findClientStep('action', which);
    if (action === Number.POSITIVE_INFINITY) return undefined;
    const results = this.#steps.flatMap((step, index) =>
      index < action && 'service' in step && step.service === 'result' ? [index] : [],
    );
    return results.at(-1);
  }

  #hasPollTrigger(upTo: number): boolean {
    return this.#steps.some((step, index) => index <= upTo && step.after?.polls !== undefined);
  }
}
