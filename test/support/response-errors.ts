import { openapi } from '../../spec/generated/documents.js';
import { type OperationId, operations } from '../../spec/generated/operations.js';
import { appendPointer, findByPointer } from '../../spec/json-pointer.js';
import { createValidator, type SchemaValidator } from '../../spec/json-schema/evaluate.js';
import type { SchemaError } from '../../spec/json-schema/schema.js';

const validators = new Map<string, SchemaValidator>();

/** What is wrong with the body of a success by the API description. */
export function listResponseErrors(id: OperationId, status: number, body: unknown): SchemaError[] {
  const validator =
    validators.get(`${id} ${status}`) ?? createValidator(openapi, readSchemaPointer(id, status));
  validators.set(`${id} ${status}`, validator);
  return validator(body);
}

/** Pointer to the schema of a response. Throws for a response that the description does not have. */
export function readSchemaPointer(id: OperationId, status: number): string {
  const { path, method } = operations[id];
  const inline = `${appendPointer('/paths', path)}/${method.toLowerCase()}/responses/${status}`;
  const reference = findByPointer(openapi, `${inline}/$ref`);
  const response = typeof reference === 'string' ? reference.slice(1) : inline;
  const pointer = `${response}/content/application~1json/schema`;
  if (findByPointer(openapi, pointer) === undefined) throw new Error(`openapi.yaml: no schema at ${pointer}`);
  return pointer;
}
