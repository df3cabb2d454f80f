import type { SchemaObject } from '../../spec/json-schema/schema.js';
import { linearPattern } from '../../spec/linear-pattern.js';
import { type Generation, least, most, NONE, spend } from './generation.js';
import type { Random } from './random.js';
import { isOfFormat } from './schema/formats.js';
import { fakerFor } from './text/faker.js';
import { textForFormat } from './text/format-text.js';
import { textFor } from './text/names.js';
import { type PatternRequest, textAround, textForPatterns } from './text/pattern-text.js';

const LONGEST = 10_000;
const REAL_TRIES = 4;
/** Long texts cost the words they are put together from. */
const CHARACTERS_PER_UNIT = 10;

/** A text for the property `name` that fits the schemas, or NONE. */
export function generateString(
  schemas: readonly SchemaObject[],
  name: string,
  generation: Generation,
): string | typeof NONE {
  const { random } = generation;
  const min = most(schemas, 'minLength', 0);
  const max = least(schemas, 'maxLength', Number.POSITIVE_INFINITY);
  if (min > max || min > LONGEST) return NONE;
  const patterns = schemas.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]));
  const format = schemas.find((schema) => schema.format !== undefined)?.format;
  const request = { patterns, min, max, random, spend: (units: number) => spend(generation, units) };
  let text: string | undefined;
  if (patterns.length > 0) text = textForAll(request, format, name);
  else {
    if (format !== undefined) text = textForFormat(format, min, max, random);
    text ??= fitted(textFor(name, random), min, max, random);
  }
  if (text === undefined) return NONE;
  spend(generation, text.length / CHARACTERS_PER_UNIT);
  return text;
}

/**
 * With patterns, realistic values are tried first: a text of the format, or one that suits the name. Only then
 * a text is generated from the patterns, which is valid but meaningless.
 */
function textForAll(request: PatternRequest, format: string | undefined, name: string): string | undefined {
  const { patterns, min, max, random } = request;
  const isMatch = (text: string) => patterns.every((source) => linearPattern(source).test(text));
  const kind = format ?? (patterns.some((source) => source.includes('://')) ? 'uri' : undefined);
  for (let i = 0; i < REAL_TRIES; i++) {
    const text = kind ? textForFormat(kind, min, max, random) : textFor(name, random);
    if (text !== undefined && text.length >= min && text.length <= max && isMatch(text)) return text;
  }
  const fits = (text: string) => format === undefined || isOfFormat(text, format);
  for (let i = 0; i < REAL_TRIES; i++) {
    const text = textForPatterns(request);
    if (text === undefined) return undefined;
    if (fits(text)) return text;
  }
  for (let i = 0; i < REAL_TRIES; i++) {
    const real = textForFormat(format!, 0, Number.POSITIVE_INFINITY, random);
    const text = textAround(request, real, fits);
    if (text !== undefined) return text;
  }
  return undefined;
}

function fitted(text: string, min: number, max: number, random: Random): string {
  let result = text;
  while (result.length < min) result += ` ${fakerFor(random).word.noun()}`;
  const points = [...result];
  if (points.length <= max && points.length >= min) return result;
  const cut = points.slice(0, Math.max(min, Math.min(max, points.length))).join('');
  // A text should not end in a space; a letter keeps the length.
  return cut.replace(/ $/, 'a');
}
