import { formatSuggestion } from '../../../spec/nearest.js';
import type { Path, Violation } from '../load/source.js';

/** A step in the form of the file. */
export type RawStep = Readonly<Record<string, unknown>>;

/** What a name may refer to: a tool call, an action of the client, a step of the service, or any step. */
export type StepKind = 'call' | 'action' | 'event' | 'finish' | 'service' | 'any';

const EVENTS: readonly unknown[] = ['tool_call', 'result', 'event'];
const KINDS: Record<StepKind, readonly [called: string, is: (step: RawStep) => boolean]> = {
  call: [
    'a tool_call step',
    ({ service, name }) => service === 'tool_call' || (service === 'event' && name === 'tool_call'),
  ],
  action: [
    'an action or close step of the client',
    ({ client }) => client === 'action' || client === 'close',
  ],
  event: [
    'a service step that sends an event (tool_call, result, event)',
    ({ service }) => EVENTS.includes(service),
  ],
  finish: ['a finish step of the service', ({ service }) => service === 'finish'],
  service: ['a step of the service', ({ service }) => service !== undefined],
  any: ['a step', () => true],
};

/** The steps of a timeline by their ids. */
export class StepIndex {
  readonly duplicates: Violation[] = [];
  readonly #byId = new Map<string, { step: RawStep; index: number }>();
  readonly #eventIds = new Set<unknown>();

  constructor(steps: readonly unknown[]) {
    for (const [index, given] of steps.entries()) {
      const step = (given ?? {}) as RawStep;
      this.#eventIds.add(step.event_id);
      if (typeof step.id !== 'string') continue;
      if (this.#byId.has(step.id)) {
        const message = `id: expected a name of its own, found "${step.id}", which another step above has already`;
        this.duplicates.push({ path: ['timeline', index, 'id'], message });
      } else this.#byId.set(step.id, { step, index });
    }
  }

  /** Empty when `id` names a step of this kind (a call also goes by its event id). Values other than texts are ignored. */
  check(id: unknown, kind: StepKind, path: Path): Violation[] {
    if (typeof id !== 'string') return [];
    const found = this.#byId.get(id)?.step;
    const [called, is] = KINDS[kind];
    if (found ? is(found) : kind === 'call' && this.#eventIds.has(id)) return [];
    const expected = `${String(path.at(-1))}: expected the id of ${called}`;
    if (found) return [{ path, message: `${expected}; "${id}" is another kind of step` }];
    const advice = formatSuggestion(id, this.listIds(kind), 'give that step this `id`');
    return [{ path, message: `${expected}, found "${id}", which no step has${advice}` }];
  }

  isBelow(id: unknown, index: number): boolean {
    const found = this.#byId.get(id as string);
    return found !== undefined && found.index >= index;
  }

  listIds(kind: StepKind): string[] {
    return [...this.#byId].filter(([, { step }]) => KINDS[kind][1](step)).map(([id]) => id);
  }
}
