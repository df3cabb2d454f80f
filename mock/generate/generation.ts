import type { Schema } from '../../spec/json-schema/schema.js';
import type { Random } from './random.js';
import type { SchemaDocument } from './schema/document.js';

/** What one run of the generator carries along. */
export interface Generation {
  document: SchemaDocument;
  minimumDepth(schema: Schema): number;
  random: Random;
  /** True when every value is checked where it is made, so that a mistake is mended on the spot. */
  isCareful: boolean;
  /** Work that is left, in units of some 15 µs. The run is given up when it is used. */
  work: number;
  /** Characters and values written so far, roughly. */
  written: number;
}

/** Thrown when a run has used up its work. */
export class WorkLimitReached extends Error {}

/** Takes work off the account of a run. Throws WorkLimitReached when there is none left. */
export function spend(generation: Generation, units: number): void {
  generation.work -= units;
  if (generation.work < 0) throw new WorkLimitReached();
}
