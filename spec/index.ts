/** The API: its description, its requirements, its open points, and the vocabulary of the protocol. */

export * from './dialect.js';
/**
 * `openapi`: the OpenAPI description as data, the same as `taskdouble/spec/openapi.yaml`. `requirements`: every rule of
 * the API, numbered. `openPoints`: what the API leaves open, with the admissible choices and the mock's default.
 */
export {
  type DialectChoices,
  openapi,
  openPoints,
  type RequirementId,
  requirements,
} from './generated/documents.js';
export type { JsonObject, OpenApiDocument } from './openapi-document.js';
export * from './requirement-types.js';
export * from './types.js';
export * from './vocabulary.js';
