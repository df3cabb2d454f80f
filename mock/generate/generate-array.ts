import { isEqual, type Schema, type SchemaObject } from '../../spec/json-schema/schema.js';
import { generateValue } from './generate.js';
import { type Generation, NONE, readLowerBound, readUpperBound, type ValueContext } from './generation.js';

const USUAL_LENGTH = 3;
/** Longest array unless `minItems` is greater. */
const LONGEST_BY_DEFAULT = 5;
const MOST_ITEMS = 1_000;
const UNIQUE_TRIES = 20;

export function generateArray(
  schemas: readonly SchemaObject[],
  place: ValueContext,
  generation: Generation,
): unknown[] | typeof NONE {
  const min = readLowerBound(schemas, 'minItems', 0);
  const withContains = schemas.filter((schema) => schema.contains !== undefined);
  const count = withContains.reduce((sum, { minContains = 1 }) => sum + minContains, 0);
  const prefix = Math.max(0, ...schemas.map((schema) => schema.prefixItems?.length ?? 0));
  const usual = Math.max(LONGEST_BY_DEFAULT, min, prefix + count);
  const max = readUpperBound(schemas, 'maxItems', usual);
  if (min > max || Math.max(min, count) > MOST_ITEMS) return NONE;
  const contained = withContains.flatMap(({ contains, minContains = 1 }) =>
    Array<Schema>(minContains).fill(contains!),
  );
  const preferred = place.isMinimal || place.attempt > 2 ? 0 : generation.random.int(1, USUAL_LENGTH);
  const length = Math.max(min, Math.min(max, Math.max(prefix + count, prefix > 0 ? 0 : preferred)));
  const tries = schemas.some((schema) => schema.uniqueItems === true) ? UNIQUE_TRIES : 1;
  const items: unknown[] = [];
  const name = toSingular(place.name);
  for (let i = 0; i < length; i++) {
    // Items for `contains` follow the prefix, or replace part of it if there is no room after it.
    const isDue = i >= prefix || length - i <= contained.length;
    const due = isDue ? contained.shift() : undefined;
    const here =
      due === undefined ? collectItemSchemas(schemas, i) : [...collectItemSchemas(schemas, i), due];
    const value = generateItem(here);
    if (value === NONE && (items.length < min || due !== undefined)) return NONE;
    if (value === NONE) break;
    items.push(value);
    generation.written += 2;
  }
  return items;

  function generateItem(here: Schema[]): unknown | typeof NONE {
    for (let attempt = 0; attempt < tries; attempt++) {
      const value = generateValue(here, name, place.depth + 1, generation);
      if (value === NONE || tries === 1 || !items.some((other) => isEqual(other, value))) return value;
    }
    return NONE;
  }
}

function collectItemSchemas(schemas: readonly SchemaObject[], index: number): Schema[] {
  return schemas.flatMap<Schema>(({ prefixItems, items }) => prefixItems?.[index] ?? items ?? []);
}

function toSingular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}
