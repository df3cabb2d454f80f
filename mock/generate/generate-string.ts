import type { SchemaObject } from '../../spec/json-schema/schema.js';
import { createLinearPattern } from '../../spec/linear-pattern.js';
import { type Generation, NONE, readLowerBound, readUpperBound, spend } from './generation.js';
import { isOfFormat } from './schema/formats.js';
import { generateFormatTexts } from './text/format-text.js';
import { createPatternWriter } from './text/pattern-text.js';
import { generateText, pickWord } from './text/property-texts.js';

const LONGEST = 10_000;
const REAL_TRIES = 4;
const PATTERN_TRIES = 60;
/** Longest text generated for a pattern: limits the cost of testing it. */
const LONGEST_MATCH = 2_000;
/** The cost of long texts is that of the words they consist of. */
const CHARACTERS_PER_UNIT = 10;
/** Steps of a pattern times characters of a text that cost one unit of work. */
const STEPS_PER_UNIT = 1_000;

/** `min` and `max`: characters. */
interface TextConstraints {
  name: string;
  format: string | undefined;
  patterns: readonly string[];
  min: number;
  max: number;
}

export function generateString(
  schemas: readonly SchemaObject[],
  name: string,
  generation: Generation,
): string | typeof NONE {
  const min = readLowerBound(schemas, 'minLength', 0);
  const max = readUpperBound(schemas, 'maxLength', Number.POSITIVE_INFINITY);
  if (min > max || min > LONGEST) return NONE;
  const patterns = schemas.flatMap(({ pattern }) => pattern ?? []);
  const format = schemas.find((schema) => schema.format !== undefined)?.format;
  const tests = patterns.map(createLinearPattern);
  const steps = tests.reduce((sum, test) => sum + test.steps, 0);
  for (const text of generateCandidates({ name, format, patterns, min, max }, generation)) {
    const { length } = [...text];
    spend(generation, 0.1 + length / CHARACTERS_PER_UNIT + (length * steps) / STEPS_PER_UNIT);
    if (length < min || length > max || !tests.every((pattern) => pattern.test(text))) continue;
    if (format === undefined || isOfFormat(text, format)) return text;
  }
  return NONE;
}

/**
 * Candidate texts, realistic ones first: of the format, or suitable for the name. Texts generated from a
 * pattern are valid, but meaningless.
 */
function* generateCandidates(request: TextConstraints, generation: Generation): Generator<string> {
  const { name, format, patterns, min, max } = request;
  const { random } = generation;
  const kind = format ?? (patterns.some((source) => source.includes('://')) ? 'uri' : undefined);
  const generateRealistic = () => (kind === undefined ? [] : generateFormatTexts(kind, min, random));
  yield* generateRealistic();
  if (patterns.length === 0)
    return yield fitLength(generateText(name, random), min, max, () => pickWord(random));
  if (kind === undefined) for (let i = 0; i < REAL_TRIES; i++) yield generateText(name, random);
  if (min > LONGEST_MATCH) return;
  const writers = patterns.map((source) => createPatternWriter(source, LONGEST_MATCH));
  for (let i = 0; i < PATTERN_TRIES; i++) {
    const source = patterns[i % patterns.length]!;
    const core = writers[i % patterns.length]!(random, chooseRepeats(i));
    spend(generation, core === undefined ? LONGEST_MATCH / CHARACTERS_PER_UNIT : 0);
    if (core === undefined) continue;
    const padding = 'a'.repeat(Math.max(0, min - core.length));
    yield source.endsWith('$') && !source.startsWith('^') ? padding + core : core + padding;
    for (const text of generateRealistic().slice(0, 1)) yield* combineParts(text, core, pickWord(random));
  }

  /** Repetitions beyond the minimum: a few at first, then none, then as many as the length requires. */
  function chooseRepeats(attempt: number): number {
    if (attempt < 8 && min <= 4) return 4;
    return attempt % 3 === 0 ? 0 : random.int(0, Math.max(4, min + 4));
  }
}

/**
 * Texts like `real` that contain `core`: `@acme\.com$` defines only the end of an address, `^2024-` only the
 * start of a date.
 */
function combineParts(real: string, core: string, word: string): string[] {
  const prefix = /^[a-z]+:\/\/[^/]*\//.exec(real)?.[0] ?? '';
  const suffix = /@.+$/.exec(real)?.[0] ?? '';
  return [
    ...[core + word, word + core, real + core, core + real],
    // `core` replaces a part of the same length: dates of one year, numbers with one prefix.
    ...[core + real.slice(core.length), real.slice(0, -core.length || undefined) + core],
    ...[core + suffix, word + core + suffix, prefix + core, prefix + word + core],
  ];
}

function fitLength(text: string, min: number, max: number, word: () => string): string {
  let result = text;
  while (result.length < min) result += ` ${word()}`;
  // A text should not end in a space; a letter keeps the length.
  return result.length > max ? [...result].slice(0, max).join('').replace(/ $/, 'a') : result;
}
