import type { SchemaDocument } from './document.js';
import { deny } from './negate.js';
import type { Random } from './random.js';
import { canonical, type Schema, type SchemaObject, TYPE_NAMES, type TypeName } from './schema.js';

/** All the schemas one value must fit at once, references followed and branches chosen. */
export interface Conjunction {
  schemas: SchemaObject[];
  absent: Set<string>;
  excluded: Set<string>;
}

/** What choosing branches depends on. */
export interface Choices {
  document: SchemaDocument;
  random: Random;
  height(schema: Schema): number;
  /** True when the value has grown large or deep enough: the flattest branch is taken. */
  frugal: boolean;
  /** Counts the tries at this place: later ones take other branches. */
  attempt: number;
}

const MOST_SCHEMAS = 5_000;

/** Chooses one way to fit all of `schemas`. Undefined when this way contradicts itself. */
export function expand(schemas: readonly Schema[], choices: Choices): Conjunction | undefined {
  const { document, random } = choices;
  const result: Conjunction = { schemas: [], absent: new Set(), excluded: new Set() };
  const seen = new Set<SchemaObject>();
  const queue: Schema[] = [...schemas];
  const avoid = (schema: Schema): boolean => {
    const denial = deny(schema, document, random);
    if (!denial) return false;
    queue.push(...denial.schemas);
    for (const name of denial.absent) result.absent.add(name);
    for (const value of denial.excluded) result.excluded.add(value);
    return true;
  };
  for (let i = 0; i < queue.length; i++) {
    const schema = queue[i]!;
    if (schema === false || i > MOST_SCHEMAS) return undefined;
    if (schema === true || seen.has(schema)) continue;
    seen.add(schema);
    result.schemas.push(schema);
    if (schema.$ref !== undefined) queue.push(document.resolve(schema.$ref));
    if (schema.$dynamicRef !== undefined) queue.push(document.resolve(schema.$dynamicRef));
    if (schema.allOf) queue.push(...schema.allOf);
    if (schema.anyOf) {
      const branch = choose(schema.anyOf, choices);
      if (branch === undefined) return undefined;
      queue.push(branch);
    }
    if (schema.oneOf) {
      const branch = choose(schema.oneOf, choices);
      if (branch === undefined) return undefined;
      queue.push(branch);
      // Siblings that differ by type or constant exclude themselves; what they require must be kept away.
      for (const other of schema.oneOf) {
        if (other !== branch && (choices.attempt > 0 || onlyRequires(other)) && !avoid(other))
          return undefined;
      }
    }
    if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined)) {
      const yes = choices.frugal
        ? choices.height(schema.then ?? true) <= choices.height(schema.else ?? true)
        : random.next() < 0.5;
      if (yes) queue.push(schema.if, schema.then ?? true);
      else {
        queue.push(schema.else ?? true);
        if (!avoid(schema.if)) return undefined;
      }
    }
    if (schema.not !== undefined && !avoid(schema.not)) return undefined;
  }
  return result;
}

function onlyRequires(schema: Schema): boolean {
  return typeof schema !== 'boolean' && schema.required !== undefined && Object.keys(schema).length === 1;
}

/** Null says little about a result: it is taken one time in ten where there is something else. */
const NULL_SHARE = 0.1;

function choose(
  branches: readonly Schema[],
  { random, height, frugal, attempt }: Choices,
): Schema | undefined {
  const open = branches.filter((branch) => Number.isFinite(height(branch)));
  if (frugal) return open.sort((a, b) => height(a) - height(b))[attempt % Math.max(1, open.length)];
  const telling = open.filter((branch) => typeof branch === 'boolean' || branch.type !== 'null');
  const from = telling.length > 0 && random.next() >= NULL_SHARE ? telling : open;
  if (from.length === 0) return undefined;
  // Turn by turn on every other try, so that the one branch of many that fits is met; free in between.
  return attempt % 2 === 0 ? random.pick(from) : open[((attempt - 1) / 2) % open.length];
}

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
export function commonValues({ schemas, excluded }: Conjunction): unknown[] | undefined {
  let values: unknown[] | undefined;
  for (const schema of schemas) {
    const lists = [schema.enum, Object.hasOwn(schema, 'const') ? [schema.const] : undefined];
    for (const list of lists) {
      if (!list) continue;
      const allowed = new Set(list.map(canonical));
      values = (values ?? list).filter((value) => allowed.has(canonical(value)));
    }
  }
  return values?.filter((value) => !excluded.has(canonical(value)));
}
