import type { Scenario, Step } from '../../../scenarios/format/types.js';
import type { TracedRequest } from './traced-run.js';

/** Dependencies between events according to the timeline. A hold must not wait for its own consequence: it would never end. */
export class Causality {
  readonly #steps: readonly Step[];
  readonly #index = new Map<string, number>();

  constructor(scenario: Scenario) {
    this.#steps = scenario.timeline;
    scenario.timeline.forEach((step, index) => {
      if (step.id !== undefined) this.#index.set(step.id, index);
    });
  }

  /** The request cannot arrive before the service's step `id`. */
  isStepRequired({ kind, of }: TracedRequest, id: string): boolean {
    const step = this.#findIndex(id);
    if (kind === 'reply') return typeof of.reply !== 'string' || step <= this.#findIndex(of.reply);
    if (kind !== 'action') return false;
    const before = this.#findResultBefore(of.action);
    return before === undefined ? false : step <= before;
  }

  /** The service's step `id` cannot happen before the request is handled (`handled`) or its response is sent (`responded`). */
  isRequestRequired(
    id: string,
    { kind, of, events }: TracedRequest,
    until: 'handled' | 'responded',
  ): boolean {
    const step = this.#findIndex(id);
    if (kind === 'create' || kind === 'cancel') return true;
    if (kind === 'reply' || kind === 'action') {
      // A handled request has its effect: the service waits only for the client's next step.
      const act =
        kind === 'reply'
          ? this.#findClientStep('reply', of.reply)
          : this.#findClientStep('action', of.action);
      return until === 'handled' ? act < step : this.#findNextClientStep(act) < step;
    }
    if (kind !== 'poll') return false;
    if (until === 'handled' && this.#hasPollTrigger(step)) return true;
    // The client reacts to this response: steps after its reaction depend on it.
    return events.some((event) => this.#findReaction(event) < step);
  }

  /** The step `id` depends on the client's reaction to one of these events. A client that polls sequentially sees none of them during a hold. */
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

  /** Index of the client's step that reacts to the event of a step; Infinity if there is none. */
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

  /** Index of the result that the client awaits before it sends this action. */
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
