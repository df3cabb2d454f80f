import { show } from '../../../spec/show.js';
import { Source, type Violation } from '../load/source.js';
import type { NetworkRule, Problem } from '../types.js';
import { checkNetworkRule } from './check-rule.js';
import { buildRule } from './rule.js';
import { parseNetworkSpec } from './shorthand.js';

/**
 * Reads a network file: a list of rules, a mapping with `rules`, or rules in shorthand (`delay 200ms; fail 503 of poll`). Returns
 * no rules if there are problems.
 */
export function loadNetworkText(
  text: string,
  { file, isObject }: { file: string; isObject?: boolean },
): { rules: NetworkRule[]; problems: Problem[] } {
  const { source, problems } = Source.read(text, file, isObject);
  if (!source || problems.length > 0) return { rules: [], problems };
  const { value } = source;
  const isList = typeof value === 'string' || Array.isArray(value);
  const { rules = value, ...others } = (isList ? {} : (value ?? {})) as Record<string, unknown>;
  const path = isList ? [] : ['rules'];
  const list: unknown[] = Array.isArray(rules) ? rules : [];
  const violations: Violation[] = [
    ...Object.keys(others).map((key): Violation => {
      return { path: [key], at: 'key', message: `unknown key "${key}"; known here: rules` };
    }),
    ...list.flatMap((rule, index) => checkNetworkRule(rule, [...path, index])),
  ];
  if (violations.length === 0 && typeof rules === 'string')
    return readShorthand(rules, source.locate(path), file);
  if (violations.length === 0 && !Array.isArray(rules)) {
    const expected = 'a list of rules, a mapping with a list "rules", or a text such as "delay 200ms"';
    violations.push({ path: [], message: `expected ${expected}; found ${show(value)}` });
  }
  if (violations.length > 0) return { rules: [], problems: source.toProblems(violations) };
  return { rules: list.map((rule) => buildRule(rule as Record<string, unknown>)), problems: [] };
}

/** Columns of problems do not count a quotation mark before the text. */
function readShorthand(text: string, start: { line: number; column: number }, file: string) {
  const { rules, problems } = parseNetworkSpec(text, file);
  const moved = problems.map((each) => ({ ...each, ...start, column: start.column + each.column - 1 }));
  return { rules, problems: moved };
}
