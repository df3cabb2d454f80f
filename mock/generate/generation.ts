import {
  isEqual,
  type Schema,
  type SchemaObject,
  TYPE_NAMES,
  type TypeName,
} from '../../spec/json-schema/schema.js';
import type { Random } from './random.js';
import type { SchemaDocument } from './schema/document.js';

const MOST_SCHEMAS = 5_000;
const MOST_HOPS = 8;

/**
 * Chooses one way to satisfy all of `schemas`: references followed, branches chosen. Negative conditions
 * (`not`, the other branches of `oneOf`) are left to chance and to the later validation. Undefined if the
 * choice contradicts itself.
 */
export function expand(
  schemas: readonly Schema[],
  { document, random }: Generation,
  place: ValueContext,
): SchemaObject[] | undefined {
  const found = new Set<SchemaObject>();
  const queue: Schema[] = [...schemas];
  for (let i = 0; i < queue.length; i++) {
    const schema = queue[i]!;
    if (schema === false || i > MOST_SCHEMAS) return undefined;
    if (schema === true || found.has(schema)) continue;
    found.add(schema);
    if (schema.$ref !== undefined) queue.push(document.resolve(schema.$ref));
    if (schema.allOf) queue.push(...schema.allOf);
    for (const branches of [schema.anyOf, schema.oneOf]) {
      if (branches) queue.push(choose(branches));
    }
    if (schema.if === undefined || (schema.then === undefined && schema.else === undefined)) continue;
    if (random.next() < 0.5) queue.push(schema.if, schema.then ?? true);
    else queue.push(schema.else ?? true);
  }
  return [...found];

  function choose(branches: readonly Schema[]): Schema {
    const { isMinimal, attempt } = place;
    if (isMinimal) {
      const flat = branches.filter((branch) => !isNested(branch, document));
      return random.pick(flat.length > 0 && attempt === 0 ? flat : branches);
    }
    const informative = branches.filter((branch) => typeof branch === 'boolean' || branch.type !== 'null');
    const from = informative.length > 0 && random.next() >= NULL_SHARE ? informative : branches;
    // Every other attempt takes the branches in turn, so that the only satisfiable branch is found; the
    // others choose at random.
    return attempt % 2 === 0 ? random.pick(from) : branches[((attempt - 1) / 2) % branches.length]!;
  }
}

/** True if every value of a schema is an object or an array: recursion may not end with it. */
function isNested(schema: Schema, { resolve }: SchemaDocument): boolean {
  let target = schema;
  for (let hops = 0; typeof target === 'object' && target.$ref !== undefined && hops < MOST_HOPS; hops++)
    target = resolve(target.$ref);
  if (typeof target === 'boolean') return !target;
  return [target.type ?? 'null'].flat().every((type) => type === 'object' || type === 'array');
}

/** Share of null if other types are allowed: null shows little of a result. */
export const NULL_SHARE = 0.1;

/** The types that all schemas allow. Null is allowed by `nullable`, too. */
export function intersectTypes(schemas: readonly SchemaObject[]): TypeName[] {
  let types: TypeName[] = [...TYPE_NAMES];
  for (const { type, nullable } of schemas) {
    if (type === undefined) continue;
    const named: TypeName[] = Array.isArray(type) ? type : [type];
    const isAllowed = (name: TypeName) =>
      named.includes(name) ||
      (name === 'integer' && named.includes('number')) ||
      (name === 'null' && nullable === true);
    types = types.filter(isAllowed);
  }
  // Every integer is a number: keeping both would count it twice.
  return types.includes('number') ? types.filter((name) => name !== 'integer') : types;
}

/** The values that `const` and `enum` allow; undefined if neither is present. */
export function intersectValues(schemas: readonly SchemaObject[]): unknown[] | undefined {
  const lists = schemas.flatMap((schema) => [
    ...(schema.enum ? [schema.enum] : []),
    ...(Object.hasOwn(schema, 'const') ? [[schema.const]] : []),
  ]);
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.some((other) => isEqual(value, other))));
}

export interface Generation {
  document: SchemaDocument;
  random: Random;
  /** Remaining work in units of about 15 µs. The run is abandoned at 0. */
  work: number;
  /** Approximate number of characters and values generated so far. */
  written: number;
  /** Why the last whole value was not valid. */
  failure: string | undefined;
}

export interface ValueContext {
  /** Name of the property: texts and numbers are chosen to suit it. */
  name: string;
  depth: number;
  /** True if the value is large or deep enough: only required parts are generated. */
  isMinimal: boolean;
  /** Counts the attempts at this place: later ones choose other branches. */
  attempt: number;
}

/** Returned if no value was found. */
export const NONE = Symbol('none');

/** Thrown to abandon a run; the message names the unsatisfied part of the schema. */
export class RunAbandoned extends Error {}

/** Reduces the remaining work of a run. Throws RunAbandoned if none is left. */
export function spend(generation: Generation, units: number): void {
  generation.work -= units;
  if (generation.work < 0) throw new RunAbandoned('a search that took too long');
}

/** The highest lower bound of the schemas, or `otherwise`. */
export function readLowerBound(schemas: readonly SchemaObject[], keyword: string, otherwise: number): number {
  return Math.max(otherwise, ...collectBounds(schemas, keyword));
}

/** The lowest upper bound of the schemas, or `otherwise`. */
export function readUpperBound(schemas: readonly SchemaObject[], keyword: string, otherwise: number): number {
  return Math.min(otherwise, ...collectBounds(schemas, keyword));
}

function collectBounds(schemas: readonly SchemaObject[], keyword: string): number[] {
  return schemas.flatMap((schema) => (schema[keyword] as number | undefined) ?? []);
}
