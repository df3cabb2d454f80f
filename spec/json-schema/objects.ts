import { PROPERTIES } from './scalars.js';
import { below, has, type Keyword, type Keywords, type Place, type Schema, type Walk } from './walk.js';

type Value = Record<string, unknown>;
type Schemas = Readonly<Record<string, Schema>>;

/** Whether something holds for each of a list, up to the first for which it does not unless all are asked for. */
function each<T>(walk: Walk, list: Iterable<T>, holds: (one: T) => boolean): boolean {
  let fits = true;
  for (const one of list) {
    if (holds(one)) continue;
    fits = false;
    if (!walk.all) return false;
  }
  return fits;
}

const required: Keyword = (walk, place, names: string[]) =>
  each(
    walk,
    names,
    (name) =>
      has(place.value, name) ||
      walk.fail(place, 'required', `must have required property '${name}'`, { missingProperty: name }),
  );

const propertyNames: Keyword = (walk, place, schema: Schema) =>
  each(
    walk,
    Object.keys(place.value as Value),
    (name) =>
      walk.check(schema, name, place.at) ||
      walk.fail(place, 'propertyNames', 'property name must be valid', { propertyName: name }),
  );

function checkProperty(walk: Walk, { value, at, evaluated }: Place, name: string, schema: Schema): boolean {
  evaluated?.properties.add(name);
  return walk.check(schema, (value as Value)[name], below(at, name));
}

const properties: Keyword = (walk, place, schemas: Schemas) =>
  each(
    walk,
    Object.keys(schemas),
    (name) => !has(place.value, name) || checkProperty(walk, place, name, schemas[name]!),
  );

const patternProperties: Keyword = (walk, place, schemas: Schemas) =>
  each(walk, Object.keys(schemas), (source) => {
    const pattern = walk.pattern(source);
    const names = Object.keys(place.value as Value).filter((name) => pattern.test(name));
    return each(walk, names, (name) => checkProperty(walk, place, name, schemas[source]!));
  });

/** Properties that nothing has been said about: refused, or held against a schema of their own. */
function checkOthers(walk: Walk, place: Place, schema: Schema, keyword: string, names: string[]): boolean {
  const param = keyword === 'additionalProperties' ? 'additionalProperty' : 'unevaluatedProperty';
  const message = `must NOT have ${keyword === 'additionalProperties' ? 'additional' : 'unevaluated'} properties`;
  return each(walk, names, (name) =>
    schema === false
      ? walk.fail(place, keyword, message, { [param]: name })
      : checkProperty(walk, place, name, schema),
  );
}

const additionalProperties: Keyword = (walk, place, schema: Schema) => {
  const known = (place.node['properties'] ?? {}) as object;
  const patterns = Object.keys((place.node['patternProperties'] ?? {}) as object).map(walk.pattern);
  const others = Object.keys(place.value as Value).filter(
    (name) => !Object.hasOwn(known, name) && !patterns.some((pattern) => pattern.test(name)),
  );
  return checkOthers(walk, place, schema, 'additionalProperties', others);
};

const unevaluatedProperties: Keyword = (walk, place, schema: Schema) => {
  const { properties } = place.evaluated!;
  const left = Object.keys(place.value as Value).filter((name) => !properties.has(name));
  return checkOthers(walk, place, schema, 'unevaluatedProperties', left);
};

/** `dependentRequired`, `dependentSchemas`, and `dependencies`, which older drafts had for both. */
const dependent =
  (keyword: string): Keyword =>
  (walk, place, dependencies: Readonly<Record<string, Schema | string[]>>) =>
    each(walk, Object.entries(dependencies), ([property, then]) => {
      if (!has(place.value, property)) return true;
      if (!Array.isArray(then)) return walk.check(then, place.value, place.at, place.evaluated);
      const message = `must have ${then.length === 1 ? 'property' : 'properties'} ${then.join(', ')} when property ${property} is present`;
      const missing = then.find((name) => !has(place.value, name));
      const params = { property, missingProperty: missing, depsCount: then.length, deps: then.join(', ') };
      return missing === undefined || walk.fail(place, keyword, message, params);
    });

/** Keywords about objects. */
export const OBJECT: Keywords = [
  ...PROPERTIES,
  ['required', required],
  ['propertyNames', propertyNames],
  ['additionalProperties', additionalProperties],
  ['dependencies', dependent('dependencies')],
  ['properties', properties],
  ['patternProperties', patternProperties],
  ['dependentRequired', dependent('dependentRequired')],
  ['dependentSchemas', dependent('dependentSchemas')],
  ['unevaluatedProperties', unevaluatedProperties],
];
