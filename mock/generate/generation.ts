import type { SchemaObject } from '../../spec/json-schema/schema.js';
import type { Random } from './random.js';
import type { SchemaDocument } from './schema/document.js';

/** State of one run of the generator. */
export interface Generation {
  document: SchemaDocument;
  random: Random;
  /** True when every value is validated where it is generated, so that it can be replaced there. */
  isCareful: boolean;
  /** Remaining work in units of about 15 µs. The run is abandoned at 0. */
  work: number;
  /** Characters and values written so far, roughly. */
  written: number;
}

/** Where a value is made, and how. */
export interface ValueContext {
  /** The property that it is for: texts and numbers are chosen to suit it. */
  name: string;
  depth: number;
  /** True when the value has grown large or deep enough: only what must be there is made. */
  isMinimal: boolean;
  /** Counts the tries at this place: later ones take other branches. */
  attempt: number;
}

/** Says that no value was found. */
export const NONE = Symbol('none');

/** Thrown to abandon a run; the message says what the schema has that no value was found for. */
export class RunAbandoned extends Error {}

/** Reduces the remaining work of a run. Throws RunAbandoned when none is left. */
export function spend(generation: Generation, units: number): void {
  generation.work -= units;
  if (generation.work < 0) throw new RunAbandoned('a search that took too long');
}

/** The highest of the lower bounds that the schemas give, or `otherwise`. */
export function readLowerBound(schemas: readonly SchemaObject[], keyword: string, otherwise: number): number {
  return Math.max(otherwise, ...collectBounds(schemas, keyword));
}

/** The lowest of the upper bounds that the schemas give, or `otherwise`. */
export function readUpperBound(schemas: readonly SchemaObject[], keyword: string, otherwise: number): number {
  return Math.min(otherwise, ...collectBounds(schemas, keyword));
}

function collectBounds(schemas: readonly SchemaObject[], keyword: string): number[] {
  return schemas.flatMap((schema) => (schema[keyword] as number | undefined) ?? []);
}
