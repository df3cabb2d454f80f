import { type Schema, type SchemaObject, TYPE_NAMES, type TypeName } from '../../spec/json-schema/schema.js';
import { negate } from './negate.js';
import type { Random } from './random.js';
import type { SchemaDocument } from './schema/document.js';
import { canonical } from './schema/problem.js';

/** All the schemas one value must fit at once, references followed and branches chosen. */
export interface Conjunction {
  schemas: SchemaObject[];
  absent: Set<string>;
  excluded: Set<string>;
}

/** What choosing branches depends on. */
export interface SchemaChoices {
  document: SchemaDocument;
  random: Random;
  minimumDepth(schema: Schema): number;
  /** True when the value has grown large or deep enough: the flattest branch is taken. */
  isMinimal: boolean;
  /** Counts the tries at this place: later ones take other branches. */
  attempt: number;
}

const MOST_SCHEMAS = 5_000;

/** Chooses one way to fit all of `schemas`. Undefined when this way contradicts itself. */
export function expand(schemas: readonly Schema[], choices: SchemaChoices): Conjunction | undefined {
  const { document, random } = choices;
  const result: Conjunction = { schemas: [], absent: new Set(), excluded: new Set() };
  const seen = new Set<SchemaObject>();
  const queue: Schema[] = [...schemas];
  const avoid = (schema: Schema): boolean => {
    const negation = negate(schema, document, random);
    if (!negation) return false;
    queue.push(...negation.schemas);
    for (const name of negation.absent) result.absent.add(name);
    for (const value of negation.excluded) result.excluded.add(value);
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
      const yes = choices.isMinimal
        ? choices.minimumDepth(schema.then ?? true) <= choices.minimumDepth(schema.else ?? true)
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
  { random, minimumDepth, isMinimal, attempt }: SchemaChoices,
): Schema | undefined {
  const open = branches.filter((branch) => Number.isFinite(minimumDepth(branch)));
  if (isMinimal)
    return open.sort((a, b) => minimumDepth(a) - minimumDepth(b))[attempt % Math.max(1, open.length)];
  const informative = open.filter((branch) => typeof branch === 'boolean' || branch.type !== 'null');
  const from = informative.length > 0 && random.next() >= NULL_SHARE ? informative : open;
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
