import { least, most, NONE } from './bounds.js';
import type { Conjunction } from './conjunction.js';
import { fakerFor } from './faker.js';
import { textForFormat } from './format-text.js';
import { textFor } from './names.js';
import { textForPatterns } from './pattern-text.js';
import type { Random } from './random.js';
import { canonical } from './schema.js';

const TRIES = 30;

/** A text for the property `name` that fits the schemas, or NONE. */
export function growText(
  { schemas, excluded }: Conjunction,
  name: string,
  random: Random,
): string | typeof NONE {
  const min = most(schemas, 'minLength', 0);
  const max = least(schemas, 'maxLength', Number.POSITIVE_INFINITY);
  if (min > max) return NONE;
  const patterns = schemas.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]));
  const format = schemas.find((schema) => schema.format !== undefined)?.format;
  for (let i = 0; i < TRIES; i++) {
    let text: string | undefined;
    if (patterns.length > 0) text = textForPatterns(patterns, min, max, random);
    else if (format !== undefined) text = textForFormat(format, min, max, random);
    text ??= patterns.length > 0 ? undefined : fitted(textFor(name, random), min, max, random);
    if (text === undefined) return NONE;
    if (!excluded.has(canonical(text))) return text;
  }
  return NONE;
}

function fitted(text: string, min: number, max: number, random: Random): string {
  let result = text;
  while (result.length < min) result += ` ${fakerFor(random).word.noun()}`;
  const points = [...result];
  if (points.length <= max && points.length >= min) return result;
  const cut = points.slice(0, Math.max(min, Math.min(max, points.length))).join('');
  // A cut that ends in a space looks like a mistake; a letter keeps the length.
  return cut.replace(/ $/, 'a');
}
