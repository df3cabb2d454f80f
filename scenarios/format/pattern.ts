import { RE2JS } from 're2js';

const MOST_CHARACTERS = 1_000;
const MOST_STEPS = 10_000;

/** A regular expression that takes linear time on every text. */
export interface Pattern {
  test(text: string): boolean;
}

/** Compiles ECMA syntax for an engine without backtracking; gives the reason as text where it cannot. */
export function compilePattern(source: string): Pattern | string {
  if (source.length > MOST_CHARACTERS)
    return `it has ${source.length} characters, ${MOST_CHARACTERS} at most`;
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(source));
    if (expression.programSize() > MOST_STEPS) return 'it repeats too much';
    return { test: (text) => expression.test(text) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
