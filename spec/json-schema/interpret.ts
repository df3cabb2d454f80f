import { ARRAY } from './arrays.js';
import { OBJECT } from './objects.js';
import { ANY, isOfType, NUMBER, STRING } from './scalars.js';
import {
  Evaluated,
  isObject,
  type Keyword,
  type Keywords,
  type Place,
  type Schema,
  type SchemaError,
  type SchemaNode,
  type Walk,
  type WalkOptions,
} from './walk.js';

export type { Schema, SchemaError, SchemaNode, WalkOptions } from './walk.js';

/**
 * Holds a value against a schema of draft 2020-12 without making code of it: for pages whose content security policy
 * forbids that, and a third of the size of a validator that does. What is wrong, in the words of ajv; the first complaint
 * alone unless `all` are asked for. Empty where the value fits. Throws what `resolve` throws, and RangeError for what
 * is nested too deep.
 */
export function interpret(schema: Schema, value: unknown, options: WalkOptions): SchemaError[] {
  const errors: SchemaError[] = [];
  const walk: Walk = {
    ...options,
    errors,
    check: (inner, part, at, evaluated) => checkPlace(walk, inner, part, at, evaluated),
    fail(place, keyword, message, params = {}) {
      const { node, value: data, at } = place;
      errors.push({ keyword, instancePath: at, message, params, parentSchema: node, data });
      return false;
    },
  };
  walk.check(schema, value, '');
  return errors;
}

function checkPlace(walk: Walk, schema: Schema, value: unknown, at: string, outer?: Evaluated): boolean {
  if (schema === true) return true;
  const node: SchemaNode = schema === false ? {} : schema;
  const asks = node['unevaluatedProperties'] !== undefined || node['unevaluatedItems'] !== undefined;
  // What lies around this schema is none of its business: it begins anew, and tells what it has seen.
  const evaluated = asks ? new Evaluated() : outer;
  const place: Place = { node, value, at, evaluated };
  if (schema === false) return walk.fail(place, 'false schema', 'boolean schema is false');
  let fits = isOfType(value, node);
  if (!fits) {
    walk.fail(place, 'type', `must be ${String(node['type'])}`, { type: node['type'] });
    if (!walk.all) return false;
  }
  fits = look(walk, place, IN_PLACE) && fits;
  if (fits || walk.all) fits = look(walk, place, keywordsFor(value)) && fits;
  if (asks && fits) outer?.add(evaluated);
  return fits;
}

function keywordsFor(value: unknown): Keywords {
  if (typeof value === 'string') return STRING;
  if (Number.isFinite(value)) return NUMBER;
  if (Array.isArray(value)) return ARRAY;
  return isObject(value) ? OBJECT : [];
}

function look(walk: Walk, place: Place, keywords: Keywords): boolean {
  let fits = true;
  for (const [name, keyword] of keywords) {
    const given = place.node[name];
    if (given === undefined || keyword(walk, place, given as never)) continue;
    fits = false;
    if (!walk.all) return false;
  }
  return fits;
}

const reference: Keyword = (walk, { value, at, evaluated }, to: string) =>
  walk.check(walk.resolve(to), value, at, evaluated);

const allOf: Keyword = (walk, { value, at, evaluated }, schemas: Schema[]) => {
  let fits = true;
  for (const schema of schemas) {
    if (walk.check(schema, value, at, evaluated)) continue;
    fits = false;
    if (!walk.all) return false;
  }
  return fits;
};

/** The schemas that a value fits, by their place in the list. What those it fits have seen counts. */
function passing(
  walk: Walk,
  { value, at, evaluated }: Place,
  schemas: readonly Schema[],
  most: number,
): number[] {
  const found: number[] = [];
  for (const [index, schema] of schemas.entries()) {
    const seen = evaluated && new Evaluated();
    if (!walk.check(schema, value, at, seen)) continue;
    evaluated?.add(seen);
    found.push(index);
    if (found.length === most && !evaluated) break;
  }
  return found;
}

const anyOf: Keyword = (walk, place, schemas: Schema[]) => {
  const before = walk.errors.length;
  if (passing(walk, place, schemas, 1).length === 0)
    return walk.fail(place, 'anyOf', 'must match a schema in anyOf');
  walk.errors.length = before;
  return true;
};

const oneOf: Keyword = (walk, place, schemas: Schema[]) => {
  const before = walk.errors.length;
  const found = passing(walk, place, schemas, 2);
  if (found.length !== 1) {
    const params = { passingSchemas: found.length === 0 ? null : found.slice(0, 2) };
    return walk.fail(place, 'oneOf', 'must match exactly one schema in oneOf', params);
  }
  walk.errors.length = before;
  return true;
};

const not: Keyword = (walk, place, schema: Schema) => {
  const before = walk.errors.length;
  const fits = walk.check(schema, place.value, place.at);
  walk.errors.length = before;
  return !fits || walk.fail(place, 'not', 'must NOT be valid');
};

const condition: Keyword = (walk, place, schema: Schema) => {
  const { node, value, at, evaluated } = place;
  const before = walk.errors.length;
  const seen = evaluated && new Evaluated();
  const holds = walk.check(schema, value, at, seen);
  walk.errors.length = before;
  if (holds) evaluated?.add(seen);
  const clause = holds ? 'then' : 'else';
  const next = node[clause] as Schema | undefined;
  if (next === undefined || walk.check(next, value, at, evaluated)) return true;
  return walk.fail(place, 'if', `must match "${clause}" schema`, { failingKeyword: clause });
};

/** Keywords that look at the very value, whatever it is. */
const IN_PLACE: Keywords = [
  ['$dynamicRef', reference],
  ['$ref', reference],
  ...ANY,
  ['not', not],
  ['anyOf', anyOf],
  ['oneOf', oneOf],
  ['allOf', allOf],
  ['if', condition],
];
