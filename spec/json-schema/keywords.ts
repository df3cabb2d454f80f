import type { Instance } from './evaluate.js';
import { isEqual, isObject, type Schema } from './schema.js';

type ObjectFields = Readonly<Record<string, unknown>>;
type SchemaMap = Readonly<Record<string, Schema>>;

/** Evaluates a keyword that is present: true if the value is valid. */
type Keyword = (instance: Instance, given: never) => boolean;
/** In the order of evaluation: the first error is the one that is reported. */
type Keywords = readonly (readonly [name: string, evaluate: Keyword])[];

export function selectKeywords(value: unknown): readonly Keywords[] {
  if (typeof value === 'string') return FOR_TEXT;
  if (Number.isFinite(value)) return FOR_NUMBER;
  if (Array.isArray(value)) return FOR_ARRAY;
  return isObject(value) ? FOR_OBJECT : FOR_ANY;
}

/** A keyword that depends on the value only. */
function createAssertion<Value, Given>(
  keyword: string,
  holds: (value: Value, given: Given, instance: Instance) => boolean,
  message: (given: Given) => string,
): readonly [string, Keyword] {
  const evaluate = (instance: Instance, given: Given) =>
    holds(instance.value as Value, given, instance) || instance.fail(keyword, message(given));
  return [keyword, evaluate];
}

function createBound(keyword: string, sign: string, holds: (value: number, bound: number) => boolean) {
  return createAssertion(keyword, holds, (limit: number) => `must be ${sign} ${limit}`);
}

/** Both bounds of a length or a number of items. */
function createSizeBounds<Value>(
  noun: string,
  unit: string,
  measureSize: (value: Value) => number,
): Keywords {
  const refuse = (word: string) => (bound: number) => `must NOT have ${word} than ${bound} ${unit}`;
  return [
    createAssertion(`max${noun}`, (value: Value, most: number) => measureSize(value) <= most, refuse('more')),
    createAssertion(
      `min${noun}`,
      (value: Value, least: number) => measureSize(value) >= least,
      refuse('fewer'),
    ),
  ];
}

function countMatches(instance: Instance, schemas: readonly Schema[], most: number): number {
  let count = 0;
  for (const schema of schemas) if (count < most && instance.isValidAgainst(schema)) count++;
  return count;
}

/** A keyword that tries its schemas: if it is satisfied, their errors are dropped. */
function createTrial<Given>(
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

/** Whether the value is valid by a schema; drops the errors. */
function isMatch(instance: Instance, schema: Schema): boolean {
  const { errors } = instance.evaluation;
  const before = errors.length;
  const valid = instance.isValidAgainst(schema);
  errors.length = before;
  return valid;
}

const evaluateCondition: Keyword = (instance, schema: Schema) => {
  const clause = isMatch(instance, schema) ? 'then' : 'else';
  const next = instance.schema[clause];
  return (
    next === undefined ||
    instance.isValidAgainst(next) ||
    instance.fail('if', `must match "${clause}" schema`)
  );
};

const FOR_ANY: readonly Keywords[] = [
  [
    ['$ref', (instance, to: string) => instance.isValidAgainst(instance.evaluation.resolve(to))],
    createAssertion('const', isEqual, () => 'must be equal to constant'),
    createAssertion(
      'enum',
      (value, allowed: unknown[]) => allowed.some((each) => isEqual(value, each)),
      () => 'must be equal to one of the allowed values',
    ),
    createAssertion(
      'not',
      (_value, schema: Schema, instance) => !isMatch(instance, schema),
      () => 'must NOT be valid',
    ),
    createTrial(
      'anyOf',
      (instance, schemas: Schema[]) => countMatches(instance, schemas, 1) === 1,
      'must match a schema in anyOf',
    ),
    createTrial(
      'oneOf',
      (instance, schemas: Schema[]) => countMatches(instance, schemas, 2) === 1,
      'must match exactly one schema in oneOf',
    ),
    [
      'allOf',
      (instance, schemas: Schema[]) => instance.every(schemas, (schema) => instance.isValidAgainst(schema)),
    ],
    ['if', evaluateCondition],
  ],
];

/** Tolerance of `multipleOf`: 19.99 is a multiple of 0.01 despite binary fractions. */
const TOLERANCE = 1e-9;

const FORMAT = createAssertion(
  'format',
  (value: string | number, name: string, { evaluation }) => evaluation.isOfFormat(value, name),
  (name) => `must match format "${name}"`,
);

const FOR_NUMBER: readonly Keywords[] = [
  ...FOR_ANY,
  [
    createBound('maximum', '<=', (value, most) => value <= most),
    createBound('minimum', '>=', (value, least) => value >= least),
    createBound('exclusiveMaximum', '<', (value, end) => value < end),
    createBound('exclusiveMinimum', '>', (value, end) => value > end),
    createAssertion(
      'multipleOf',
      (value: number, of: number) => Math.abs(Math.round(value / of) - value / of) <= TOLERANCE,
      (of) => `must be multiple of ${of}`,
    ),
    FORMAT,
  ],
];

function countCharacters(text: string): number {
  let points = 0;
  for (const _ of text) points++;
  return points;
}

const FOR_TEXT: readonly Keywords[] = [
  ...FOR_ANY,
  [
    ...createSizeBounds('Length', 'characters', countCharacters),
    createAssertion(
      'pattern',
      (text: string, source: string, { evaluation }) => evaluation.pattern(source).test(text),
      (source) => `must match pattern "${source}"`,
    ),
    FORMAT,
  ],
];

function listIndexes(value: unknown, from = 0): number[] {
  return [...(value as unknown[]).keys()].slice(from);
}

const evaluateItems: Keyword = (instance, schema: Schema) => {
  const from = instance.schema.prefixItems?.length ?? 0;
  const rest = listIndexes(instance.value, from);
  if (schema !== false) return instance.every(rest, (index) => instance.isChildValid(schema, index));
  return rest.length === 0 || instance.fail('items', `must NOT have more than ${from} items`);
};

const evaluateContains: Keyword = (instance, schema: Schema) => {
  const { errors, allErrors } = instance.evaluation;
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = instance.schema;
  const before = errors.length;
  const found = listIndexes(instance.value).filter((index) => instance.isChildValid(schema, index)).length;
  const valid = found >= minContains && found <= maxContains;
  // What the single items lack is part of a list of all errors only.
  if (valid || !allErrors) errors.length = before;
  const most = Number.isFinite(maxContains) ? ` and no more than ${maxContains}` : '';
  return valid || instance.fail('contains', `must contain at least ${minContains}${most} valid item(s)`);
};

const evaluateUniqueItems: Keyword = (instance, isUnique: boolean) => {
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
    ...createSizeBounds('Items', 'items', (list: unknown[]) => list.length),
    [
      'prefixItems',
      (instance, schemas: Schema[]) =>
        instance.every(listIndexes(instance.value).slice(0, schemas.length), (index) =>
          instance.isChildValid(schemas[index]!, index),
        ),
    ],
    ['items', evaluateItems],
    ['contains', evaluateContains],
    ['uniqueItems', evaluateUniqueItems],
  ],
];

/** Whether an object has an own property that is not undefined. */
function hasProperty(value: unknown, name: string): boolean {
  return Object.hasOwn(value as object, name) && (value as ObjectFields)[name] !== undefined;
}

function listNames(instance: Instance): string[] {
  return Object.keys(instance.value as ObjectFields);
}

const evaluateRequired: Keyword = (instance, names: string[]) =>
  instance.every(
    names,
    (name) =>
      hasProperty(instance.value, name) ||
      instance.fail('required', `must have required property '${name}'`, name),
  );

const evaluatePropertyNames: Keyword = (instance, schema: Schema) =>
  instance.every(
    listNames(instance),
    (name) =>
      instance.isValidAgainst(schema, name) ||
      instance.fail('propertyNames', 'property name must be valid', name),
  );

const evaluateProperties: Keyword = (instance, schemas: SchemaMap) =>
  instance.every(
    Object.keys(schemas),
    (name) => !hasProperty(instance.value, name) || instance.isChildValid(schemas[name]!, name),
  );

const evaluatePatternProperties: Keyword = (instance, schemas: SchemaMap) =>
  instance.every(Object.keys(schemas), (source) => {
    const pattern = instance.evaluation.pattern(source);
    const names = listNames(instance).filter((name) => pattern.test(name));
    return instance.every(names, (name) => instance.isChildValid(schemas[source]!, name));
  });

const evaluateAdditionalProperties: Keyword = (instance, schema: Schema) => {
  const { properties: known = {}, patternProperties = {} } = instance.schema;
  const patterns = Object.keys(patternProperties).map(instance.evaluation.pattern);
  const others = listNames(instance).filter(
    (name) => !Object.hasOwn(known, name) && !patterns.some((pattern) => pattern.test(name)),
  );
  const message = 'must NOT have additional properties';
  return instance.every(others, (name) =>
    schema === false
      ? instance.fail('additionalProperties', message, name)
      : instance.isChildValid(schema, name),
  );
};

const evaluateDependentRequired: Keyword = (instance, lists: Readonly<Record<string, string[]>>) =>
  instance.every(Object.entries(lists), ([property, names]) => {
    if (!hasProperty(instance.value, property)) return true;
    const noun = names.length === 1 ? 'property' : 'properties';
    const message = `must have ${noun} ${names.join(', ')} when property ${property} is present`;
    const missing = names.find((name) => !hasProperty(instance.value, name));
    return missing === undefined || instance.fail('dependentRequired', message, missing);
  });

const evaluateDependentSchemas: Keyword = (instance, schemas: SchemaMap) =>
  instance.every(
    Object.keys(schemas),
    (property) => !hasProperty(instance.value, property) || instance.isValidAgainst(schemas[property]!),
  );

const FOR_OBJECT: readonly Keywords[] = [
  ...FOR_ANY,
  [
    ...createSizeBounds('Properties', 'properties', (value: object) => Object.keys(value).length),
    ['required', evaluateRequired],
    ['propertyNames', evaluatePropertyNames],
    ['additionalProperties', evaluateAdditionalProperties],
    ['properties', evaluateProperties],
    ['patternProperties', evaluatePatternProperties],
    ['dependentRequired', evaluateDependentRequired],
    ['dependentSchemas', evaluateDependentSchemas],
  ],
];
