import { parseDuration } from '../../scenarios/duration.js';
import type { Organisation } from '../engine/organisation.js';
import type { Records } from '../engine/records.js';

/** How long ago: `90m`, `36h`, or ms. */
export type Ago = string | number;

/** An organisation that is being furnished. The ids made up here have a seed of their own: what comes later keeps its ids. */
export class Furnishing {
  readonly records: Records;
  readonly #random;

  constructor(readonly organisation: Organisation) {
    this.records = organisation.records;
    this.#random = organisation.world.setup.random.fork('fixtures');
  }

  /** The id that is given, or a new one. */
  id(given?: string): string {
    return given ?? this.#random.uuid();
  }

  between(least: number, most: number): number {
    return this.#random.int(least, most);
  }

  /** The time so long ago, ms; not before 1970. */
  at(ago: Ago = 0): number {
    return Math.max(0, this.organisation.world.now - (parseDuration(ago) ?? 0));
  }
}
