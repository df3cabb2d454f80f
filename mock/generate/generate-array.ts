import type { Schema, SchemaObject } from '../../spec/json-schema/schema.js';
import { least, most, NONE } from './bounds.js';
import type { Conjunction, SchemaChoices } from './conjunction.js';
import { generateValue } from './generate-value.js';
import type { Generation } from './generation.js';
import { canonical } from './schema/problem.js';

const USUAL_LENGTH = 3;
/** Arrays generateValue beyond this only where `minItems` asks for it. */
const LONGEST_UNASKED = 5;
const UNIQUE_TRIES = 20;

/** An array that fits the schemas, or NONE. */
export function generateArray(
  { schemas }: Conjunction,
  name: string,
  depth: number,
  generation: Generation,
  choices: SchemaChoices,
): unknown[] | typeof NONE {
  const min = most(schemas, 'minItems', 0);
  const contained = schemas.flatMap((schema) =>
    schema.contains === undefined ? [] : Array<Schema>(schema.minContains ?? 1).fill(schema.contains),
  );
  const prefix = Math.max(0, ...schemas.map((schema) => schema.prefixItems?.length ?? 0));
  const max = Math.min(
    least(schemas, 'maxItems', Number.POSITIVE_INFINITY),
    Math.max(LONGEST_UNASKED, min, prefix + contained.length),
  );
  if (min > max) return NONE;
  const wanted = choices.isMinimal || choices.attempt > 2 ? 0 : generation.random.int(1, USUAL_LENGTH);
  const length = Math.max(min, Math.min(max, Math.max(prefix + contained.length, prefix > 0 ? 0 : wanted)));
  const unique = schemas.some((schema) => schema.uniqueItems === true);
  const seen = new Set<string>();
  const items: unknown[] = [];
  const itemName = singular(name);
  for (let i = 0; i < length; i++) {
    // What must be contained comes first where the order is free, so that it is not left out for length.
    const asked = contained.shift();
    let here = schemasAt(schemas, i);
    if (asked !== undefined && i < prefix && length - i > contained.length + 1) contained.unshift(asked);
    else if (asked !== undefined) here = [...here, asked];
    const value = item(here);
    if (value === NONE) {
      if (items.length < min || asked !== undefined) return NONE;
      break;
    }
    items.push(value);
    generation.written += 2;
  }
  return items;

  function item(here: Schema[]): unknown | typeof NONE {
    for (let attempt = 0; attempt < UNIQUE_TRIES; attempt++) {
      const value = generateValue(here, itemName, depth + 1, generation);
      if (value === NONE || !unique) return value;
      const text = canonical(value);
      if (seen.has(text)) continue;
      seen.add(text);
      return value;
    }
    return NONE;
  }
}

/** All the schemas that the item at this index must fit. */
function schemasAt(schemas: readonly SchemaObject[], index: number): Schema[] {
  const found: Schema[] = [];
  let evaluated = false;
  for (const schema of schemas) {
    const own = schema.prefixItems?.[index] ?? schema.items;
    if (own === undefined) continue;
    evaluated = true;
    found.push(own);
  }
  if (evaluated) return found;
  return schemas.flatMap(({ unevaluatedItems }) =>
    unevaluatedItems === undefined ? [] : [unevaluatedItems],
  );
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}
