import type { RequirementId } from '../../../spec/generated/documents.js';
import { isObject, type SchemaObject } from '../../../spec/json-schema/schema.js';
import { SOME_RECORD, stated } from './stated.js';

type BodyFields = Readonly<Record<string, unknown>>;

/** One thing that is wrong with a JSON body. */
export interface InvalidField {
  path: readonly string[];
  /** Undefined: missing. */
  value?: unknown;
}

/**
 * What can be wrong with a body like `sample`, as the API states it: each required field missing and each field of another type or
 * none of its values. Fields that are choices of ours, or known from clients alone, are left as they are.
 */
export function invalidFieldsOf(schemaName: string, sample: BodyFields): InvalidField[] {
  const fieldsIn = (schema: SchemaObject, fields: BodyFields, parent: readonly string[]): InvalidField[] =>
    Object.entries((schema.properties ?? {}) as Readonly<Record<string, SchemaObject>>).flatMap(
      ([name, field]) => {
        if (field === SOME_RECORD) return [];
        const path = [...parent, name];
        const { [name]: members } = fields;
        const item = field.items as SchemaObject | undefined;
        // The first member of a list stands for all.
        const first: unknown = Array.isArray(members) ? members[0] : undefined;
        const inItem = item && isObject(first) ? fieldsIn(item, first, [...path, '0']) : [];
        const wrong = [...wrongValues(field), ...(item ? wrongValues(item).map((value) => [value]) : [])];
        return [
          ...(schema.required?.includes(name) ? [{ path }] : []),
          ...wrong.map((value) => ({ path, value })),
          ...inItem,
        ];
      },
    );
  return fieldsIn(stated({ $ref: `#/${schemaName}` }), sample, []);
}

/** Values that no reading of the type lets through: texts that look like numbers are not among them. */
function wrongValues({ type = [], enum: values }: SchemaObject): unknown[] {
  const types: readonly string[] = [type].flat();
  const wrong: unknown[] = values ? ['something_else'] : [];
  if (types.includes('string')) wrong.push({ wrong: true });
  else if (types.includes('array')) wrong.push(42);
  else if (types.length > 0) wrong.push('wrong');
  if (types.includes('object')) wrong.push([]);
  return wrong;
}

/** The body with this one thing wrong. */
export function withInvalidField(body: BodyFields, { path, value }: InvalidField): BodyFields {
  const changed = structuredClone(body);
  const record = path.slice(0, -1).reduce((at: BodyFields, name) => at[name] as BodyFields, changed);
  const fields = record as Record<string, unknown>;
  if (value === undefined) delete fields[path.at(-1)!];
  else fields[path.at(-1)!] = value;
  return changed;
}

/** `without payload`, `with payload 42`. */
export function describeInvalidField({ path, value }: InvalidField): string {
  const name = path.join('.');
  return value === undefined ? `without ${name}` : `with ${name} ${JSON.stringify(value)}`;
}

/** What a refusal of it shows beside that it is refused. */
export function requirementsOf(schemaName: string, { path, value }: InvalidField): RequirementId[] {
  const name = path.join('.');
  if (schemaName === 'TaskEvent') return name === 'name' || name === 'payload' ? ['EVENT-05'] : [];
  const isOfTool = schemaName === 'TaskRequest' && name.startsWith('custom_tools.0.');
  return isOfTool && value === undefined ? ['TOOL-08'] : [];
}
