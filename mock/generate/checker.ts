import type { Schema } from './schema.js';

/** What a value, or a schema, lacks: of what every validator tells, what is passed on to people. */
export interface Complaint {
  keyword: string;
  /** JSON pointer to the value. */
  instancePath: string;
  message?: string | undefined;
  params: object;
}

/**
 * Holds a value against one schema of a document: its root or one below. The first complaint, or undefined when it fits
 * or the schema is none of the document's. Throws TooManySteps, and RangeError for what is nested too deep.
 */
export type Checker = (schema: Schema, value: unknown) => Complaint | undefined;

/** References followed in one validation. What is recursive on both sides could otherwise take exponential time. */
export const MOST_FOLLOWED = 100_000;

/** Thrown when more references were followed than may be. */
export class TooManySteps extends Error {}
