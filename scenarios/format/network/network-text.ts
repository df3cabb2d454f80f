import { show } from '../../../spec/show.js';
import { type Path, Source, type Violation } from '../load/source.js';
import type { NetworkRule, Problem } from '../types.js';
import { checkNetworkRule } from './check-rule.js';
import { buildRule } from './rule.js';
import { parseNetworkSpec } from './shorthand.js';

/**
 * Reads a network file: a list of rules, or a mapping with `rules`. In place of either may stand a text: rules in short
 * (`delay 200ms; fail 503 of poll`). No rules when there are problems.
 */
export function loadNetworkText(
  text: string,
  { file, isObject }: { file: string; isObject?: boolean },
): { rules: NetworkRule[]; problems: Problem[] } {
  const { source, problems } = Source.read(text, file, isObject);
  if (!source || problems.length > 0) return { rules: [], problems };
  const short = textOf(source.value);
  if (short !== undefined) return readShort(short.text, source, short.path);
  const violations: Violation[] = [];
  const { rules, path } = rulesOf(source.value, violations);
  violations.push(...rules.flatMap((rule, index) => checkNetworkRule(rule, [...path, index])));
  if (violations.length > 0)
    return { rules: [], problems: violations.map((violation) => source.problem(violation)) };
  return { rules: rules.map((rule) => buildRule(rule as Record<string, unknown>)), problems: [] };
}

/** The text that stands for rules. */
function textOf(value: unknown): { text: string; path: Path } | undefined {
  const isMapping = value !== null && typeof value === 'object' && !Array.isArray(value);
  const rules =
    isMapping && Object.keys(value).length === 1 ? (value as { rules?: unknown }).rules : undefined;
  if (typeof value === 'string') return { text: value, path: [] };
  return typeof rules === 'string' ? { text: rules, path: ['rules'] } : undefined;
}

/** The columns of problems are those of the words, but for a quotation mark before them. */
function readShort(text: string, source: Source, path: Path): { rules: NetworkRule[]; problems: Problem[] } {
  const { rules, problems } = parseNetworkSpec(text, source.file);
  const start = source.place(path);
  return {
    rules,
    problems: problems.map((problem) => ({
      ...problem,
      line: start.line,
      column: start.column + problem.column - 1,
    })),
  };
}

function rulesOf(value: unknown, violations: Violation[]): { rules: unknown[]; path: Path } {
  if (Array.isArray(value)) return { rules: value, path: [] };
  const rules = (value as { rules?: unknown } | null)?.rules;
  if (value === null || typeof value !== 'object' || !Array.isArray(rules)) {
    violations.push({
      path: [],
      message: `expected a list of rules, a mapping with a list "rules", or a text such as "delay 200ms"; found ${show(value)}`,
    });
    return { rules: [], path: [] };
  }
  for (const key of Object.keys(value).filter((each) => each !== 'rules')) {
    violations.push({ path: [key], at: 'key', message: `unknown key "${key}"; known here: rules` });
  }
  return { rules, path: ['rules'] };
}
