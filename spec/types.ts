/** Short names for the generated types of requests and responses. */
import type { components, operations as generated } from './generated/openapi.js';
import type { OperationId, OperationParams } from './generated/operations.js';

export type { OperationId } from './generated/operations.js';

/** Every named schema of the description. */
export type Schemas = components['schemas'];

/** Parameters in the path. */
export type PathParams<Op extends OperationId> = OperationParams[Op]['path'];

/** Parameters in the query, defaults filled in. */
export type QueryParams<Op extends OperationId> = OperationParams[Op]['query'];

/** Parameters in the headers (lower-case names), without the key. */
export type HeaderParams<Op extends OperationId> = OperationParams[Op]['header'];

/** The JSON body of a request; `never` for an operation without one. */
export type JsonBody<Op extends OperationId> = generated[Op] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** The body of a 2xx response; `unknown` if the API does not define it. */
export type SuccessBody<Op extends OperationId> = {
  [Status in keyof generated[Op]['responses'] & (200 | 202)]: JsonOf<generated[Op]['responses'][Status]>;
}[keyof generated[Op]['responses'] & (200 | 202)];

type JsonOf<ResponseObject> = ResponseObject extends { content: { 'application/json': infer Body } }
  ? Body
  : never;

/** A task with all fields, as the mock sends it, so that a forgotten field does not compile. */
export type CompleteTask = Required<Schemas['TaskResponse']> & { events: Schemas['Event'][] };
