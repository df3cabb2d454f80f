import type { Schema, SchemaObject, TypeName } from '../../spec/json-schema/schema.js';
import type { SchemaDocument } from './schema/document.js';

/**
 * How many levels the flattest value of each schema has at least: Infinity where a schema asks for itself without end,
 * or is false. Lets the generator find its way out of recursion.
 */
export function minimumDepths(document: SchemaDocument): (schema: Schema) => number {
  const depths = new Map<SchemaObject, number>();
  const of = (schema: Schema): number => {
    if (typeof schema === 'boolean') return schema ? 0 : Number.POSITIVE_INFINITY;
    return depths.get(schema) ?? Number.POSITIVE_INFINITY;
  };
  // Inner schemas come later in the map, so going backwards settles all but recursion in one round. Every round that
  // changes anything settles at least one level of recursion for good.
  const nodes = [...document.pointers.keys()].reverse();
  for (let round = 0, changed = true; changed && round < ROUNDS; round++) {
    changed = false;
    for (const schema of nodes) {
      const minimumDepth = measure(schema, document, of);
      if (minimumDepth < of(schema)) {
        depths.set(schema, minimumDepth);
        changed = true;
      }
    }
  }
  return of;
}

/** Bounds the work where references are chained in the most unlucky order. */
const ROUNDS = 500;

function measure(schema: SchemaObject, document: SchemaDocument, of: (schema: Schema) => number): number {
  const all: number[] = [0];
  if (schema.$ref !== undefined) all.push(of(document.resolve(schema.$ref)));
  if (schema.$dynamicRef !== undefined) all.push(of(document.resolve(schema.$dynamicRef)));
  for (const inner of schema.allOf ?? []) all.push(of(inner));
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (branches) all.push(Math.min(...branches.map(of)));
  }
  if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined)) {
    const yes = Math.max(of(schema.if), of(schema.then ?? true));
    all.push(Math.min(yes, schema.if === true ? Number.POSITIVE_INFINITY : of(schema.else ?? true)));
  }
  if (!hasScalar(schema))
    all.push(1 + Math.min(minimumDepthAsObject(schema, of), minimumDepthAsArray(schema, of)));
  return Math.max(...all);
}

/** True when something other than an object or array may do. */
function hasScalar(schema: SchemaObject): boolean {
  if (schema.const !== undefined || schema.enum !== undefined || schema.nullable === true) return true;
  if (schema.type === undefined) return true;
  const types: TypeName[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.some((type) => type !== 'object' && type !== 'array');
}

function minimumDepthAsObject(schema: SchemaObject, of: (schema: Schema) => number): number {
  if (schema.type !== 'object' && !schema.type?.includes('object')) return Number.POSITIVE_INFINITY;
  let minimumDepth = 0;
  for (const name of schema.required ?? []) {
    const own =
      schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (own !== undefined) minimumDepth = Math.max(minimumDepth, of(own));
  }
  return minimumDepth;
}

function minimumDepthAsArray(schema: SchemaObject, of: (schema: Schema) => number): number {
  if (schema.type !== 'array' && !schema.type?.includes('array')) return Number.POSITIVE_INFINITY;
  const least = schema.minItems ?? 0;
  const prefix = (schema.prefixItems ?? []).slice(0, least).map(of);
  const rest = least > (schema.prefixItems?.length ?? 0) ? of(schema.items ?? true) : 0;
  const contains = schema.contains !== undefined && schema.minContains !== 0 ? of(schema.contains) : 0;
  return Math.max(0, rest, contains, ...prefix);
}
