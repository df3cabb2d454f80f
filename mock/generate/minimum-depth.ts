import type { Schema, SchemaObject } from '../../spec/json-schema/schema.js';
import type { SchemaDocument } from './schema/document.js';

type DepthOf = (schema: Schema) => number;

/**
 * The minimum depth of a value of each schema: Infinity where a schema requires itself endlessly,
 * or is false. The generator uses it to end recursion.
 */
export function minimumDepths(document: SchemaDocument): DepthOf {
  const depths = new Map<SchemaObject, number>();
  const of: DepthOf = (schema) => {
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

function measure(schema: SchemaObject, document: SchemaDocument, of: DepthOf): number {
  const all: number[] = [0];
  if (schema.$ref !== undefined) all.push(of(document.resolve(schema.$ref)));
  for (const inner of schema.allOf ?? []) all.push(of(inner));
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (branches) all.push(Math.min(...branches.map(of)));
  }
  if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined)) {
    const yes = Math.max(of(schema.if), of(schema.then ?? true));
    all.push(Math.min(yes, schema.if === true ? Number.POSITIVE_INFINITY : of(schema.else ?? true)));
  }
  if (!hasScalar(schema)) all.push(1 + Math.min(depthAsObject(schema, of), depthAsArray(schema, of)));
  return Math.max(...all);
}

/** True when something other than an object or array may do. */
function hasScalar({ type, nullable, enum: list, ...schema }: SchemaObject): boolean {
  if (type === undefined || nullable === true || list !== undefined || schema.const !== undefined)
    return true;
  return [type].flat().some((each) => each !== 'object' && each !== 'array');
}

function depthAsObject({ type, required = [], properties = {} }: SchemaObject, of: DepthOf): number {
  if (![type].flat().includes('object')) return Number.POSITIVE_INFINITY;
  const named = required.filter((name) => Object.hasOwn(properties, name));
  return Math.max(0, ...named.map((name) => of(properties[name]!)));
}

function depthAsArray(schema: SchemaObject, of: DepthOf): number {
  const { type, minItems = 0, prefixItems = [], items = true, contains = true, minContains = 1 } = schema;
  if (![type].flat().includes('array')) return Number.POSITIVE_INFINITY;
  const prefix = prefixItems.slice(0, minItems).map(of);
  const rest = minItems > prefixItems.length ? of(items) : 0;
  return Math.max(0, rest, minContains > 0 ? of(contains) : 0, ...prefix);
}
