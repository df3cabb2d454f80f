import type { Random } from './random.js';
import type { Schema } from './schema.js';
import type { CompiledSchema } from './validate.js';

/** What one run of the generator carries along. */
export interface Growth {
  compiled: CompiledSchema;
  height(schema: Schema): number;
  random: Random;
  /** True when every value is checked where it is made, so that a mistake is mended on the spot. */
  careful: boolean;
  /** Work that is left, in units of some 15 µs. The run is given up when it is used. */
  work: number;
  /** Characters and values written so far, roughly. */
  written: number;
}

/** Thrown when a run has used up its work. */
export class OutOfWork extends Error {}

/** Takes work off the account of a run. Throws OutOfWork when there is none left. */
export function spend(growth: Growth, units: number): void {
  growth.work -= units;
  if (growth.work < 0) throw new OutOfWork();
}
