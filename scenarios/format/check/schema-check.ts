import { validatorOf } from '../../../spec/json-schema/evaluate.js';
import { isObject } from '../../../spec/json-schema/schema.js';
import { findViolations } from '../../../spec/json-schema/violations.js';
import { nearest } from '../../../spec/nearest.js';
import { show } from '../../../spec/show.js';
import document from '../../scenario.schema.json' with { type: 'json' };
import type { Path, Violation } from '../load/source.js';

export const ACTORS = ['service', 'client', 'network'] as const;
export type Actor = (typeof ACTORS)[number];

// Steps are checked one by one with the schema of their verb: a union would report every verb's violations.
const { items: _, ...timeline }: { items: unknown } = document.properties.timeline;
const schema = { ...document, properties: { ...document.properties, timeline } };
const checkWhole = validatorOf(schema);

/** The verbs an actor has, from the schema. */
function verbsOf(actor: Actor): string[] {
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
    return refuse(`expected a step, a mapping that begins with ${list(actors)}; found ${show(step)}`);
  const keys = Object.keys(step);
  const named = actors.filter((actor) => keys.includes(actor));
  if (named.length === 0) {
    const typed = keys.find((key) => nearest(key, actors) !== undefined);
    const hint = typed === undefined ? '' : `; did you mean ${nearest(typed, actors)} for "${typed}"?`;
    const found = list(keys, 'and') || 'nothing';
    return refuse(`expected a step with an actor (${list(actors)}), found ${found}${hint}`);
  }
  if (named.length > 1)
    return refuse(`expected one actor in a step, found ${list(named, 'and')}; make it ${named.length} steps`);
  const actor = named[0]!;
  const verb = step[actor];
  const verbs = verbsOf(actor);
  if (typeof verb === 'string' && verbs.includes(verb)) {
    const validate = validatorOf(schema, `/$defs/${actor}.${verb}`);
    return findViolations(validate, step, path, `step ${actor}: ${verb}`);
  }
  const meant = typeof verb === 'string' ? nearest(verb, verbs) : undefined;
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  return refuse(`${actor}: expected one of ${verbs.join(', ')}; found ${show(verb)}${advice}`, [
    ...path,
    actor,
  ]);
}

function list(words: readonly string[], last: 'or' | 'and' = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
