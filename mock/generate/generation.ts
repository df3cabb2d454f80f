import type { SchemaObject } from '../../spec/json-schema/schema.js';
import type { Random } from './random.js';
import type { SchemaDocument } from './schema/document.js';

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
