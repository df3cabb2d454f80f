import { nearest } from '../../../spec/nearest.js';
import type { Path, Violation } from './source.js';

/** A step as it stands in the file. */
export type RawStep = Readonly<Record<string, unknown>>;

/** What a name may refer to: a tool call, an action of the client, a step of the service, or any step. */
export type StepKind = 'call' | 'action' | 'event' | 'finish' | 'service' | 'any';

const CALLED: Record<StepKind, string> = {
  call: 'a tool_call step',
  action: 'an action or close step of the client',
  event: 'a service step that sends an event (tool_call, result, event)',
  finish: 'a finish step of the service',
  service: 'a step of the service',
  any: 'a step',
};

/** The steps of a timeline by their ids. */
export class Steps {
  readonly #byId = new Map<string, { step: RawStep; index: number }>();
  readonly #eventIds = new Set<string>();
  readonly #duplicates: Violation[] = [];

  constructor(steps: readonly unknown[]) {
    steps.forEach((given, index) => {
      const step = given as RawStep | null | undefined;
      if (typeof step?.event_id === 'string') this.#eventIds.add(step.event_id);
      if (typeof step?.id !== 'string') return;
      if (this.#byId.has(step.id)) {
        const message = `id: expected a name of its own, found "${step.id}", which another step above has already`;
        this.#duplicates.push({ path: ['timeline', index, 'id'], message });
      } else this.#byId.set(step.id, { step, index });
    });
  }

  duplicates(): Violation[] {
    return this.#duplicates;
  }

  /** Undefined when `id` names a step of this kind (a call also goes by its event id). */
  find(id: string, kind: StepKind, path: Path): Violation | undefined {
    const found = this.#byId.get(id)?.step;
    if (found && isOf(found, kind)) return undefined;
    if (!found && kind === 'call' && this.#eventIds.has(id)) return undefined;
    const key = String(path.at(-1));
    if (found)
      return { path, message: `${key}: expected the id of ${CALLED[kind]}; "${id}" is another kind of step` };
    const meant = nearest(id, this.ids(kind));
    const advice = meant === undefined ? 'give that step this `id`' : `did you mean ${meant}?`;
    return {
      path,
      message: `${key}: expected the id of ${CALLED[kind]}, found "${id}", which no step has; ${advice}`,
    };
  }

  isBelow(id: string, index: number): boolean {
    const found = this.#byId.get(id);
    return found !== undefined && found.index >= index;
  }

  ids(kind: StepKind): string[] {
    return [...this.#byId].filter(([, { step }]) => isOf(step, kind)).map(([id]) => id);
  }
}

function isOf(step: RawStep, kind: StepKind): boolean {
  switch (kind) {
    case 'call':
      return step.service === 'tool_call' || (step.service === 'event' && step.name === 'tool_call');
    case 'action':
      return step.client === 'action' || step.client === 'close';
    case 'event':
      return step.service === 'tool_call' || step.service === 'result' || step.service === 'event';
    case 'finish':
      return step.service === 'finish';
    case 'service':
      return step.service !== undefined;
    case 'any':
      return true;
  }
}
