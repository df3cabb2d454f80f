import { openapi } from '../../spec/generated/documents.js';
import { type Operation, type OperationId, operations } from '../../spec/generated/operations.js';
import { createValidator } from '../../spec/json-schema/evaluate.js';
import { isObject, type SchemaObject } from '../../spec/json-schema/schema.js';
import { findViolations } from '../../spec/json-schema/violations.js';
import type { JsonObject } from '../../spec/openapi-document.js';

/** A JSON response: its body, and what its envelope holds. */
interface StatedResponse {
  r: unknown;
  body: unknown;
}

/** A record whose fields are open is a record all the same. */
export const SOME_RECORD: SchemaObject = { type: ['object', 'array'] };

/** Where a success of the operation is not as stated: the body, or the payload in the envelope. */
export function findResultMismatch(id: OperationId, { r, body }: StatedResponse): string | undefined {
  const operation = operations[id] as Operation;
  return findMismatch(operation.envelope ? r : body, readResultSchema(operation));
}

/** True when a success is of the stated type, whatever is in it. */
export function hasStatedType(id: OperationId, { r, body }: StatedResponse): boolean {
  const operation = operations[id] as Operation;
  const { type } = readResultSchema(operation);
  const payload = operation.envelope ? r : body;
  return type === undefined || findMismatch(payload, { type }) === undefined;
}

/** What a success of the operation has to be: the body, or the payload in the envelope. */
export function readResultSchema(operation: Operation): SchemaObject {
  const path = openapi.paths[`${operation.path}`]?.[operation.method.toLowerCase()] as JsonObject;
  const responses = path.responses as Readonly<Record<string, JsonObject>>;
  const schema = readSchema(responses[String(operation.successStatuses[0])]!);
  if (!operation.envelope) return selectStated(schema);
  return selectStated((schema.properties as Readonly<Record<string, JsonObject>>).r!);
}

function readSchema(response: JsonObject): JsonObject {
  const { $ref } = response;
  if (typeof $ref === 'string') return readSchema(openapi.components.responses[readRefName($ref)]!);
  const content = response.content as Readonly<Record<string, { schema: JsonObject }>>;
  return content['application/json']!.schema;
}

function readRefName($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** As much of a schema as the API itself states: without what the description marks as a choice of ours or as known from clients. */
export function selectStated(schema: JsonObject): SchemaObject {
  if (typeof schema.$ref === 'string')
    return selectStated(openapi.components.schemas[readRefName(schema.$ref)]!);
  if (isOpen(schema)) return schema.type === 'object' ? SOME_RECORD : {};
  const { type, enum: values, anyOf, items, additionalProperties } = schema as SchemaObject;
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonObject>>);
  const closed = properties.filter(([, property]) => !isOpen(property));
  const names = closed.map(([name]) => name);
  return {
    ...(type === undefined ? {} : { type }),
    ...(values ? { enum: values } : {}),
    ...(anyOf ? { anyOf: anyOf.map((each) => selectStated(each as JsonObject)) } : {}),
    ...(items === undefined ? {} : { items: selectStated(items as JsonObject) }),
    ...(isObject(additionalProperties) ? { additionalProperties: selectStated(additionalProperties) } : {}),
    properties: Object.fromEntries(closed.map(([name, property]) => [name, selectStated(property)])),
    required: ((schema.required ?? []) as string[]).filter((name) => names.includes(name)),
  };
}

/** Marked as something that no implementation may be judged by. */
export function isOpen(schema: JsonObject): boolean {
  return schema['x-taskdouble-choice'] === true || schema['x-taskdouble-source'] === 'clients';
}

/** Where a payload is not as stated, what was expected there and what was found; undefined where it is as stated. */
export function findMismatch(payload: unknown, schema: SchemaObject): string | undefined {
  const { additionalProperties: entry, ...others } = schema;
  const [violation] = findViolations(createValidator(others), payload, [], 'the payload');
  if (violation || entry === undefined || !isObject(payload)) return violation?.message;
  // Beside the entries of a map there may be other fields: one that fits shows what it is.
  const wrong = Object.entries(payload).map(
    ([name, value]) => findViolations(createValidator(entry as object), value, [], name)[0]?.message,
  );
  return wrong.includes(undefined) ? undefined : wrong[0];
}
