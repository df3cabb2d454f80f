import { childPointer } from '../json-pointer.js';
import { type Evaluation, every, type Instance, type Keyword, type Keywords } from './evaluation.js';
import { size } from './scalar-keywords.js';
import type { Schema } from './schema.js';

type Value = Record<string, unknown>;
type Schemas = Readonly<Record<string, Schema>>;

const required: Keyword = (evaluation, instance, names: string[]) =>
  every(
    evaluation,
    names,
    (name) =>
      hasProperty(instance.value, name) ||
      evaluation.fail(instance, 'required', `must have required property '${name}'`, {
        missingProperty: name,
      }),
  );

const propertyNames: Keyword = (evaluation, instance, schema: Schema) =>
  every(
    evaluation,
    Object.keys(instance.value as Value),
    (name) =>
      evaluation.isValid(schema, name, instance.pointer) ||
      evaluation.fail(instance, 'propertyNames', 'property name must be valid', { propertyName: name }),
  );

function checkProperty(
  evaluation: Evaluation,
  { value, pointer, evaluated }: Instance,
  name: string,
  schema: Schema,
): boolean {
  evaluated?.properties.add(name);
  return evaluation.isValid(schema, (value as Value)[name], childPointer(pointer, name));
}

const properties: Keyword = (evaluation, instance, schemas: Schemas) =>
  every(
    evaluation,
    Object.keys(schemas),
    (name) => !hasProperty(instance.value, name) || checkProperty(evaluation, instance, name, schemas[name]!),
  );

const patternProperties: Keyword = (evaluation, instance, schemas: Schemas) =>
  every(evaluation, Object.keys(schemas), (source) => {
    const pattern = evaluation.pattern(source);
    const names = Object.keys(instance.value as Value).filter((name) => pattern.test(name));
    return every(evaluation, names, (name) => checkProperty(evaluation, instance, name, schemas[source]!));
  });

/** Properties that no other keyword covers: refused, or checked by a schema of their own. */
function checkOthers(
  evaluation: Evaluation,
  instance: Instance,
  schema: Schema,
  keyword: string,
  names: string[],
): boolean {
  const param = keyword === 'additionalProperties' ? 'additionalProperty' : 'unevaluatedProperty';
  const message = `must NOT have ${keyword === 'additionalProperties' ? 'additional' : 'unevaluated'} properties`;
  return every(evaluation, names, (name) =>
    schema === false
      ? evaluation.fail(instance, keyword, message, { [param]: name })
      : checkProperty(evaluation, instance, name, schema),
  );
}

const additionalProperties: Keyword = (evaluation, instance, schema: Schema) => {
  const known = (instance.schema.properties ?? {}) as object;
  const patterns = Object.keys((instance.schema.patternProperties ?? {}) as object).map(evaluation.pattern);
  const others = Object.keys(instance.value as Value).filter(
    (name) => !Object.hasOwn(known, name) && !patterns.some((pattern) => pattern.test(name)),
  );
  return checkOthers(evaluation, instance, schema, 'additionalProperties', others);
};

const unevaluatedProperties: Keyword = (evaluation, instance, schema: Schema) => {
  const { properties } = instance.evaluated!;
  const left = Object.keys(instance.value as Value).filter((name) => !properties.has(name));
  return checkOthers(evaluation, instance, schema, 'unevaluatedProperties', left);
};

/** `dependentRequired`, `dependentSchemas`, and `dependencies`, the name of both in older drafts. */
const dependent =
  (keyword: string): Keyword =>
  (evaluation, instance, dependencies: Readonly<Record<string, Schema | string[]>>) =>
    every(evaluation, Object.entries(dependencies), ([property, then]) => {
      if (!hasProperty(instance.value, property)) return true;
      if (!Array.isArray(then))
        return evaluation.isValid(then, instance.value, instance.pointer, instance.evaluated);
      const message = `must have ${then.length === 1 ? 'property' : 'properties'} ${then.join(', ')} when property ${property} is present`;
      const missing = then.find((name) => !hasProperty(instance.value, name));
      const params = { property, missingProperty: missing, depsCount: then.length, deps: then.join(', ') };
      return missing === undefined || evaluation.fail(instance, keyword, message, params);
    });

/** Whether an object has an own property that is not undefined. */
function hasProperty(value: unknown, name: string): boolean {
  return Object.hasOwn(value as object, name) && (value as Value)[name] !== undefined;
}

const count = (value: object) => Object.keys(value).length;

export const OBJECT_KEYWORDS: Keywords = [
  ['maxProperties', size('maxProperties', 'properties', count)],
  ['minProperties', size('minProperties', 'properties', count)],
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
