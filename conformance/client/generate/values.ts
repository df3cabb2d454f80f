import type { Random } from '../../../mock/generate/random.js';
import {
  BLANK_TEXTS,
  EMPTY_VALUES,
  MEMBER_NAMES,
  NUMBERS,
  UNUSUAL_TEXTS,
} from '../../common/interesting-values.js';

const DEEPEST = 30;
const LONG_TEXT = 12_000;
const LONG_LIST = 400;
const MOST_MEMBERS = 4;
const LONGEST_IN_ENUM = 20;

/** One text or several joined, occasionally a long one. */
export function drawText(random: Random): string {
  const kind = random.next();
  if (kind < 0.1) return random.pick(BLANK_TEXTS);
  if (kind < 0.4) return random.pick(UNUSUAL_TEXTS);
  const parts = Array.from({ length: random.int(2, 5) }, () => random.pick(UNUSUAL_TEXTS));
  if (kind < 0.97) return parts.join(random.pick(['', ' ', '\n']));
  return drawLongText(random);
}

/** 1,000 to 12,000 characters. */
export function drawLongText(random: Random): string {
  return repeatPart(random, random.pick(UNUSUAL_TEXTS), 1000, LONG_TEXT);
}

/** More than 64 KiB, in characters of one to four bytes: it arrives in several chunks, split at any byte. */
export function drawLargeText(random: Random): string {
  return repeatPart(random, `${random.pick(UNUSUAL_TEXTS)}\u{1f511}é中`, 70_000, 150_000);
}

function repeatPart(random: Random, text: string, least: number, most: number): string {
  const part = `${text}·`;
  return part.repeat(Math.ceil(random.int(least, most) / part.length));
}

function drawNumber(random: Random): number {
  return random.next() < 0.7 ? random.pick(NUMBERS) : random.int(-1_000_000, 1_000_000) / 100;
}

/** Any JSON value. Falsy ones are frequent. */
export function drawValue(random: Random, depth = 0): unknown {
  const kind = random.next();
  if (kind < 0.2) return random.pick(EMPTY_VALUES);
  if (kind < 0.4) return drawText(random);
  if (kind < 0.55) return drawNumber(random);
  if (kind < 0.6) return true;
  if (depth === 0 && kind < 0.64) return drawDeepValue(random);
  if (depth === 0 && kind < 0.7) return drawLongList(random);
  if (depth > 2) return drawText(random);
  return kind < 0.8 ? drawList(random, depth + 1) : drawObject(random, depth + 1);
}

export function drawObject(random: Random, depth = 1): Record<string, unknown> {
  const keys = new Set(Array.from({ length: random.int(1, MOST_MEMBERS) }, () => random.pick(MEMBER_NAMES)));
  return Object.fromEntries([...keys].map((key) => [key, drawValue(random, depth)]));
}

function drawList(random: Random, depth: number): unknown[] {
  return Array.from({ length: random.int(1, MOST_MEMBERS) }, () => drawValue(random, depth));
}

function drawDeepValue(random: Random): unknown {
  let value: unknown = drawValue(random, 1);
  for (let level = random.int(8, DEEPEST); level > 0; level--)
    value = random.next() < 0.5 ? [value] : { [random.pick(MEMBER_NAMES)]: value };
  return value;
}

function drawLongList(random: Random): unknown {
  const length = random.next() < 0.4 ? random.int(11, 40) : random.int(100, LONG_LIST);
  return Array.from({ length }, (_, index) => (index % 7 === 0 ? null : index * random.pick([1, 0.5])));
}

/** A JSON Schema that accepts the value. Its keywords include null, false, 0 and empty strings, lists and objects. */
export function inferSchema(value: unknown): Record<string, unknown> {
  if (value === null) return { type: ['null', 'string'], default: null };
  if (typeof value === 'boolean') return { const: value };
  if (typeof value === 'number') return { type: 'number', default: 0 };
  if (typeof value === 'string')
    return value.length > LONGEST_IN_ENUM ? { type: 'string', minLength: 0 } : { enum: [null, value] };
  if (Array.isArray(value)) return { type: 'array', items: {}, examples: [[]] };
  const names = Object.keys(value as object).filter(isNameable);
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, inferSchema((value as Record<string, unknown>)[name])]),
    ),
    required: names,
    additionalProperties: names.length < Object.keys(value as object).length,
  };
}

/** Services may refuse a schema with a field name that objects in their language cannot have. */
export function isNameable(name: string): boolean {
  return name !== '__proto__';
}
