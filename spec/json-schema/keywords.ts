import type { Instance } from './evaluate.js';
import { isEqual, isObject, type Schema } from './schema.js';

type Fields = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

/** Evaluates one keyword that is present: true where the value is valid. */
type Keyword = (instance: Instance, given: never) => boolean;
/** In the order of evaluation: the first error is the one that is reported. */
type Keywords = readonly (readonly [name: string, evaluate: Keyword])[];

/** The keywords that may say something about a value. */
export function keywordsFor(value: unknown): readonly Keywords[] {
  if (typeof value === 'string') return FOR_TEXT;
  if (Number.isFinite(value)) return FOR_NUMBER;
  if (Array.isArray(value)) return FOR_ARRAY;
  return isObject(value) ? FOR_OBJECT : FOR_ANY;
}

/** A keyword that looks at nothing but the value itself. */
function assertion<Value, Given>(
  keyword: string,
  holds: (value: Value, given: Given, instance: Instance) => boolean,
  message: (given: Given) => string,
): readonly [string, Keyword] {
  const evaluate = (instance: Instance, given: Given) =>
    holds(instance.value as Value, given, instance) || instance.fail(keyword, message(given));
  return [keyword, evaluate];
}

function bound(keyword: string, sign: string, holds: (value: number, bound: number) => boolean) {
  return assertion(keyword, holds, (limit: number) => `must be ${sign} ${limit}`);
}

/** Both bounds of a length or a number of items. */
function sizes<Value>(noun: string, unit: string, sizeOf: (value: Value) => number): Keywords {
  const refuse = (word: string) => (bound: number) => `must NOT have ${word} than ${bound} ${unit}`;
  return [
    assertion(`max${noun}`, (value: Value, most: number) => sizeOf(value) <= most, refuse('more')),
    assertion(`min${noun}`, (value: Value, least: number) => sizeOf(value) >= least, refuse('fewer')),
  ];
}

function matching(instance: Instance, schemas: readonly Schema[], most: number): number {
  let count = 0;
  for (const schema of schemas) if (count < most && instance.fits(schema)) count++;
  return count;
}

/** A keyword that only tries its schemas: where it is satisfied, what they refuse is no error. */
function trial<Given>(
  keyword: string,
  holds: (instance: Instance, given: Given) => boolean,
  message: string,
): readonly [string, Keyword] {
  const evaluate = (instance: Instance, given: Given) => {
    const { errors } = instance.evaluation;
    const before = errors.length;
    if (!holds(instance, given)) return instance.fail(keyword, message);
    errors.length = before;
    return true;
  };
  return [keyword, evaluate];
}

/** Whether the value is valid by a schema that is only tried. */
function isMatch(instance: Instance, schema: Schema): boolean {
  const { errors } = instance.evaluation;
  const before = errors.length;
  const valid = instance.fits(schema);
  errors.length = before;
  return valid;
}

const condition: Keyword = (instance, schema: Schema) => {
  const clause = isMatch(instance, schema) ? 'then' : 'else';
  const next = instance.schema[clause];
  return next === undefined || instance.fits(next) || instance.fail('if', `must match "${clause}" schema`);
};

const FOR_ANY: readonly Keywords[] = [
  [
    ['$ref', (instance, to: string) => instance.fits(instance.evaluation.resolve(to))],
    assertion('const', isEqual, () => 'must be equal to constant'),
    assertion(
      'enum',
      (value, allowed: unknown[]) => allowed.some((each) => isEqual(value, each)),
      () => 'must be equal to one of the allowed values',
    ),
    assertion(
      'not',
      (_value, schema: Schema, instance) => !isMatch(instance, schema),
      () => 'must NOT be valid',
    ),
    trial(
      'anyOf',
      (instance, schemas: Schema[]) => matching(instance, schemas, 1) === 1,
      'must match a schema in anyOf',
    ),
    trial(
      'oneOf',
      (instance, schemas: Schema[]) => matching(instance, schemas, 2) === 1,
      'must match exactly one schema in oneOf',
    ),
    ['allOf', (instance, schemas: Schema[]) => instance.every(schemas, (schema) => instance.fits(schema))],
    ['if', condition],
  ],
];

/** Tolerance for `multipleOf`: 19.99 counts as a multiple of 0.01 although binary fractions say otherwise. */
const TOLERANCE = 1e-9;

const FORMAT = assertion(
  'format',
  (value: string | number, name: string, { evaluation }) => evaluation.isOfFormat(value, name),
  (name) => `must match format "${name}"`,
);

const FOR_NUMBER: readonly Keywords[] = [
  ...FOR_ANY,
  [
    bound('maximum', '<=', (value, most) => value <= most),
    bound('minimum', '>=', (value, least) => value >= least),
    bound('exclusiveMaximum', '<', (value, end) => value < end),
    bound('exclusiveMinimum', '>', (value, end) => value > end),
    assertion(
      'multipleOf',
      (value: number, of: number) => Math.abs(Math.round(value / of) - value / of) <= TOLERANCE,
      (of) => `must be multiple of ${of}`,
    ),
    FORMAT,
  ],
];

function characters(text: string): number {
  let points = 0;
  for (const _ of text) points++;
  return points;
}

const FOR_TEXT: readonly Keywords[] = [
  ...FOR_ANY,
  [
    ...sizes('Length', 'characters', characters),
    assertion(
      'pattern',
      (text: string, source: string, { evaluation }) => evaluation.pattern(source).test(text),
      (source) => `must match pattern "${source}"`,
    ),
    FORMAT,
  ],
];

function indexesOf(value: unknown, from = 0): number[] {
  return [...(value as unknown[]).keys()].slice(from);
}

const items: Keyword = (instance, schema: Schema) => {
  const from = instance.schema.prefixItems?.length ?? 0;
  const rest = indexesOf(instance.value, from);
  if (schema !== false) return instance.every(rest, (index) => instance.childFits(schema, index));
  return rest.length === 0 || instance.fail('items', `must NOT have more than ${from} items`);
};

const contains: Keyword = (instance, schema: Schema) => {
  const { errors, allErrors } = instance.evaluation;
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = instance.schema;
  const before = errors.length;
  const found = indexesOf(instance.value).filter((index) => instance.childFits(schema, index)).length;
  const valid = found >= minContains && found <= maxContains;
  // What the single items lack is part of a list of all errors only.
  if (valid || !allErrors) errors.length = before;
  const most = Number.isFinite(maxContains) ? ` and no more than ${maxContains}` : '';
  return valid || instance.fail('contains', `must contain at least ${minContains}${most} valid item(s)`);
};

const uniqueItems: Keyword = (instance, isUnique: boolean) => {
  const list = instance.value as unknown[];
  const first = new Map<unknown, number>();
  for (const [i, each] of isUnique ? list.entries() : []) {
    // Only objects and arrays need a comparison in depth.
    const isDeep = typeof each === 'object' && each !== null;
    const j = isDeep ? list.findIndex((other) => isEqual(other, each)) : (first.get(each) ?? i);
    if (j < i) {
      const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
      return instance.fail('uniqueItems', message);
    }
    first.set(each, i);
  }
  return true;
};

const FOR_ARRAY: readonly Keywords[] = [
  ...FOR_ANY,
  [
    ...sizes('Items', 'items', (list: unknown[]) => list.length),
    [
      'prefixItems',
      (instance, schemas: Schema[]) =>
        instance.every(indexesOf(instance.value).slice(0, schemas.length), (index) =>
          instance.childFits(schemas[index]!, index),
        ),
    ],
    ['items', items],
    ['contains', contains],
    ['uniqueItems', uniqueItems],
  ],
];

/** Whether an object has an own property that is not undefined. */
function hasProperty(value: unknown, name: string): boolean {
  return Object.hasOwn(value as object, name) && (value as Fields)[name] !== undefined;
}

function namesOf(instance: Instance): string[] {
  return Object.keys(instance.value as Fields);
}

const required: Keyword = (instance, names: string[]) =>
  instance.every(
    names,
    (name) =>
      hasProperty(instance.value, name) ||
      instance.fail('required', `must have required property '${name}'`, name),
  );

const propertyNames: Keyword = (instance, schema: Schema) =>
  instance.every(
    namesOf(instance),
    (name) =>
      instance.fits(schema, name) || instance.fail('propertyNames', 'property name must be valid', name),
  );

const properties: Keyword = (instance, schemas: Schemas) =>
  instance.every(
    Object.keys(schemas),
    (name) => !hasProperty(instance.value, name) || instance.childFits(schemas[name]!, name),
  );

const patternProperties: Keyword = (instance, schemas: Schemas) =>
  instance.every(Object.keys(schemas), (source) => {
    const pattern = instance.evaluation.pattern(source);
    const names = namesOf(instance).filter((name) => pattern.test(name));
    return instance.every(names, (name) => instance.childFits(schemas[source]!, name));
  });

const additionalProperties: Keyword = (instance, schema: Schema) => {
  const { properties: known = {}, patternProperties = {} } = instance.schema;
  const patterns = Object.keys(patternProperties).map(instance.evaluation.pattern);
  const others = namesOf(instance).filter(
    (name) => !Object.hasOwn(known, name) && !patterns.some((pattern) => pattern.test(name)),
  );
  const message = 'must NOT have additional properties';
  return instance.every(others, (name) =>
    schema === false
      ? instance.fail('additionalProperties', message, name)
      : instance.childFits(schema, name),
  );
};

const dependentRequired: Keyword = (instance, lists: Readonly<Record<string, string[]>>) =>
  instance.every(Object.entries(lists), ([property, names]) => {
    if (!hasProperty(instance.value, property)) return true;
    const noun = names.length === 1 ? 'property' : 'properties';
    const message = `must have ${noun} ${names.join(', ')} when property ${property} is present`;
    const missing = names.find((name) => !hasProperty(instance.value, name));
    return missing === undefined || instance.fail('dependentRequired', message, missing);
  });

const dependentSchemas: Keyword = (instance, schemas: Schemas) =>
  instance.every(
    Object.keys(schemas),
    (property) => !hasProperty(instance.value, property) || instance.fits(schemas[property]!),
  );

const FOR_OBJECT: readonly Keywords[] = [
  ...FOR_ANY,
  [
    ...sizes('Properties', 'properties', (value: object) => Object.keys(value).length),
    ['required', required],
    ['propertyNames', propertyNames],
    ['additionalProperties', additionalProperties],
    ['properties', properties],
    ['patternProperties', patternProperties],
    ['dependentRequired', dependentRequired],
    ['dependentSchemas', dependentSchemas],
  ],
];
