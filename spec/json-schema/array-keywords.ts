import { childPointer } from '../json-pointer.js';
import { type Evaluation, every, type Instance, type Keyword, type Keywords } from './evaluation.js';
import { size } from './scalar-keywords.js';
import { isEqual, isObject, type Schema } from './schema.js';

type ArrayInstance = Instance & { value: unknown[] };

const prefixItems: Keyword = (evaluation, instance, schemas: Schema[]) => {
  const { value, pointer, evaluated } = instance as ArrayInstance;
  const here = range(0, Math.min(schemas.length, value.length));
  const valid = every(evaluation, here, (index) =>
    evaluation.isValid(schemas[index]!, value[index], childPointer(pointer, index)),
  );
  if (evaluated) evaluated.items = Math.max(evaluated.items, schemas.length);
  return valid;
};

const items: Keyword = (evaluation, instance, schema: Schema) => {
  const { value, evaluated } = instance as ArrayInstance;
  const from = instance.schema.prefixItems?.length ?? 0;
  if (evaluated) evaluated.items = Number.POSITIVE_INFINITY;
  return checkRest(evaluation, instance, 'items', schema, from, range(from, value.length));
};

const unevaluatedItems: Keyword = (evaluation, instance, schema: Schema) => {
  const { items, contained } = instance.evaluated!;
  const { length } = instance.value as unknown[];
  const rest = range(items, length).filter((index) => !contained.has(index));
  instance.evaluated!.items = Number.POSITIVE_INFINITY;
  return checkRest(evaluation, instance, 'unevaluatedItems', schema, items, rest);
};

/** Items behind those that have schemas of their own. */
function checkRest(
  evaluation: Evaluation,
  instance: Instance,
  keyword: string,
  schema: Schema,
  limit: number,
  indexes: readonly number[],
): boolean {
  if (schema === false) {
    const message = `must NOT have more than ${limit} items`;
    return indexes.length === 0 || evaluation.fail(instance, keyword, message, { limit });
  }
  const { value, pointer } = instance as ArrayInstance;
  return every(evaluation, indexes, (index) =>
    evaluation.isValid(schema, value[index], childPointer(pointer, index)),
  );
}

const contains: Keyword = (evaluation, instance, schema: Schema) => {
  const { value, pointer, evaluated } = instance as ArrayInstance;
  const { minContains = 1, maxContains } = instance.schema;
  const before = evaluation.errors.length;
  const found = range(0, value.length).filter((index) =>
    evaluation.isValid(schema, value[index], childPointer(pointer, index)),
  );
  for (const index of found) evaluated?.contained.add(index);
  const valid = found.length >= minContains && found.length <= (maxContains ?? Number.POSITIVE_INFINITY);
  // What the single items lack is part of a list of all errors only.
  if (valid || !evaluation.allErrors) evaluation.errors.length = before;
  if (valid) return true;
  const most = maxContains === undefined ? '' : ` and no more than ${maxContains}`;
  const message = `must contain at least ${minContains}${most} valid item(s)`;
  const params = { minContains, ...(maxContains !== undefined && { maxContains }) };
  return evaluation.fail(instance, 'contains', message, params);
};

const uniqueItems: Keyword = (evaluation, instance, unique: boolean) => {
  if (!unique) return true;
  const { value } = instance as ArrayInstance;
  const first = new Map<unknown, number>();
  for (let i = 0; i < value.length; i++) {
    const each = value[i];
    // Only objects and arrays need a comparison in depth.
    const isDeep = Array.isArray(each) || isObject(each);
    const j = isDeep ? value.findIndex((other) => isEqual(other, each)) : first.get(each);
    if (j !== undefined && j < i) {
      const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
      return evaluation.fail(instance, 'uniqueItems', message, { i, j });
    }
    if (!isDeep) first.set(each, i);
  }
  return true;
};

function range(from: number, to: number): number[] {
  return from >= to ? [] : Array.from({ length: to - from }, (_, index) => from + index);
}

const length = (list: unknown[]) => list.length;

export const ARRAY_KEYWORDS: Keywords = [
  ['maxItems', size('maxItems', 'items', length)],
  ['minItems', size('minItems', 'items', length)],
  ['prefixItems', prefixItems],
  ['items', items],
  ['contains', contains],
  ['uniqueItems', uniqueItems],
  ['unevaluatedItems', unevaluatedItems],
];
