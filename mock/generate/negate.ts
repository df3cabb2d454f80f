import { type Schema, type SchemaObject, TYPE_NAMES, type TypeName } from '../../spec/json-schema/schema.js';
import type { Random } from './random.js';
import type { SchemaDocument } from './schema/document.js';
import { canonical } from './schema/problem.js';

/** What a value must not be, in a form that can be aimed at. */
export interface Negation {
  /** Schemas the value must fit instead. */
  schemas: Schema[];
  /** Properties it must not have. */
  absent: string[];
  /** Values it must not be, as canonical JSON. */
  excluded: string[];
}

/**
 * One way not to fit a schema: of all it asks for, something is chosen to be broken. Keywords that have no opposite
 * (patterns, say) are left to chance and to the check that follows. Undefined when everything fits the schema.
 */
export function negate(
  schema: Schema,
  document: SchemaDocument,
  random: Random,
  depth = 0,
): Negation | undefined {
  const result: Negation = { schemas: [], absent: [], excluded: [] };
  if (schema === false || depth > 8) return result;
  if (schema === true || Object.keys(schema).length === 0) return undefined;
  const ways: (() => Negation | undefined)[] = [];
  const instead = (opposite: SchemaObject) => ways.push(() => ({ ...result, schemas: [opposite] }));
  const target = schema.$ref ?? schema.$dynamicRef;
  if (target !== undefined) ways.push(() => negate(document.resolve(target), document, random, depth + 1));
  if (schema.type !== undefined) {
    const named: TypeName[] = Array.isArray(schema.type) ? schema.type : [schema.type];
    const type = TYPE_NAMES.filter(
      (name) => !named.includes(name) && !(name === 'integer' && named.includes('number')),
    );
    instead({ type });
  }
  if (schema.const !== undefined) ways.push(() => ({ ...result, excluded: [canonical(schema.const)] }));
  if (schema.enum) ways.push(() => ({ ...result, excluded: schema.enum!.map(canonical) }));
  if (schema.required?.length) ways.push(() => ({ ...result, absent: [random.pick(schema.required!)] }));
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    instead({ type: 'object', required: [name], properties: { [name]: { not: inner } } });
  }
  if (schema.minimum !== undefined) instead({ exclusiveMaximum: schema.minimum });
  if (schema.maximum !== undefined) instead({ exclusiveMinimum: schema.maximum });
  if (schema.exclusiveMinimum !== undefined) instead({ maximum: schema.exclusiveMinimum });
  if (schema.exclusiveMaximum !== undefined) instead({ minimum: schema.exclusiveMaximum });
  if (schema.minLength) instead({ maxLength: schema.minLength - 1 });
  if (schema.maxLength !== undefined) instead({ minLength: schema.maxLength + 1 });
  if (schema.minItems) instead({ maxItems: schema.minItems - 1 });
  if (schema.maxItems !== undefined) instead({ minItems: schema.maxItems + 1 });
  if (schema.minProperties) instead({ maxProperties: schema.minProperties - 1 });
  if (schema.maxProperties !== undefined) instead({ minProperties: schema.maxProperties + 1 });
  if (schema.not !== undefined) ways.push(() => ({ ...result, schemas: [schema.not!] }));
  if (schema.anyOf) ways.push(() => ({ ...result, schemas: schema.anyOf!.map((inner) => ({ not: inner })) }));
  if (schema.allOf?.length) ways.push(() => negate(random.pick(schema.allOf!), document, random, depth + 1));
  return ways.length === 0 ? result : random.pick(ways)();
}
