import { show } from '../../../spec/show.js';
import { isOperation, isTargetKeyword } from '../../verbs/target.js';
import { ALL_FIELDS, DURATION_FIELDS, findVerb, VERB_NAMES } from '../../verbs/verbs.js';
import { Source, type Violation } from '../load/source.js';
import type { NetworkRule, Problem } from '../types.js';
import { checkNetworkRule } from './check-rule.js';
import { buildRule } from './rule.js';

interface Token {
  text: string;
  /** From 1. */
  column: number;
  quoted: boolean;
}

/** Fields in the form `key value`: all that do not need a mapping. */
const KEYS = [
  'of',
  'until',
  ...[...ALL_FIELDS].flatMap(([name, { type }]) =>
    name === 'of' || name === 'until' || type === 'object' ? [] : [name],
  ),
];

/** Numbers, and durations: a bare number is ms. */
function isNumeric(key: string): boolean {
  const type = ALL_FIELDS.get(key)?.type;
  return type === 'integer' || type === 'number' || DURATION_FIELDS.has(key);
}

/**
 * Reads network rules in shorthand, separated by `;`: `delay 200ms jitter 50ms`, `fail 503 of poll times 3`,
 * `quota 10 per 1s`, `hold of reply until gate NAME at_most 5s`, `drop response of reply probability 0.1 expires 1m`.
 * Returns no rules if there are problems; these have the column in the text.
 */
export function parseNetworkSpec(
  spec: string,
  file = '--network',
): { rules: NetworkRule[]; problems: Problem[] } {
  const parsed = splitRules(spec).map(parseRule);
  const problems = parsed.flatMap((each) => each.problems);
  if (parsed.length === 0) {
    const message = `expected a rule such as "delay 200ms", found nothing; verbs: ${VERB_NAMES.join(', ')}`;
    problems.push({ column: 1, message });
  }
  return {
    rules: problems.length > 0 ? [] : parsed.map(({ raw }) => buildRule(raw)),
    problems: problems.map(({ column, message }) => ({ file, line: 1, column, message })),
  };
}

function splitRules(spec: string): Token[][] {
  const rules: Token[][] = [[]];
  for (const { 0: text, 1: inner, index } of spec.matchAll(/;|"([^"]*)"|[^\s;"]+/g)) {
    if (text === ';') rules.push([]);
    else rules.at(-1)!.push({ text: inner ?? text, column: index + 1, quoted: inner !== undefined });
  }
  return rules.filter((tokens) => tokens.length > 0);
}

interface ParsedRule {
  /** The rule in the form that a network file has. */
  raw: Record<string, unknown>;
  problems: { column: number; message: string }[];
}

function parseRule(tokens: readonly Token[]): ParsedRule {
  const [verb, ...rest] = tokens as [Token, ...Token[]];
  const raw: Record<string, unknown> = { network: verb.text };
  const columns = new Map([['network', verb.column]]);
  const problems: ParsedRule['problems'] = [];
  const known = findVerb(verb.text);
  const isKey = (token: Token | undefined) =>
    token === undefined || (!token.quoted && KEYS.includes(token.text));
  if (known?.first !== undefined && !isKey(rest[0])) setField(known.first, rest.shift()!);
  // The fields depend on the verb.
  while (known && rest.length > 0) readField(rest.shift()!);
  if (problems.length > 0) return { raw, problems };
  const findColumn = (key: string | number | undefined) => columns.get(String(key)) ?? verb.column;
  const violations = checkNetworkRule(raw, []);
  return { raw, problems: violations.map(({ path, message }) => ({ column: findColumn(path[0]), message })) };

  function readField(key: Token): void {
    columns.set(key.text, key.column);
    if (key.text === 'of') raw.of = readTarget(key);
    else if (key.text === 'until') raw.until = readUntil(key);
    else if (KEYS.includes(key.text)) {
      const value = takeToken(key, 'a value');
      if (value) setField(key.text, value);
    } else {
      const message = `expected one of ${KEYS.join(', ')}; found "${key.text}"`;
      problems.push({ column: key.column, message });
    }
  }

  function setField(key: string, { text, column }: Token): void {
    columns.set(key, column);
    if (isNumeric(key) && /^\d+(\.\d+)?$/.test(text)) raw[key] = Number(text);
    else raw[key] = key === 'events' && text === 'null' ? null : text;
  }

  /** `any`, a kind with its ordinal or id, an operation id, or a method and a path. */
  function readTarget(key: Token): unknown {
    const word = takeToken(key, 'the requests it is about')?.text ?? '';
    if (/^(GET|POST|PUT|PATCH|DELETE)$/.test(word))
      return rest[0]?.text.startsWith('/') ? { method: word, path: rest.shift()!.text } : { method: word };
    if (word.startsWith('/')) return { path: word };
    if (!isTargetKeyword(word) || isOperation(word)) return word;
    if (isKey(rest[0])) return { [word]: true };
    const which = rest.shift()!.text;
    return { [word]: /^\d+$/.test(which) ? Number(which) : which };
  }

  function readUntil(key: Token): unknown {
    const word = takeToken(key, 'gate NAME, arrive REQUEST or response REQUEST');
    if (word?.text === 'arrive' || word?.text === 'response') return { [word.text]: readTarget(word) };
    if (word?.text !== 'gate' && word?.text !== 'step') return word?.text;
    return { [word.text]: takeToken(word, 'a name')?.text };
  }

  /** The next word; a problem where there is none. */
  function takeToken(after: Token, what: string): Token | undefined {
    const message = `expected ${what} after "${after.text}", found nothing`;
    if (rest.length === 0) problems.push({ column: after.column, message });
    return rest.shift();
  }
}

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
