import type { Random } from '../random.js';
import { linearPattern } from '../schema/patterns.js';
import { type Expression, readExpression } from './expression.js';

const TRIES = 60;
/** Longest text written for a pattern: bounds what testing it can cost. */
export const LONGEST_MATCH = 2_000;

/** What a text must be like. `spend` is told of the work that testing takes and may throw to end it. */
export interface PatternRequest {
  patterns: readonly string[];
  /** Characters. */
  min: number;
  max: number;
  random: Random;
  spend(units: number): void;
}

/** Steps of a pattern times characters of a text that cost one unit of work. */
export const STEPS_PER_UNIT = 1_000;
/** Parts visited for one text: repeats of nothing make no text but take time. */
const MOST_VISITS = 10_000;

/**
 * A text that matches all patterns and is `min` to `max` characters long, or undefined when none was found. The
 * patterns must have passed the guard.
 */
export function textForPatterns({ patterns, min, max, random, spend }: PatternRequest): string | undefined {
  if (min > LONGEST_MATCH) return undefined;
  const tests = patterns.map(linearPattern);
  const steps = tests.reduce((sum, test) => sum + (typeof test === 'string' ? 0 : test.steps), 0);
  const trees = patterns.map(readExpression);
  for (let i = 0; i < TRIES; i++) {
    const source = patterns[i % patterns.length]!;
    let text = write(trees[i % trees.length]!, random, extraRepeats(i, min));
    if (text === undefined) {
      spend(MOST_VISITS / STEPS_PER_UNIT);
      continue;
    }
    if (text.length < min && !source.endsWith('$')) text += 'a'.repeat(min - text.length);
    else if (text.length < min && !source.startsWith('^')) text = 'a'.repeat(min - text.length) + text;
    const length = [...text].length;
    spend(0.1 + (steps * length) / STEPS_PER_UNIT);
    if (length < min || length > max) continue;
    if (tests.every((test) => typeof test !== 'string' && test.test(text))) return text;
  }
  return undefined;

  /** Repeats beyond the least: a few at first, then none, then as many as the length asks for. */
  function extraRepeats(attempt: number, length: number): number {
    if (attempt < 8 && length <= 4) return 4;
    if (attempt % 3 === 0) return 0;
    return random.int(0, Math.max(4, length + 4));
  }
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
        let pick = random.int(
          0,
          node.ranges.reduce((sum, [low, high]) => sum + Math.max(0, high - low + 1), 0) - 1,
        );
        for (const [low, high] of node.ranges) {
          const width = Math.max(0, high - low + 1);
          if (pick < width) {
            text += String.fromCodePoint(low + pick);
            return true;
          }
          pick -= width;
        }
        return false;
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
