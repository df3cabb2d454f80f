import {
  isEqual,
  type Schema,
  type SchemaObject,
  TYPE_NAMES,
  type TypeName,
} from '../../spec/json-schema/schema.js';
import type { Generation, Place } from './generation.js';

const MOST_SCHEMAS = 5_000;

/**
 * Chooses one way to fit all of `schemas`: references followed, branches chosen. What a value must not be (`not`, the
 * other branches of `oneOf`) is left to chance and to the check that follows. Undefined when this way contradicts itself.
 */
export function expand(
  schemas: readonly Schema[],
  { document, random, minimumDepth }: Generation,
  place: Place,
): SchemaObject[] | undefined {
  const found = new Set<SchemaObject>();
  const queue: Schema[] = [...schemas];
  for (let i = 0; i < queue.length; i++) {
    const schema = queue[i]!;
    if (schema === false || i > MOST_SCHEMAS) return undefined;
    if (schema === true || found.has(schema)) continue;
    found.add(schema);
    if (schema.$ref !== undefined) queue.push(document.resolve(schema.$ref));
    if (schema.allOf) queue.push(...schema.allOf);
    for (const branches of [schema.anyOf, schema.oneOf]) {
      if (branches) queue.push(choose(branches) ?? false);
    }
    if (schema.if === undefined || (schema.then === undefined && schema.else === undefined)) continue;
    const { then: yes = true, else: no = true } = schema;
    const isYes = place.isMinimal ? minimumDepth(yes) <= minimumDepth(no) : random.next() < 0.5;
    if (isYes) queue.push(schema.if, yes);
    else queue.push(no);
  }
  return [...found];

  function choose(branches: readonly Schema[]): Schema | undefined {
    const { isMinimal, attempt } = place;
    const open = branches.filter((branch) => Number.isFinite(minimumDepth(branch)));
    if (isMinimal)
      return open.sort((a, b) => minimumDepth(a) - minimumDepth(b))[attempt % Math.max(1, open.length)];
    const informative = open.filter((branch) => typeof branch === 'boolean' || branch.type !== 'null');
    const from = informative.length > 0 && random.next() >= NULL_SHARE ? informative : open;
    if (from.length === 0) return undefined;
    // Turn by turn on every other try, so that the one branch of many that fits is met; free in between.
    return attempt % 2 === 0 ? random.pick(from) : open[((attempt - 1) / 2) % open.length];
  }
}

/** Share of null where other types are allowed: null says little about a result. */
export const NULL_SHARE = 0.1;

/** The types all of the schemas allow. Null counts as allowed where `nullable` says so. */
export function commonTypes(schemas: readonly SchemaObject[]): TypeName[] {
  let types: TypeName[] = [...TYPE_NAMES];
  for (const { type, nullable } of schemas) {
    if (type === undefined) continue;
    const named: TypeName[] = Array.isArray(type) ? type : [type];
    const allows = (name: TypeName) =>
      named.includes(name) ||
      (name === 'integer' && named.includes('number')) ||
      (name === 'null' && nullable === true);
    types = types.filter(allows);
  }
  // Every integer is a number: keeping both would count it twice.
  return types.includes('number') ? types.filter((name) => name !== 'integer') : types;
}

/** The values that `const` and `enum` leave, or undefined when they leave it open. */
export function commonValues(schemas: readonly SchemaObject[]): unknown[] | undefined {
  const lists = schemas.flatMap((schema) => [
    ...(schema.enum ? [schema.enum] : []),
    ...(Object.hasOwn(schema, 'const') ? [[schema.const]] : []),
  ]);
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.some((other) => isEqual(value, other))));
}
