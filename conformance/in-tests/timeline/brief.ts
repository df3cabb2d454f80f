import { redactBody, redactSecrets } from '../../../spec/redact.js';
import { oneLine } from '../../report/text.js';

const UUID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** Keys that are shorter may be part of any word: they are not looked for. */
const SHORTEST_SECRET = 8;

/** Makes texts short enough for a line of a timeline, without the keys of a mock. */
export class Brief {
  readonly #secrets: readonly string[];

  constructor(keys: Iterable<string>) {
    this.#secrets = [...keys].filter((key) => key.length >= SHORTEST_SECRET);
  }

  /** On one line, ids by their first eight digits, at most `longest` characters, no secrets. */
  text(given: string, longest = 80): string {
    const shown = redactSecrets(redactBody(given), this.#secrets);
    return cut(oneLine(shown).replace(UUID, '$1'), longest);
  }

  /** A value as JSON, likewise. Empty for what is no JSON. */
  json(value: unknown, longest?: number): string {
    const text = JSON.stringify(value);
    return text === undefined ? '' : this.text(text, longest);
  }
}

export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** `+1.300 s`: from `start` to `at`, both ms. */
export function since(start: number, at: number): string {
  const ms = at - start;
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1000).toFixed(3)} s`;
}
