import { childPointer, keysOf } from '../../../spec/json-pointer.js';
import { isObject, type Schema, type SchemaObject } from '../../../spec/json-schema/schema.js';
import type { SchemaProblem } from './problem.js';

const ONE = ['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames'];
ONE.push('unevaluatedItems', 'unevaluatedProperties', 'contentSchema');
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];
/** Keywords whose schemas look at the very value the schema itself looks at. */
const IN_PLACE = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** A schema with all its subschemas found and its references resolved. */
export interface SchemaDocument {
  root: Schema;
  /** Every object schema, with its JSON pointer. */
  pointers: Map<SchemaObject, string>;
  /** Places outside the ordinary ones that a reference made a schema of. */
  extraRoots: { schema: Schema; pointer: string }[];
  /** What a `$ref` or `$dynamicRef` names. All is one resource, so a dynamic reference resolves like a plain one. */
  resolve(reference: string): Schema;
}

/** The schemas directly inside one, with keyword and pointer. */
export function* subschemas(
  schema: SchemaObject,
  pointer: string,
): Generator<{ keyword: string; schema: Schema; pointer: string }> {
  const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isObject(value);
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    const here = childPointer(pointer, keyword);
    if (ONE.includes(keyword)) {
      if (isSchema(value)) yield { keyword, schema: value, pointer: here };
    } else if (LIST.includes(keyword) ? Array.isArray(value) : MAP.includes(keyword) && isObject(value)) {
      for (const [key, inner] of Object.entries(value as object)) {
        if (isSchema(inner)) yield { keyword, schema: inner, pointer: childPointer(here, key) };
      }
    }
  }
}

/** Finds subschemas and references. `root` must be a tree of plain JSON of bounded depth (see size.ts). */
export function readDocument(root: Schema): { document: SchemaDocument } | { problem: SchemaProblem } {
  const pointers = new Map<SchemaObject, string>();
  const anchors = new Map<string, SchemaObject>();
  const references = new Map<string, string>();
  const extraRoots: SchemaDocument['extraRoots'] = [];
  let problem: SchemaProblem | undefined;

  const walk = (start: Schema, startPointer: string) => {
    const open: [Schema, string][] = [[start, startPointer]];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [schema, pointer] = at;
      if (typeof schema === 'boolean' || pointers.has(schema)) continue;
      pointers.set(schema, pointer);
      for (const keyword of ['$anchor', '$dynamicAnchor'] as const) {
        const name = schema[keyword];
        if (typeof name !== 'string') continue;
        if (anchors.has(name) && anchors.get(name) !== schema) {
          problem ??= {
            pointer: childPointer(pointer, keyword),
            expected: 'a name used once',
            got: `"${name}" again`,
          };
        }
        anchors.set(name, schema);
      }
      for (const keyword of ['$ref', '$dynamicRef'] as const) {
        const reference = schema[keyword];
        if (typeof reference === 'string' && !references.has(reference)) {
          references.set(reference, childPointer(pointer, keyword));
        }
      }
      for (const inner of subschemas(schema, pointer)) open.push([inner.schema, inner.pointer]);
    }
  };
  walk(root, '');

  const targets = new Map<string, Schema>();
  // References found on the way are added to the map while it is gone through.
  for (const [reference, pointer] of references) {
    if (!reference.startsWith('#')) {
      const got = `"${reference.slice(0, 60)}"; nothing outside the schema is loaded`;
      return { problem: { pointer, expected: 'a reference inside the schema ("#...")', got } };
    }
    const found = find(root, anchors, reference);
    if (!found) {
      return {
        problem: {
          pointer,
          expected: 'a reference to a schema that exists',
          got: `"${reference.slice(0, 60)}"`,
        },
      };
    }
    targets.set(reference, found.schema);
    if (typeof found.schema !== 'boolean' && !pointers.has(found.schema)) {
      extraRoots.push(found);
      walk(found.schema, found.pointer);
    }
  }
  if (problem) return { problem };
  const resolve = (reference: string) => targets.get(reference) ?? false;
  return { document: { root, pointers, extraRoots, resolve } };
}

function find(root: Schema, anchors: Map<string, SchemaObject>, reference: string) {
  let fragment: string;
  try {
    fragment = decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
  if (fragment !== '' && !fragment.startsWith('/')) {
    const schema = anchors.get(fragment);
    return schema && { schema: schema as Schema, pointer: '' };
  }
  let at: unknown = root;
  for (const key of keysOf(fragment)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  if (typeof at !== 'boolean' && !isObject(at)) return undefined;
  return { schema: at as Schema, pointer: fragment };
}

/** The schemas that look at the same value as this one, because it says so: combinators and references. */
export function* inPlace(schema: SchemaObject, document: SchemaDocument): Generator<Schema> {
  if (schema.$ref !== undefined) yield document.resolve(schema.$ref);
  if (schema.$dynamicRef !== undefined) yield document.resolve(schema.$dynamicRef);
  for (const inner of subschemas(schema, '')) if (IN_PLACE.has(inner.keyword)) yield inner.schema;
}
