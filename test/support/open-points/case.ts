import { openapi } from '../../../spec/generated/documents.js';
import type { PointClient } from './client.js';

/** An open point: the requests of a client, and the expected observation for each choice. */
interface PointCase {
  /** Resolves to the observation, which is compared with `expected`. */
  observe(client: PointClient): Promise<unknown>;
  /** By choice or number. */
  expected: Readonly<Record<string, unknown>>;
  /** Choices of other points that make this point observable. */
  given?: Readonly<Record<string, unknown>>;
}

export type PointCases = Readonly<Record<string, PointCase>>;

/** Field names of a schema in openapi.yaml, sorted. */
export function listDescribedFields(schema: string): string[] {
  return Object.keys(openapi.components.schemas[schema]?.properties as object).sort();
}

/** Sorted. */
export function listFields(record: object): string[] {
  return Object.keys(record).sort();
}
