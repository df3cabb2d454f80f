import type { RequirementId } from '../../../spec/generated/documents.js';
import type { SchemaObject } from '../../../spec/json-schema/schema.js';
import { SOME_RECORD, stated } from './stated.js';

/** An invalid JSON body: one thing is wrong with it. */
export interface BodyCase {
  body: unknown;
  /** In words, after the name of the operation. */
  what: string;
  requirements: readonly RequirementId[];
}

type BodyFields = Readonly<Record<string, unknown>>;

/** Where it stands, and the body around it with another value there. */
interface BodyPlace {
  path: string;
  put(value: unknown): unknown;
}

/**
 * What can be wrong with `base`, a valid body, as the API states it: each required field missing and each field of another
 * type or none of its values. Fields that are choices of ours, or known from clients alone, are left as they are.
 */
export function bodyCases(schemaName: string, base: BodyFields): BodyCase[] {
  const requirementsOf = (path: string, isMissing: boolean): RequirementId[] => {
    if (schemaName === 'TaskEvent') return path === 'name' || path === 'payload' ? ['EVENT-05'] : [];
    const isOfTool = schemaName === 'TaskRequest' && path.startsWith('custom_tools.0.');
    return isOfTool && isMissing ? ['TOOL-08'] : [];
  };
  const casesIn = (schema: SchemaObject, fields: BodyFields, { path, put }: BodyPlace): BodyCase[] =>
    Object.entries((schema.properties ?? {}) as Readonly<Record<string, SchemaObject>>).flatMap(
      ([name, field]) => {
        if (field === SOME_RECORD) return [];
        const place = { path: path + name, put: (value: unknown) => put({ ...fields, [name]: value }) };
        const { [name]: _, ...others } = fields;
        const missing = { body: put(others), what: `without ${place.path}` };
        const wrong = wrongValues(field).map((value) => ({
          body: place.put(value),
          what: `with ${place.path} ${JSON.stringify(value)}`,
          requirements: requirementsOf(place.path, false),
        }));
        return [
          ...(schema.required?.includes(name)
            ? [{ ...missing, requirements: requirementsOf(place.path, true) }]
            : []),
          ...wrong,
          ...casesInItems(field, fields[name], place),
        ];
      },
    );
  /** The first member of a list stands for all. */
  const casesInItems = (list: SchemaObject, members: unknown, { path, put }: BodyPlace): BodyCase[] => {
    if (list.items === undefined) return [];
    const item = list.items as SchemaObject;
    const first: unknown = Array.isArray(members) ? members[0] : undefined;
    const wrong = wrongValues(item).map((value) => ({
      body: put([value]),
      what: `with ${path} [${JSON.stringify(value)}]`,
      requirements: [],
    }));
    if (first === null || typeof first !== 'object') return wrong;
    return [
      ...wrong,
      ...casesIn(item, first as BodyFields, { path: `${path}.0.`, put: (value) => put([value]) }),
    ];
  };
  return casesIn(stated({ $ref: `#/${schemaName}` }), base, { path: '', put: (body) => body });
}

/** Values that no reading of the type lets through: texts that look like numbers are not among them. */
function wrongValues({ type = [], enum: values }: SchemaObject): unknown[] {
  const types: readonly string[] = [type].flat();
  const wrong: unknown[] = values ? ['something_else'] : [];
  if (types.includes('string')) wrong.push({ wrong: true });
  else if (types.includes('array')) wrong.push(42);
  else if (types.length > 0) wrong.push('wrong');
  return wrong;
}
