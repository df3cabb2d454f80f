import { ITEMS } from './scalars.js';
import { below, isEqual, type Keyword, type Keywords, type Place, type Schema, type Walk } from './walk.js';

const prefixItems: Keyword = (walk, place, schemas: Schema[]) => {
  const { value, at, evaluated } = place as Place & { value: unknown[] };
  let fits = true;
  for (const [index, schema] of schemas.entries()) {
    if (index >= value.length) break;
    if (walk.check(schema, value[index], below(at, index))) continue;
    fits = false;
    if (!walk.all) return false;
  }
  if (evaluated) evaluated.items = Math.max(evaluated.items, schemas.length);
  return fits;
};

const items: Keyword = (walk, place, schema: Schema) => {
  const { node, value, evaluated } = place as Place & { value: unknown[] };
  const from = (node['prefixItems'] as unknown[] | undefined)?.length ?? 0;
  if (evaluated) evaluated.items = Number.POSITIVE_INFINITY;
  return checkRest(walk, place, 'items', schema, from, range(from, value.length));
};

const unevaluatedItems: Keyword = (walk, place, schema: Schema) => {
  const { value } = place as Place & { value: unknown[] };
  const { items, contained } = place.evaluated!;
  const left = range(items, value.length).filter((index) => !contained.has(index));
  place.evaluated!.items = Number.POSITIVE_INFINITY;
  return checkRest(walk, place, 'unevaluatedItems', schema, items, left);
};

/** What lies behind the items that have schemas of their own. */
function checkRest(
  walk: Walk,
  place: Place & { value: unknown },
  keyword: string,
  schema: Schema,
  limit: number,
  indexes: readonly number[],
): boolean {
  if (schema === false) {
    const message = `must NOT have more than ${limit} items`;
    return indexes.length === 0 || walk.fail(place, keyword, message, { limit });
  }
  let fits = true;
  for (const index of indexes) {
    if (walk.check(schema, (place.value as unknown[])[index], below(place.at, index))) continue;
    fits = false;
    if (!walk.all) return false;
  }
  return fits;
}

const contains: Keyword = (walk, place, schema: Schema) => {
  const { node, value, at, evaluated } = place as Place & { value: unknown[] };
  const min = (node['minContains'] as number | undefined) ?? 1;
  const max = node['maxContains'] as number | undefined;
  const before = walk.errors.length;
  const found = range(0, value.length).filter((index) => walk.check(schema, value[index], below(at, index)));
  for (const index of found) evaluated?.contained.add(index);
  const fits = found.length >= min && found.length <= (max ?? Number.POSITIVE_INFINITY);
  // Of what the single items lack only a list of everything tells.
  if (fits || !walk.all) walk.errors.length = before;
  if (fits) return true;
  const most = max === undefined ? '' : ` and no more than ${max}`;
  const params = max === undefined ? { minContains: min } : { minContains: min, maxContains: max };
  return walk.fail(place, 'contains', `must contain at least ${min}${most} valid item(s)`, params);
};

const uniqueItems: Keyword = (walk, place, unique: boolean) => {
  if (!unique) return true;
  const { value } = place as Place & { value: unknown[] };
  const first = new Map<unknown, number>();
  for (let i = 0; i < value.length; i++) {
    const each = value[i];
    // Only objects and arrays have to be gone through: everything else is equal to itself alone.
    const j = isScalar(each) ? first.get(each) : value.findIndex((other) => isEqual(other, each));
    if (j !== undefined && j < i) {
      const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
      return walk.fail(place, 'uniqueItems', message, { i, j });
    }
    if (isScalar(each)) first.set(each, i);
  }
  return true;
};

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function range(from: number, to: number): number[] {
  return from >= to ? [] : Array.from({ length: to - from }, (_, index) => from + index);
}

/** Keywords about arrays. */
export const ARRAY: Keywords = [
  ...ITEMS,
  ['prefixItems', prefixItems],
  ['items', items],
  ['contains', contains],
  ['uniqueItems', uniqueItems],
  ['unevaluatedItems', unevaluatedItems],
];
