import type { Choices } from './choices.js';
import type { Fields, Json } from './ledger.js';

export function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sameJson(a: Json, b: Json): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((v, i) => sameJson(v, b[i]!));
  if (isFields(a) && isFields(b)) {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((n) => n in b && sameJson(a[n]!, b[n]!));
  }
  return a === b;
}

function resolveRef(schema: Json, root: Json): Json {
  if (!isFields(schema) || typeof schema['$ref'] !== 'string') return schema;
  let target: Json | undefined = root;
  for (const step of schema['$ref'].split('/').slice(1)) {
    target = isFields(target) ? target[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  return target ?? false;
}

function typesOf(schema: Fields): string[] {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  if ('properties' in schema || 'required' in schema) return ['object'];
  if ('items' in schema) return ['array'];
  if ('minimum' in schema || 'maximum' in schema) return ['number'];
  return [];
}

function hasType(value: Json, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isFields(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

const formats: Record<string, string> = {
  'date-time': '2031-02-03T04:05:06Z',
  date: '2031-02-03',
  time: '04:05:06Z',
  email: 'someone@example.org',
  uri: 'https://example.org/found',
  url: 'https://example.org/found',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

const knownWords = new Set(
  '$ref $schema $id $defs definitions title description default examples type properties required items enum const format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems additionalProperties anyOf oneOf allOf'.split(
    ' ',
  ),
);

const num = (value: Json | undefined, otherwise: number) => (typeof value === 'number' ? value : otherwise);

/** Whether a value matches a schema, or 'unknown word' where the schema says more than is understood here. */
function fits(schema: Json, value: Json, root: Json): boolean {
  const s = resolveRef(schema, root);
  if (!isFields(s)) return s === true;
  if (Object.keys(s).some((word) => !knownWords.has(word) && !word.startsWith('x-'))) return false;
  const types = Array.isArray(s['type']) || typeof s['type'] === 'string' ? typesOf(s) : [];
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return false;
  if ('const' in s && !sameJson(s['const']!, value)) return false;
  if (Array.isArray(s['enum']) && !s['enum'].some((one) => sameJson(one, value))) return false;
  const some = (word: string) =>
    Array.isArray(s[word]) ? s[word].filter((one) => fits(one, value, root)).length : -1;
  if (some('anyOf') === 0 || (Array.isArray(s['oneOf']) && some('oneOf') !== 1)) return false;
  if (Array.isArray(s['allOf']) && some('allOf') !== s['allOf'].length) return false;
  if (typeof value === 'number') return fitsNumber(s, value);
  if (typeof value === 'string') {
    const length = [...value].length;
    if (length < num(s['minLength'], 0) || length > num(s['maxLength'], Number.POSITIVE_INFINITY))
      return false;
    return typeof s['pattern'] !== 'string' || new RegExp(s['pattern'], 'u').test(value);
  }
  if (Array.isArray(value)) {
    if (value.length < num(s['minItems'], 0) || value.length > num(s['maxItems'], 1e9)) return false;
    return s['items'] === undefined || value.every((one) => fits(s['items']!, one, root));
  }
  return !isFields(value) || fitsObject(s, value, root);
}

function fitsNumber(s: Fields, value: number): boolean {
  if (value < num(s['minimum'], -1e308) || value > num(s['maximum'], 1e308)) return false;
  if (value <= num(s['exclusiveMinimum'], Number.NEGATIVE_INFINITY)) return false;
  if (value >= num(s['exclusiveMaximum'], Number.POSITIVE_INFINITY)) return false;
  return typeof s['multipleOf'] !== 'number' || Number.isInteger(value / s['multipleOf']);
}

function fitsObject(s: Fields, value: Fields, root: Json): boolean {
  const properties = isFields(s['properties']) ? s['properties'] : {};
  if (Array.isArray(s['required']) && s['required'].some((name) => !Object.hasOwn(value, String(name))))
    return false;
  return Object.entries(value).every(([name, one]) =>
    Object.hasOwn(properties, name)
      ? fits(properties[name]!, one, root)
      : fits(s['additionalProperties'] ?? true, one, root),
  );
}

function guessText(s: Fields): string {
  const least = num(s['minLength'], 0);
  const candidates = [formats[String(s['format'])] ?? 'found'];
  if (typeof s['pattern'] === 'string') {
    candidates.push(
      'a',
      'A',
      '1',
      '12',
      '123',
      '1234',
      '12345',
      'abc',
      'ABC',
      'AB-123',
      'ABC-123',
      '2031-02-03',
    );
    const pattern = new RegExp(s['pattern'], 'u');
    return candidates.find((one) => pattern.test(one)) ?? 'found';
  }
  return candidates[0]!.padEnd(least, '.').slice(0, num(s['maxLength'], 1e6));
}

function guessNumber(s: Fields, whole: boolean): number {
  const step = num(s['multipleOf'], whole ? 1 : 0.5);
  const low = num(
    s['minimum'],
    num(s['exclusiveMinimum'], Math.min(7, num(s['maximum'], num(s['exclusiveMaximum'], 7)) - step)),
  );
  const first = Math.ceil(low / step) * step;
  return first <= num(s['exclusiveMinimum'], Number.NEGATIVE_INFINITY) ? first + step : first;
}

function guess(schema: Json, root: Json, choices: Choices, depth: number): Json {
  const s = resolveRef(schema, root);
  if (!isFields(s) || depth > 12) return null;
  if ('const' in s) return s['const']!;
  if (Array.isArray(s['enum'])) {
    return choices.fault('enum-overlooked') ? 'other' : (s['enum'].at(-1) ?? null);
  }
  for (const word of ['anyOf', 'oneOf']) {
    const options = s[word];
    if (Array.isArray(options)) {
      const made = options.map((one) =>
        guess({ ...s, ...(resolveRef(one, root) as Fields), [word]: null }, root, choices, depth + 1),
      );
      return made.find((one) => fits(s, one, root)) ?? null;
    }
  }
  if (Array.isArray(s['allOf'])) {
    const parts = s['allOf'].map((one) => resolveRef(one, root)).filter(isFields);
    const properties = Object.assign({}, ...[s, ...parts].map((one) => one['properties'] ?? {})) as Fields;
    const required = [s, ...parts].flatMap((one) => (Array.isArray(one['required']) ? one['required'] : []));
    const { allOf: _, ...rest } = s;
    return guess(
      Object.assign({}, ...parts, rest, { properties, required }) as Fields,
      root,
      choices,
      depth + 1,
    );
  }
  return guessByType(s, root, choices, depth);
}

function guessByType(s: Fields, root: Json, choices: Choices, depth: number): Json {
  switch (typesOf(s)[0]) {
    case 'object': {
      const properties = isFields(s['properties']) ? s['properties'] : {};
      let names = Array.isArray(s['required']) ? s['required'].map(String) : [];
      if (choices.fault('only-first-required')) names = names.slice(0, 1);
      else if (depth < 4) names = [...new Set([...names, ...Object.keys(properties)])];
      return Object.fromEntries(names.map((n) => [n, guess(properties[n] ?? {}, root, choices, depth + 1)]));
    }
    case 'array':
      return Array.from(
        { length: Math.min(Math.max(1, num(s['minItems'], 1)), num(s['maxItems'], 50)) },
        () => guess(s['items'] ?? {}, root, choices, depth + 1),
      );
    case 'integer':
      return choices.fault('integers-as-text') ? String(guessNumber(s, true)) : guessNumber(s, true);
    case 'number':
      return guessNumber(s, false);
    case 'boolean':
      return true;
    case 'string':
      return guessText(s);
    default:
      return null;
  }
}

const strict: Choices = { varies: () => false, fault: () => false };

export function matchesSchema(schema: Json, value: Json): boolean {
  try {
    return fits(schema, value, schema);
  } catch {
    return false; // a pattern that is no regular expression
  }
}

/** A value that matches the schema, or undefined where none is found: nothing is invented then. */
export function makeMatching(schema: Json, choices: Choices = strict): { value: Json } | undefined {
  try {
    if (!fits(schema, guess(schema, schema, strict, 0), schema)) return undefined;
    return { value: guess(schema, schema, choices, 0) };
  } catch {
    return undefined;
  }
}
