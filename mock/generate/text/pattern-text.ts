import { linearPattern } from '../../../spec/linear-pattern.js';
import type { Random } from '../random.js';
import { type Expression, readExpression } from './expression.js';
import { fakerFor } from './faker.js';

const TRIES = 60;
/** Longest text written for a pattern: bounds what testing it can cost. */
const LONGEST_MATCH = 2_000;
/** Steps of a pattern times characters of a text that cost one unit of work. */
const STEPS_PER_UNIT = 1_000;
/** Parts visited for one text: repeats of nothing make no text but take time. */
const MOST_VISITS = 10_000;

/** What a text must be like. The patterns must have passed the guard. */
export interface PatternRequest {
  patterns: readonly string[];
  /** Characters. */
  min: number;
  max: number;
  random: Random;
  /** Takes the work of testing off an account; may throw to end it. */
  spend(units: number): void;
}

/** Whether a text has the length and matches all patterns. */
function isMatch({ patterns, min, max, spend }: PatternRequest, text: string): boolean {
  const tests = patterns.map(linearPattern);
  const { length } = [...text];
  spend(0.1 + (tests.reduce((sum, { steps }) => sum + steps, 0) * length) / STEPS_PER_UNIT);
  return length >= min && length <= max && tests.every((test) => test.test(text));
}

/** A text that matches all patterns and is `min` to `max` characters long, or undefined when none was found. */
export function textForPatterns(request: PatternRequest): string | undefined {
  const { patterns, min, random, spend } = request;
  if (min > LONGEST_MATCH) return undefined;
  const trees = patterns.map(readExpression);
  for (let i = 0; i < TRIES; i++) {
    const source = patterns[i % patterns.length]!;
    const text = write(trees[i % trees.length]!, random, extraRepeats(i));
    if (text === undefined) {
      spend(MOST_VISITS / STEPS_PER_UNIT);
      continue;
    }
    const padding = 'a'.repeat(Math.max(0, min - text.length));
    const padded = source.endsWith('$') ? (source.startsWith('^') ? text : padding + text) : text + padding;
    if (isMatch(request, padded)) return padded;
  }
  return undefined;

  /** Repeats beyond the least: a few at first, then none, then as many as the length asks for. */
  function extraRepeats(attempt: number): number {
    if (attempt < 8 && min <= 4) return 4;
    return attempt % 3 === 0 ? 0 : random.int(0, Math.max(4, min + 4));
  }
}

/**
 * A text that matches the patterns because a part of it does, where they are open at an end: `@acme\.com$` says only
 * how an address ends, `^x_` only how a name begins. `real` reads like a real value, of which parts may be put around.
 */
export function textAround(
  request: PatternRequest,
  real?: string,
  fits: (text: string) => boolean = () => true,
): string | undefined {
  const core = textForPatterns({ ...request, min: 0 });
  if (core === undefined) return undefined;
  const filler = wordFrom(request.random);
  const shapes = [filler, core + filler, filler + core];
  if (real !== undefined) {
    shapes.push(real + core, core + real);
    // In place of as much of it: dates of one year, numbers with one beginning.
    shapes.push(core + real.slice(core.length), real.slice(0, -core.length || undefined) + core);
    // What an address or a link begins and ends with: some formats ask for both around the core.
    const begin = /^[a-z]+:\/\/[^/]*\//.exec(real)?.[0] ?? '';
    const end = /@.+$/.exec(real)?.[0] ?? '';
    shapes.push(core + end, filler + core + end, core + end.slice(1), begin + core, begin + filler + core);
  }
  return [...shapes, core].find((text) => isMatch(request, text) && fits(text));
}

/** A noun in lower-case letters. */
export function wordFrom(random: Random): string {
  return (
    fakerFor(random)
      .word.noun()
      .replace(/[^a-z]/g, '') || 'word'
  );
}

function write(tree: Expression, random: Random, extra: number): string | undefined {
  let text = '';
  let visits = 0;
  return visit(tree) ? text : undefined;

  function visit(node: Expression): boolean {
    if (text.length > LONGEST_MATCH || ++visits > MOST_VISITS) return false;
    switch (node.kind) {
      case 'set': {
        // Ranges by their width, so that letters do not lose against one dot.
        const widths = node.ranges.map(([low, high]) => Math.max(0, high - low + 1));
        let pick = random.int(0, widths.reduce((sum, width) => sum + width, 0) - 1);
        const range = widths.findIndex((width) => {
          pick -= width;
          return pick < 0;
        });
        text += String.fromCodePoint(node.ranges[range]![1] + 1 + pick);
        return true;
      }
      case 'sequence':
        return node.parts.every(visit);
      case 'choice':
        return visit(random.pick(node.branches));
      case 'repeat': {
        const times = node.min + random.int(0, Math.min(node.max - node.min, extra));
        for (let i = 0; i < times; i++) if (!visit(node.part)) return false;
        return true;
      }
    }
  }
}
