import { type Validator, validatorOf } from '../../../spec/json-schema/evaluate.js';
import { findViolations } from '../../../spec/json-schema/violations.js';
import { nearest } from '../../../spec/nearest.js';
import { show } from '../../../spec/show.js';
import document from '../../scenario.schema.json' with { type: 'json' };
import type { Path, Violation } from '../load/source.js';

interface FormatSchema {
  readonly [keyword: string]: unknown;
  readonly $defs: Readonly<Record<string, unknown>>;
  readonly properties: Readonly<Record<string, unknown>>;
}

export const ACTORS = ['service', 'client', 'network'] as const;
export type Actor = (typeof ACTORS)[number];

let loaded: { checkAt: (pointer: string) => Validator; verbs: Record<Actor, string[]> } | undefined;

/** Made on first use. */
function schemas() {
  if (loaded) return loaded;
  const scenario: FormatSchema = document;
  // Steps are checked one by one with the schema of their verb: a union would report every verb's violations.
  const { items: _, ...timeline } = scenario.properties.timeline as Record<string, unknown>;
  const whole = { ...scenario, properties: { ...scenario.properties, timeline } };
  const checkAt = (pointer: string) => validatorOf(whole, pointer);
  const names = Object.keys(scenario.$defs);
  const of = (actor: Actor) =>
    names.filter((name) => name.startsWith(`${actor}.`)).map((name) => name.slice(actor.length + 1));
  loaded = { checkAt, verbs: { service: of('service'), client: of('client'), network: of('network') } };
  return loaded;
}

/** The verbs an actor has, from the schema. */
export function verbsOf(actor: Actor): readonly string[] {
  return schemas().verbs[actor];
}

/** Checks everything of a scenario but the steps of its timeline. `path` leads to `value` in the file. */
export function checkFrame(value: unknown, path: Path = []): Violation[] {
  return findViolations(schemas().checkAt(''), value, path);
}

/** Checks one step, or one rule of a network file, by the schema of its verb. */
export function checkStep(step: unknown, path: Path, actors: readonly Actor[] = ACTORS): Violation[] {
  if (step === null || typeof step !== 'object' || Array.isArray(step)) {
    return [
      { path, message: `expected a step, a mapping that begins with ${list(actors)}; found ${show(step)}` },
    ];
  }
  const keys = Object.keys(step);
  const named = actors.filter((actor) => keys.includes(actor));
  if (named.length === 0) {
    const typed = keys.find((key) => nearest(key, actors) !== undefined);
    const hint = typed === undefined ? '' : `; did you mean ${nearest(typed, actors)} for "${typed}"?`;
    return [
      {
        path,
        message: `expected a step with an actor (${list(actors)}), found ${list(keys, 'and') || 'nothing'}${hint}`,
      },
    ];
  }
  if (named.length > 1) {
    return [
      {
        path,
        message: `expected one actor in a step, found ${list(named, 'and')}; make it ${named.length} steps`,
      },
    ];
  }
  const actor = named[0]!;
  const verb = (step as Record<string, unknown>)[actor];
  const verbs = verbsOf(actor);
  if (typeof verb !== 'string' || !verbs.includes(verb)) {
    const message = `${actor}: expected one of ${verbs.join(', ')}; found ${show(verb)}${didYouMean(verb, verbs)}`;
    return [{ path: [...path, actor], message }];
  }
  return findViolations(schemas().checkAt(`/$defs/${actor}.${verb}`), step, path, `step ${actor}: ${verb}`);
}

function didYouMean(typed: unknown, candidates: readonly string[]): string {
  const meant = typeof typed === 'string' ? nearest(typed, candidates) : undefined;
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

function list(words: readonly string[], last: 'or' | 'and' = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
