import { openapi, type RequirementId } from '../../../spec/generated/documents.js';
import type { JsonObject } from '../../../spec/openapi-document.js';
import { isOpen } from './stated.js';

/** One thing that is wrong with a JSON body. */
export interface BodyCase {
  body: unknown;
  /** In words, after the name of the operation. */
  what: string;
  requirements: readonly RequirementId[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Rules about certain fields, by where these stand. The first fits. */
const RULES: readonly { at: RegExp; missing: boolean; requirement: RequirementId }[] = [
  { at: /^custom_tools\.0\./, missing: true, requirement: 'TOOL-08' },
  { at: /^(name|payload)$/, missing: false, requirement: 'EVENT-05' },
];

/**
 * What can be wrong with `base`, a valid body, as the API states it: each required field missing and each field of another
 * type or none of its values. Fields that are choices of ours, or known from clients alone, are left as they are.
 */
export function bodyCases(schemaName: string, base: Fields): BodyCase[] {
  const schema = schemaOf({ $ref: `#/${schemaName}` });
  return isOpen(schema) ? [] : casesIn(schema, base, [], (changed) => changed, schemaName);
}

function casesIn(
  schema: JsonObject,
  at: Fields,
  path: readonly (string | number)[],
  put: (changed: unknown) => unknown,
  schemaName: string,
): BodyCase[] {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonObject>>);
  return properties.flatMap(([name, property]) => {
    const field = schemaOf(property);
    if (isOpen(property) || isOpen(field)) return [];
    const where = [...path, name].join('.');
    const set = (value: unknown) => put({ ...at, [name]: value });
    const requirements = (missing: boolean) => {
      const rule = RULES.find((each) => each.at.test(where) && (each.missing === missing || !each.missing));
      return rule && isFor(rule.requirement, schemaName) ? [rule.requirement] : [];
    };
    const cases: BodyCase[] = [];
    if (required.includes(name)) {
      const { [name]: _, ...others } = at;
      cases.push({ body: put(others), what: `without ${where}`, requirements: requirements(true) });
    }
    for (const value of wrongValues(field))
      cases.push({
        body: set(value),
        what: `with ${where} ${JSON.stringify(value)}`,
        requirements: requirements(false),
      });
    return [...cases, ...casesInItems(field, at[name], [...path, name], set, schemaName)];
  });
}

/** The first member of a list stands for all. */
function casesInItems(
  field: JsonObject,
  members: unknown,
  path: readonly (string | number)[],
  set: (value: unknown) => unknown,
  schemaName: string,
): BodyCase[] {
  if (field.items === undefined) return [];
  const item = schemaOf(field.items as JsonObject);
  const first: unknown = Array.isArray(members) ? members[0] : undefined;
  const cases = wrongValues(item).map((value) => ({
    body: set([value]),
    what: `with ${path.join('.')} [${JSON.stringify(value)}]`,
    requirements: [],
  }));
  if (first === null || typeof first !== 'object') return cases;
  return [...cases, ...casesIn(item, first as Fields, [...path, 0], (changed) => set([changed]), schemaName)];
}

function isFor(requirement: RequirementId, schemaName: string): boolean {
  return requirement === 'EVENT-05' ? schemaName === 'TaskEvent' : schemaName === 'TaskRequest';
}

function schemaOf(schema: JsonObject): JsonObject {
  const { $ref } = schema;
  return typeof $ref === 'string' ? openapi.components.schemas[$ref.split('/').at(-1)!]! : schema;
}

/** A value that no reading of the type lets through: texts that look like numbers are not among them. */
function wrongValues(schema: JsonObject): unknown[] {
  const types = [schema.type ?? []].flat() as string[];
  const wrong: unknown[] = [];
  if (Array.isArray(schema.enum)) wrong.push('something_else');
  if (types.includes('string')) wrong.push({ wrong: true });
  else if (types.includes('array')) wrong.push(42);
  else if (types.length > 0) wrong.push('wrong');
  return wrong;
}
