import { RE2JS } from 're2js';

/** Maximum characters of a pattern, and steps of its program: both limit the cost of a match. */
const MOST_CHARACTERS = 1_000;
export const MOST_STEPS = 10_000;
const MOST_CACHED = 500;

/** A regular expression that takes linear time on every text. */
export interface LinearPattern {
  test(text: string): boolean;
  /** Steps of the compiled program. Matching costs at most this times the length of the text. */
  steps: number;
}

const cache = new Map<string, LinearPattern | string>();

/**
 * Compiles a regular expression in ECMA syntax for an engine without backtracking. Returns the reason as text if that is
 * impossible: look-around and back-references have no linear-time form.
 */
export function compilePattern(source: string): LinearPattern | string {
  if (source.length > MOST_CHARACTERS)
    return `a pattern of ${source.length} characters (at most ${MOST_CHARACTERS})`;
  const compiled = cache.get(source) ?? compile(source);
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(source, compiled);
  return compiled;
}

/** For a pattern that is known to compile; any other pattern matches nothing. */
export function createLinearPattern(source: string): LinearPattern {
  const compiled = compilePattern(source);
  return typeof compiled === 'string' ? { test: () => false, steps: 0 } : compiled;
}

function compile(source: string): LinearPattern | string {
  try {
    if (countRepeats(source) > MOST_STEPS) return 'repeat counts that add up to too much';
    const expression = RE2JS.compile(RE2JS.translateRegExp(source));
    const steps = expression.programSize();
    if (steps > MOST_STEPS) return `a pattern of ${steps} steps (at most ${MOST_STEPS})`;
    return { test: (text) => expression.test(text), steps };
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    return /\(\?<?[=!]/.test(source) ? `look-around (${reason})` : reason;
  }
}

/** The sum of the repeat counts: checked first, because building the program is the expensive part. */
function countRepeats(source: string): number {
  let sum = 0;
  for (const [, from, to] of source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) sum += Number(to || from);
  return sum;
}
