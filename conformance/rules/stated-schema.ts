import { openapi } from '../../spec/generated/documents.js';
import { type Operation, type OperationId, operations } from '../../spec/generated/operations.js';
import { createValidator } from '../../spec/json-schema/evaluate.js';
import { isObject, type SchemaObject } from '../../spec/json-schema/schema.js';
import { findViolations } from '../../spec/json-schema/violations.js';
import type { JsonObject } from '../../spec/openapi-document.js';

interface StatedResponse {
  r: unknown;
  body: unknown;
}

export const SOME_RECORD: SchemaObject = { type: ['object', 'array'] };

/** Compares a success with its stated schema: the body, or the payload in the envelope. */
export function findResultMismatch(id: OperationId, { r, body }: StatedResponse): string | undefined {
  const operation = operations[id] as Operation;
  return findMismatch(operation.envelope ? r : body, readResultSchema(operation));
}

/** True if a success has the stated type, whatever its content. */
export function hasStatedType(id: OperationId, { r, body }: StatedResponse): boolean {
  const operation = operations[id] as Operation;
  const { type } = readResultSchema(operation);
  const payload = operation.envelope ? r : body;
  return type === undefined || findMismatch(payload, { type }) === undefined;
}

/** The stated schema of a success: of the body, or of the payload in the envelope. */
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

/** The part of a schema that the API itself states, without parts marked as choices of taskdouble or as known from clients. */
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

/** True for parts of a schema that no implementation may be judged by. */
export function isOpen(schema: JsonObject): boolean {
  return schema['x-taskdouble-choice'] === true || schema['x-taskdouble-source'] === 'clients';
}

/** The first mismatch: the place, what was expected and what was found. */
export function findMismatch(payload: unknown, schema: SchemaObject): string | undefined {
  const { additionalProperties: entry, ...others } = schema;
  const [violation] = findViolations(createValidator(others), payload, [], 'the payload');
  if (violation || entry === undefined || !isObject(payload)) return violation?.message;
  // A map may have other fields besides its entries: one valid entry is enough.
  const wrong = Object.entries(payload).map(
    ([name, value]) => findViolations(createValidator(entry as object), value, [], name)[0]?.message,
  );
  return wrong.includes(undefined) ? undefined : wrong[0];
}
