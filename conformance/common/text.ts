import { escapeInvisible, toVisible } from '../../spec/visible.js';

/** JSON for a file or a terminal; invisible characters are escaped. */
export function toJson(value: unknown): string {
  return `${escapeInvisible(JSON.stringify(value, null, 2))}\n`;
}

export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… (${text.length - kept.length} more characters left out)`;
}

export function escapeHtml(text: string): string {
  return toVisible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** `1 check`, `2,000 checks`. */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? noun : plural}`;
}

/** `340 ms`, `4.2 s`, `3 min 20 s`. */
export function formatTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** `*` matches any text; every other character matches itself. */
export function parseGlob(glob: string): RegExp {
  const parts = glob.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/** Makes names unique: `name`, `name-2`, `name-3`. */
export class UniqueNames {
  readonly #used: Set<string>;
  /** The next number to try, by base name. */
  readonly #next = new Map<string, number>();

  constructor(used: readonly string[] = []) {
    this.#used = new Set(used);
  }

  reserve(base: string): string {
    let name = base;
    let n = this.#next.get(base) ?? 2;
    for (; this.#used.has(name); n++) name = `${base}-${n}`;
    this.#next.set(base, n);
    this.#used.add(name);
    return name;
  }
}
