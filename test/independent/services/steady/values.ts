/** Values that fit a JSON Schema. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export class CannotFit extends Error {}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const numberOr = (value: Json | undefined, other: number) => (typeof value === 'number' ? value : other);
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

function resolve(schema: Json | undefined, root: Json): JsonObject {
  if (schema === false) throw new CannotFit('No value fits the schema false');
  if (!isObject(schema)) return {};
  if (typeof schema.$ref !== 'string') return schema;
  let found: Json | undefined = root;
  for (const part of schema.$ref.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) ? found[key] : undefined;
  }
  if (found === undefined) throw new CannotFit(`Nothing at ${schema.$ref}`);
  const { $ref: _, ...beside } = schema;
  return { ...resolve(found, root), ...beside };
}

const FORMATS: Record<string, string> = {
  email: 'someone@steady.example',
  uri: 'https://steady.example/',
  url: 'https://steady.example/',
  date: '2024-02-29',
  time: '23:59:59Z',
  'date-time': '2024-02-29T23:59:59Z',
  uuid: '7d9a95a4-31c0-4000-8000-00009fd370d7',
  ipv4: '192.0.2.1',
  hostname: 'steady.example',
};
const PATTERNED = ['a', 'A', '7', 'abc', 'Abc', 'ABC', '123', '0007', 'ABC-123', 'ABC-1234', '2024-02-29'];
const PATTERNED_MORE = [
  'AB',
  '12',
  '12345',
  '12.50',
  '#00aa00',
  'abc-def',
  'abc_def',
  'ab12',
  'AB123456',
  '',
];

function sampleText(schema: JsonObject, hint: string): string {
  const least = numberOr(schema.minLength, 0);
  if (typeof schema.pattern === 'string') {
    const pattern = new RegExp(schema.pattern, 'u');
    const choices = [...PATTERNED, ...PATTERNED_MORE, ...Object.values(FORMATS), hint];
    const found = choices.find((text) => pattern.test(text) && fits({ ...schema, pattern: '' }, text));
    if (found === undefined) throw new CannotFit(`No text found for the pattern ${schema.pattern}`);
    return found;
  }
  if (typeof schema.format === 'string' && FORMATS[schema.format] !== undefined)
    return FORMATS[schema.format]!;
  return [...hint.padEnd(least, '.')].slice(0, numberOr(schema.maxLength, Infinity)).join('');
}

function sampleNumber(schema: JsonObject, whole: boolean): number {
  const step = numberOr(schema.multipleOf, whole ? 1 : 0.5);
  const above = numberOr(schema.exclusiveMinimum, -Infinity);
  const least = numberOr(schema.minimum, -Infinity);
  const most = Math.min(numberOr(schema.maximum, Infinity), numberOr(schema.exclusiveMaximum, Infinity));
  const start = Math.max(above, least) > -Infinity ? Math.max(above, least) : Math.min(3, most);
  const low = Math.ceil(start / step) * step;
  const choices = [low, low + step, low - step, Math.floor(start / step) * step - step, (start + most) / 2];
  const found = choices.find((number) => fits({ ...schema, type: whole ? 'integer' : 'number' }, number));
  if (found === undefined) throw new CannotFit('No number fits its bounds');
  return found;
}

export interface SampleOptions {
  requiredOnly: boolean;
  hint: string;
}

export function sample(
  given: Json | undefined,
  options: SampleOptions,
  root = given ?? null,
  depth = 0,
): Json {
  const schema = resolve(given, root);
  const next = (inner: Json | undefined, hint = options.hint) =>
    sample(inner, { ...options, hint }, root, depth + 1);
  if (depth > 40) throw new CannotFit('The schema never ends');
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) {
    if (schema.enum.length === 0) throw new CannotFit('An empty enum');
    return schema.enum.at(-1)!;
  }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema;
    const parts = [rest, ...allOf.map((part) => resolve(part, root))];
    const merged: JsonObject = Object.assign({}, ...parts);
    merged.properties = Object.assign({}, ...parts.map((part) => part.properties));
    merged.required = parts.flatMap((part) => listOf(part.required));
    return next(merged);
  }
  const choices = Array.isArray(schema.oneOf) ? schema.oneOf : schema.anyOf;
  if (Array.isArray(choices)) {
    const { oneOf: _one, anyOf: _any, ...rest } = schema;
    for (const choice of choices) {
      try {
        const made = next({ ...rest, ...resolve(choice, root) });
        if (fits(schema, made, root)) return made;
      } catch (error) {
        if (!(error instanceof CannotFit)) throw error;
      }
    }
    throw new CannotFit('No branch can be fitted');
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : (schema.type ?? guessType(schema));
  if (type === 'null') return null;
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return sampleNumber(schema, type === 'integer');
  if (type === 'array') {
    const first = listOf(schema.prefixItems).map((inner) => next(inner));
    const most = numberOr(schema.maxItems, Infinity);
    const length = Math.min(most, Math.max(numberOr(schema.minItems, depth > 6 ? 0 : 1), first.length));
    for (let at = first.length; at < length; at++)
      first.push(next(schema.items, `${options.hint} ${at + 1}`));
    return first;
  }
  if (type === 'object') {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = listOf(schema.required).map(String);
    const optional = options.requiredOnly || depth > 6 ? [] : Object.keys(properties);
    const names = [...new Set([...required, ...optional])];
    return Object.fromEntries(names.map((name) => [name, next(properties[name], name)]));
  }
  return sampleText(schema, options.hint);
}

function guessType(schema: JsonObject): string {
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  if (schema.items !== undefined) return 'array';
  return schema.minimum !== undefined || schema.maximum !== undefined ? 'number' : 'string';
}

const typeOf = (value: Json) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
export const sameValue = (one: Json, other: Json) => JSON.stringify(one) === JSON.stringify(other);

export function fits(given: Json | undefined, value: Json, root = given ?? null): boolean {
  if (given === false) return false;
  const schema = resolve(given, root);
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
  const kind = typeOf(value);
  const isKind = (type: Json) => type === kind || (type === 'integer' && Number.isInteger(value));
  if (types.length > 0 && !types.some(isKind)) return false;
  if (schema.const !== undefined && !sameValue(schema.const, value)) return false;
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => sameValue(one, value))) return false;
  const inner = (part: Json) => fits(part, value, root);
  if (!listOf(schema.allOf).every(inner)) return false;
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some(inner)) return false;
  if (Array.isArray(schema.oneOf) && schema.oneOf.filter(inner).length !== 1) return false;
  if (schema.not !== undefined && inner(schema.not)) return false;
  if (typeof value === 'string') {
    const length = [...value].length;
    if (length < numberOr(schema.minLength, 0) || length > numberOr(schema.maxLength, Infinity)) return false;
    return typeof schema.pattern !== 'string' || new RegExp(schema.pattern, 'u').test(value);
  }
  if (typeof value === 'number') {
    if (value < numberOr(schema.minimum, -Infinity) || value > numberOr(schema.maximum, Infinity))
      return false;
    if (value <= numberOr(schema.exclusiveMinimum, -Infinity)) return false;
    if (value >= numberOr(schema.exclusiveMaximum, Infinity)) return false;
    return typeof schema.multipleOf !== 'number' || Number.isInteger(value / schema.multipleOf);
  }
  if (Array.isArray(value)) {
    if (value.length < numberOr(schema.minItems, 0)) return false;
    if (value.length > numberOr(schema.maxItems, Infinity)) return false;
    if (schema.uniqueItems === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length)
      return false;
    return schema.items === undefined || value.every((one) => fits(schema.items, one, root));
  }
  if (!isObject(value)) return true;
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (!listOf(schema.required).every((name) => Object.hasOwn(value, String(name)))) return false;
  return Object.entries(value).every(([name, one]) =>
    Object.hasOwn(properties, name)
      ? fits(properties[name], one, root)
      : schema.additionalProperties === undefined || fits(schema.additionalProperties, one, root),
  );
}

export function sampleFitting(schema: Json, options: SampleOptions): Json {
  const made = sample(schema, options);
  if (!fits(schema, made)) throw new CannotFit('The schema asks for more than this service can make up');
  return made;
}
