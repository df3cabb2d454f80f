import { openapi } from '../../spec/generated/documents.js';
import { type OperationId, operations } from '../../spec/generated/operations.js';
import { appendPointer, findByPointer } from '../../spec/json.js';
import { createValidator, type SchemaValidator } from '../../spec/json-schema/evaluate.js';
import type { SchemaError } from '../../spec/json-schema/schema.js';

const validators = new Map<string, SchemaValidator>();

/** Schema errors of the body of a success. */
export function listResponseErrors(id: OperationId, status: number, body: unknown): SchemaError[] {
  const validator =
    validators.get(`${id} ${status}`) ?? createValidator(openapi, readSchemaPointer(id, status));
  validators.set(`${id} ${status}`, validator);
  return validator(body);
}

/** JSON pointer to the schema of a response. Throws if the API description does not have the response. */
export function readSchemaPointer(id: OperationId, status: number): string {
  const { path, method } = operations[id];
  const inline = `${appendPointer('/paths', path)}/${method.toLowerCase()}/responses/${status}`;
  const reference = findByPointer(openapi, `${inline}/$ref`);
  const response = typeof reference === 'string' ? reference.slice(1) : inline;
  const pointer = `${response}/content/application~1json/schema`;
  if (findByPointer(openapi, pointer) === undefined) throw new Error(`openapi.yaml: no schema at ${pointer}`);
  return pointer;
}
