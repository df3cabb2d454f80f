import { openapi } from '../../../spec/generated/documents.js';
import type { PointClient } from './client.js';

/** How an open point shows: what a client does, and what it sees of each choice. */
export interface PointCase {
  /** What the client sees; compared with `seen`. */
  observe(client: PointClient): Promise<unknown>;
  /** By choice, or by number, what it must see. */
  expected: Readonly<Record<string, unknown>>;
  /** What other points must be like for this one to show. */
  given?: Readonly<Record<string, unknown>>;
}

export type PointCases = Readonly<Record<string, PointCase>>;

/** Names of the fields that openapi.yaml gives a record, sorted. */
export function listDescribedFields(schema: string): string[] {
  return Object.keys(openapi.components.schemas[schema]?.properties as object).sort();
}

/** Names of the fields that a record has, sorted. */
export function listFields(record: object): string[] {
  return Object.keys(record).sort();
}
