import { keysOf } from '../../../spec/json-pointer.js';
import type { SchemaError } from '../../../spec/json-schema/schema.js';
import { type Validator, validatorsOf } from '../../../spec/json-schema/validator.js';
import { nearest } from '../../../spec/nearest.js';
import document from '../../scenario.schema.json' with { type: 'json' };
import { type Complaint, type Path, startsWith } from '../load/source.js';
import { show } from '../show.js';

interface Schema {
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
  const scenario: Schema = document;
  // Steps are checked one by one with the schema of their verb: a union would report every verb's complaints.
  const { items: _, ...timeline } = scenario.properties.timeline as Record<string, unknown>;
  const checkAt = validatorsOf({ ...scenario, properties: { ...scenario.properties, timeline } });
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
export function checkFrame(value: unknown, path: Path = []): Complaint[] {
  return checkBy(schemas().checkAt(''), value, path);
}

/** Checks one step, or one rule of a network file, by the schema of its verb. */
export function checkStep(step: unknown, path: Path, actors: readonly Actor[] = ACTORS): Complaint[] {
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
  return checkBy(schemas().checkAt(`/$defs/${actor}.${verb}`), step, path);
}

/** A check by any schema of ours that `checkBy` can tell the mistakes of. */
export function compileSchema(schema: object): Validator {
  return validatorsOf(schema)('');
}

/** Checks a value by a schema; its `x-expected` says in words what is expected. `path` leads to `value` in the file. */
export function checkBy(check: Validator, value: unknown, path: Path = []): Complaint[] {
  const told = new Map<string, Told>();
  // `if` only says that a branch of the schema has complained, which it does itself.
  const errors = check(value).filter(({ keyword }) => keyword !== 'if');
  for (const error of errors.sort(byWeight)) {
    const complaint = complain(error, path, value);
    const key = JSON.stringify([complaint.path, own(error) ? complaint.message : '']);
    if (!told.has(key)) told.set(key, complaint);
  }
  return [...told.values()].filter((complaint) => !isMisspelt(complaint, told));
}

/** A key that is missing only because it is misspelt is told once. */
function isMisspelt({ missing, path }: Told, told: ReadonlyMap<string, Told>): boolean {
  if (missing === undefined) return false;
  return [...told.values()].some(
    ({ meant, path: other }) =>
      meant === missing && other.length === path.length + 1 && startsWith(other, path),
  );
}

/** Of several errors about one value the one that knows what was expected is told. */
function byWeight(a: SchemaError, b: SchemaError): number {
  return weight(a) - weight(b);
}

function weight(error: SchemaError): number {
  return typeof error.parentSchema['x-expected'] === 'string' ? 0 : 1;
}

/** Missing and unknown keys: each is a mistake of its own. */
function own(error: SchemaError): boolean {
  return error.keyword === 'required' || error.keyword === 'additionalProperties';
}

interface Told extends Complaint {
  missing?: string;
  /** The known key that an unknown one probably stands for. */
  meant?: string | undefined;
}

function complain(error: SchemaError, above: Path, root: unknown): Told {
  const inner = pathOf(error.instancePath);
  const path = [...above, ...inner];
  const name = label(inner, root);
  const schema = error.parentSchema;
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty);
    const known = Object.keys((schema.properties as object | undefined) ?? {});
    const meant = nearest(key, known);
    const advice = meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`;
    return {
      path: [...path, key],
      at: 'key',
      meant,
      message: `unknown key "${key}"${name && ` in ${name}`}; ${advice}`,
    };
  }
  if (error.keyword === 'required') {
    const key = String(error.params.missingProperty);
    const there = (schema.properties as Record<string, { description?: string }> | undefined)?.[key];
    const about = there?.description === undefined ? '' : `: ${there.description}`;
    return {
      path,
      missing: key,
      message: `expected the key "${key}"${name && ` in ${name}`}, which is missing${about}`,
    };
  }
  const found = show(error.data);
  if (error.keyword === 'enum') {
    const values = (error.params.allowedValues as unknown[]).map(String);
    return {
      path,
      message: `${name}: expected one of ${values.join(', ')}; found ${found}${didYouMean(error.data, values)}`,
    };
  }
  if (error.keyword === 'uniqueItems')
    return { path, message: `${name}: expected no value twice, found ${found}` };
  const expected =
    typeof schema['x-expected'] === 'string' ? schema['x-expected'] : (error.message ?? 'something else');
  const bound =
    error.keyword === 'maximum' || error.keyword === 'maxLength'
      ? `, at most ${String(error.params.limit)}`
      : '';
  return { path, message: `${name && `${name}: `}expected ${expected}${bound}; found ${found}` };
}

/** `after.polls`, `step tool_call`, `custom_tools[0]`: what people call the value. */
function label(path: Path, root: unknown): string {
  if (path.length > 0) {
    return path
      .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`))
      .join('');
  }
  const step = root as Record<string, unknown> | null;
  const actor = ACTORS.find((each) => typeof step?.[each] === 'string');
  return actor === undefined ? '' : `step ${actor}: ${String(step?.[actor])}`;
}

function pathOf(pointer: string): (string | number)[] {
  return keysOf(pointer).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

function didYouMean(typed: unknown, candidates: readonly string[]): string {
  const meant = typeof typed === 'string' ? nearest(typed, candidates) : undefined;
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

function list(words: readonly string[], last: 'or' | 'and' = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
