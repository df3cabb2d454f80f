import { createValidator } from '../../../spec/json-schema/evaluate.js';
import { isObject } from '../../../spec/json-schema/schema.js';
import { findViolations } from '../../../spec/json-schema/violations.js';
import { findNearest, formatSuggestion } from '../../../spec/nearest.js';
import { show } from '../../../spec/show.js';
import document from '../../scenario.schema.json' with { type: 'json' };
import type { Path, Violation } from '../load/source.js';

export const ACTORS = ['service', 'client', 'network'] as const;
export type Actor = (typeof ACTORS)[number];

// Steps are checked one by one with the schema of their verb: a union would report every verb's violations.
const { items: _, ...timeline }: { items: unknown } = document.properties.timeline;
const schema = { ...document, properties: { ...document.properties, timeline } };
const checkWhole = createValidator(schema);

/** The verbs an actor has, from the schema. */
function listVerbs(actor: Actor): string[] {
  const names = Object.keys(document.$defs).filter((name) => name.startsWith(`${actor}.`));
  return names.map((name) => name.slice(actor.length + 1));
}

/** Checks everything of a scenario but the steps of its timeline. `path` leads to `value` in the file. */
export function checkFrame(value: unknown, path: Path = []): Violation[] {
  return findViolations(checkWhole, value, path);
}

/** Checks one step, or one rule of a network file, by the schema of its verb. */
export function checkStep(step: unknown, path: Path, actors: readonly Actor[] = ACTORS): Violation[] {
  const refuse = (message: string, at = path): Violation[] => [{ path: at, message }];
  if (!isObject(step))
    return refuse(`expected a step, a mapping that begins with ${formatList(actors)}; found ${show(step)}`);
  const keys = Object.keys(step);
  const [actor, ...others] = actors.filter((each) => keys.includes(each));
  if (actor === undefined) {
    const typed = keys.find((key) => findNearest(key, actors) !== undefined);
    const hint = typed === undefined ? '' : `; did you mean ${findNearest(typed, actors)} for "${typed}"?`;
    return refuse(`expected a step with an actor (${formatList(actors)}), found ${keys.join(', ')}${hint}`);
  }
  if (others.length > 0)
    return refuse(`expected one actor in a step, found ${[actor, ...others].join(' and ')}`);
  const verb = step[actor];
  const verbs = listVerbs(actor);
  if (verbs.includes(String(verb))) {
    const validate = createValidator(schema, `/$defs/${actor}.${verb}`);
    return findViolations(validate, step, path, `step ${actor}: ${verb}`);
  }
  const advice = formatSuggestion(verb, verbs);
  const message = `${actor}: expected one of ${verbs.join(', ')}; found ${show(verb)}${advice}`;
  return refuse(message, [...path, actor]);
}

function formatList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

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
