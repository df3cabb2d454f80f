/** What is true about the API: its description, its requirements, what it leaves open, and the protocol's words. */
import * as documents from './generated/documents.js';

/** The OpenAPI description as data; the same as `taskdouble/spec/openapi.yaml`. */
export const openapi = documents.openapi;
/** Every rule of the API as a numbered requirement. */
export const requirements = documents.requirements;
/** What the API leaves open, with the admissible choices and the mock's default. */
export const openPoints = documents.openPoints;

export * from './types.js';
export * from './vocabulary.js';
