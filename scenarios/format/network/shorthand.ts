import { ALL_FIELDS, DURATION_FIELDS, VERB_NAMES, verbNamed } from '../../verbs/verbs.js';
import type { Violation } from '../load/source.js';
import type { NetworkRule, Problem } from '../types.js';
import { checkNetworkRule } from './check-rule.js';
import { buildRule } from './rule.js';
import { isOperation, isTargetWord } from './target.js';

interface Token {
  text: string;
  /** From 1. */
  column: number;
  quoted: boolean;
}

/** Fields that are written as `key value`: all but those that need a mapping. `of` and `until` have a grammar of their own. */
const KEYS = new Set(
  [...ALL_FIELDS].flatMap(([name, { type }]) =>
    name === 'of' || name === 'until' || type === 'object' ? [] : [name],
  ),
);

/** Numbers, and durations: a bare number is ms. */
function isNumeric(key: string): boolean {
  const type = ALL_FIELDS.get(key)?.type;
  return type === 'integer' || type === 'number' || DURATION_FIELDS.has(key);
}

/**
 * Reads the short form of network rules, joined by `;`: `delay 200ms jitter 50ms`, `fail 503 of poll times 3`,
 * `quota 10 per 1s`, `hold of reply until gate NAME at_most 5s`, `drop response of reply probability 0.1 expires 1m`.
 * No rules when there are problems; these carry the column in the text.
 */
export function parseNetworkSpec(
  spec: string,
  file = '--network',
): { rules: NetworkRule[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const rules: NetworkRule[] = [];
  for (const tokens of splitRules(spec)) {
    const parser = new SpecParser(tokens);
    const raw = parser.rule();
    const violations = parser.violations.length > 0 ? [] : checkNetworkRule(raw, []);
    const told = [
      ...parser.violations,
      ...violations.map((violation) => ({ column: parser.columnOf(violation), message: violation.message })),
    ];
    problems.push(...told.map(({ column, message }) => ({ file, line: 1, column, message })));
    if (told.length === 0) rules.push(buildRule(raw));
  }
  if (rules.length === 0 && problems.length === 0) {
    const message = `expected a rule such as "delay 200ms", found nothing; verbs: ${VERB_NAMES.join(', ')}`;
    problems.push({ file, line: 1, column: 1, message });
  }
  return problems.length > 0 ? { rules: [], problems } : { rules, problems };
}

function splitRules(spec: string): Token[][] {
  const rules: Token[][] = [[]];
  for (const match of spec.matchAll(/;|"([^"]*)"|[^\s;"]+/g)) {
    if (match[0] === ';') rules.push([]);
    else
      rules
        .at(-1)!
        .push({ text: match[1] ?? match[0], column: match.index + 1, quoted: match[1] !== undefined });
  }
  return rules.filter((tokens) => tokens.length > 0);
}

class SpecParser {
  readonly violations: { column: number; message: string }[] = [];
  readonly #columns = new Map<string, number>();
  #next = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  /** The rule in the form that a network file has. */
  rule(): Record<string, unknown> {
    const verb = this.#take()!;
    const raw: Record<string, unknown> = { network: verb.text };
    this.#columns.set('network', verb.column);
    // Without a known verb nothing that follows can be understood.
    const known = verbNamed(verb.text);
    if (!known) return raw;
    const first: string | undefined = known.first;
    const follows = this.#peek();
    if (first !== undefined && follows !== undefined && !this.#isKey(follows))
      this.#set(raw, first, this.#take()!);
    for (let key = this.#take(); key !== undefined; key = this.#take()) this.#option(raw, key);
    return raw;
  }

  columnOf({ path }: Violation): number {
    return this.#columns.get(String(path[0] ?? 'network')) ?? this.tokens[0]!.column;
  }

  #option(raw: Record<string, unknown>, key: Token): void {
    this.#columns.set(key.text, key.column);
    if (key.text === 'of') {
      raw.of = this.#target(key);
    } else if (key.text === 'until') {
      raw.until = this.#until(key);
    } else if (KEYS.has(key.text)) {
      const value = this.#take();
      if (value) this.#set(raw, key.text, value);
      else this.#lack(key, 'a value');
    } else {
      const known = ['of', 'until', ...KEYS];
      this.violations.push({
        column: key.column,
        message: `expected one of ${known.join(', ')}; found "${key.text}"`,
      });
    }
  }

  #set(raw: Record<string, unknown>, key: string, { text, column }: Token): void {
    this.#columns.set(key, column);
    const isNumber = isNumeric(key) && /^\d+(\.\d+)?$/.test(text);
    if (isNumber) raw[key] = Number(text);
    else raw[key] = key === 'events' && text === 'null' ? null : text;
  }

  /** `any`, a kind with its ordinal or id, an operation id, or a method and a path. */
  #target(key: Token): unknown {
    const word = this.#take();
    if (!word) return this.#lack(key, 'the requests it is about');
    if (/^(GET|POST|PUT|PATCH|DELETE)$/.test(word.text)) {
      const path = this.#peek()?.text.startsWith('/') ? this.#take() : undefined;
      return path ? { method: word.text, path: path.text } : { method: word.text };
    }
    if (word.text.startsWith('/')) return { path: word.text };
    if (!isTargetWord(word.text) || isOperation(word.text)) return word.text;
    const which = this.#peek();
    if (which === undefined || this.#isKey(which)) return { [word.text]: true };
    this.#take();
    return { [word.text]: /^\d+$/.test(which.text) ? Number(which.text) : which.text };
  }

  #until(key: Token): unknown {
    const word = this.#take();
    if (!word) return this.#lack(key, 'gate NAME, arrive REQUEST or answer REQUEST');
    if (word.text === 'arrive' || word.text === 'answer') return { [word.text]: this.#target(word) };
    if (word.text !== 'gate' && word.text !== 'step') return word.text;
    const name = this.#take();
    return name ? { [word.text]: name.text } : this.#lack(word, 'a name');
  }

  #lack(after: Token, what: string): undefined {
    this.violations.push({
      column: after.column,
      message: `expected ${what} after "${after.text}", found nothing`,
    });
    return undefined;
  }

  #isKey({ text, quoted }: Token): boolean {
    return !quoted && (text === 'of' || text === 'until' || KEYS.has(text));
  }

  #peek(): Token | undefined {
    return this.tokens[this.#next];
  }

  #take(): Token | undefined {
    return this.tokens[this.#next++];
  }
}
