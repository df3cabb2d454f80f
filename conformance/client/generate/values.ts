import type { Random } from '../../../mock/generate/random.js';

/**
 * Texts that clients often change: empty and blank ones, texts that resemble another type or need escapes, many scripts. None has an
 * unpaired surrogate, which JSON of other languages cannot represent, or `{{`, which is a placeholder in scenarios.
 */
const TEXTS = [
  '',
  ' ',
  ' leading and trailing ',
  '0',
  '007',
  '0170',
  '1e3',
  '-1',
  'true',
  'false',
  'null',
  'undefined',
  'NaN',
  'None',
  'yes',
  '~',
  '2026-02-30',
  '2026-02-28T23:59:59.999+02:00',
  '{"code":400,"output":"no"}',
  '[1,2]',
  '"quoted"',
  "it's",
  '\\n is no line break',
  'two\nlines',
  'tab\tand\r\nreturn',
  '\u0000\u0001\u001f\u007f',
  '<b>&amp;</b>',
  '100% %20 a+b c%2Fd',
  'two  blanks   and more',
  '# no comment: - nor a list',
  '\u00e9 and e\u0301',
  'stra\u00dfe \u0130\u0131',
  'Ελληνικά кириллица ქართული',
  'שלום مرحبا',
  'हिन्दी ไทย አማርኛ',
  '中文 日本語 한국어',
  '\u{1f600}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u{1f1f3}\u{1f1f4}',
  '\u{10ffff}\u{20000}',
  '\u2028 \u2029 \u0085 \u00a0',
  'a\u200bb\u202ec\ufeffd',
  'https://example.com/a?b=c&d=%C3%A9#f',
  'constructor',
];

const BLANK = ['', ' ', '\n', ' x\n'];

/** Doubles that every language parses and prints exactly. Integers stay within 2^53. */
const NUMBERS = [
  0,
  1,
  -1,
  2,
  200,
  400,
  0.1,
  -0.5,
  1.5,
  0.30000000000000004,
  1e-7,
  1.7976931348623157e308,
  2.2250738585072014e-308,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  1_764_000_000_000,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  123456.789,
];

/** Field names of the protocol, and names that objects in many languages already have. */
const KEYS = [
  'a',
  'A',
  'a b',
  '',
  '0',
  '1',
  '01',
  'id',
  'r',
  'code',
  'name',
  'input',
  'output',
  'error',
  'detail',
  'status',
  'events',
  'payload',
  'credits_used',
  'page_url',
  'Content-Type',
  'length',
  'constructor',
  '__proto__',
  'größe',
  '名前',
  '\u{1f511}',
  'x.y',
  '$id',
];

const DEEPEST = 30;
const LONG_TEXT = 12_000;
const LONG_LIST = 400;
const MOST_MEMBERS = 4;
const LONGEST_IN_ENUM = 20;

/** One text or several joined, occasionally a long one. */
export function drawText(random: Random): string {
  const kind = random.next();
  if (kind < 0.1) return random.pick(BLANK);
  if (kind < 0.4) return random.pick(TEXTS);
  const parts = Array.from({ length: random.int(2, 5) }, () => random.pick(TEXTS));
  if (kind < 0.97) return parts.join(random.pick(['', ' ', '\n']));
  return drawLongText(random);
}

/** 1,000 to 12,000 characters. */
export function drawLongText(random: Random): string {
  return repeatPart(random, random.pick(TEXTS), 1000, LONG_TEXT);
}

/** More than 64 KiB, in characters of one to four bytes: it arrives in several chunks, split at any byte. */
export function drawLargeText(random: Random): string {
  return repeatPart(random, `${random.pick(TEXTS)}\u{1f511}é中`, 70_000, 150_000);
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
  if (kind < 0.2) return random.pick([null, false, 0, '', [], {}, [[]]]);
  if (kind < 0.4) return drawText(random);
  if (kind < 0.55) return drawNumber(random);
  if (kind < 0.6) return true;
  if (depth === 0 && kind < 0.64) return drawDeepValue(random);
  if (depth === 0 && kind < 0.7) return drawLongList(random);
  if (depth > 2) return drawText(random);
  return kind < 0.8 ? drawList(random, depth + 1) : drawObject(random, depth + 1);
}

export function drawObject(random: Random, depth = 1): Record<string, unknown> {
  const keys = new Set(Array.from({ length: random.int(1, MOST_MEMBERS) }, () => random.pick(KEYS)));
  return Object.fromEntries([...keys].map((key) => [key, drawValue(random, depth)]));
}

function drawList(random: Random, depth: number): unknown[] {
  return Array.from({ length: random.int(1, MOST_MEMBERS) }, () => drawValue(random, depth));
}

function drawDeepValue(random: Random): unknown {
  let value: unknown = drawValue(random, 1);
  for (let level = random.int(8, DEEPEST); level > 0; level--)
    value = random.next() < 0.5 ? [value] : { [random.pick(KEYS)]: value };
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
