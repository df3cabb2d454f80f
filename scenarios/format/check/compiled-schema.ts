import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaError } from '../../../spec/json-schema/interpret.js';

/** Everything that is wrong with a value; empty when it fits. */
export type SchemaCheck = (value: unknown) => SchemaError[];

/** That a schema itself is one is held by tests; checking it here would take longer than all the rest. */
const OPTIONS = { allErrors: true, verbose: true, strict: false, validateSchema: false } as const;

/**
 * Checks by a schema of ours, made functions of: by the whole (`''`) or by what a JSON pointer into it leads to. In
 * bundles for browsers interpreted-schema.ts is in its place (package.json, `browser`).
 */
export function checksOf(schema: object): (pointer: string) => SchemaCheck {
  const ajv = new Ajv2020(OPTIONS);
  ajv.addSchema(schema, 'schema');
  return (pointer) => {
    const validate = ajv.getSchema(pointer === '' ? 'schema' : `schema#${pointer}`)!;
    return (value) => (validate(value) ? [] : ((validate.errors ?? []) as SchemaError[]));
  };
}
