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
