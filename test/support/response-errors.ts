import { openapi } from '../../spec/generated/documents.js';
import { type OperationId, operations } from '../../spec/generated/operations.js';
import { childPointer, valueAt } from '../../spec/json-pointer.js';
import { type Validator, validatorOf } from '../../spec/json-schema/evaluate.js';
import type { SchemaError } from '../../spec/json-schema/schema.js';

const validators = new Map<string, Validator>();

/** What is wrong with the body of a success by the API description. */
export function responseErrors(id: OperationId, status: number, body: unknown): SchemaError[] {
  const validator = validators.get(`${id} ${status}`) ?? validatorOf(openapi, schemaOf(id, status));
  validators.set(`${id} ${status}`, validator);
  return validator(body);
}

/** Pointer to the schema of a response. Throws for a response that the description does not have. */
export function schemaOf(id: OperationId, status: number): string {
  const { path, method } = operations[id];
  const inline = `${childPointer('/paths', path)}/${method.toLowerCase()}/responses/${status}`;
  const reference = valueAt(openapi, `${inline}/$ref`);
  const response = typeof reference === 'string' ? reference.slice(1) : inline;
  const pointer = `${response}/content/application~1json/schema`;
  if (valueAt(openapi, pointer) === undefined) throw new Error(`openapi.yaml: no schema at ${pointer}`);
  return pointer;
}
