import { isId, jsonOf } from './sameness.js';

/** Shorter ids are replaced only where they stand as an `id`: they may be a word of any text. */
const SHORT = 8;

/**
 * Ids that the client makes up are others in each run. What it calls by a new one is called by the recorded one here, and
 * in the answers by the new one again: the client knows what it asked for.
 */
export class ClientIds {
  readonly #recorded = new Map<string, string>();
  readonly #now = new Map<string, string>();

  get isEmpty(): boolean {
    return this.#now.size === 0;
  }

  clear(): void {
    this.#recorded.clear();
    this.#now.clear();
  }

  /** Compares the bodies of a request then and now: ids at the same place are names of the same thing. */
  learn(then: string | undefined, now: string | undefined, isOwn: (recorded: string) => boolean): void {
    this.#compare('', jsonOf(then), jsonOf(now), isOwn);
  }

  #compare(name: string, then: unknown, now: unknown, isOwn: (recorded: string) => boolean): void {
    if (isId(name, then) && isId(name, now)) {
      if (then === now || !isOwn(then) || this.#recorded.has(now)) return;
      this.#recorded.set(now, then);
      this.#now.set(then, now);
      return;
    }
    if (!isTree(then) || !isTree(now)) return;
    for (const key of Object.keys(then))
      this.#compare(Array.isArray(then) ? name : key, then[key], now[key], isOwn);
  }

  /** A text of the client, by the recorded names. */
  toRecorded(text: string): string {
    return this.#rename(text, this.#recorded);
  }

  /** A recorded answer, by the client's names. */
  toClient(text: string): string {
    return this.#rename(text, this.#now);
  }

  /** A path by the recorded names. */
  pathToRecorded(path: string): string {
    if (this.isEmpty) return path;
    return path
      .split('/')
      .map((part) => this.#recorded.get(part) ?? part)
      .join('/');
  }

  #rename(text: string, names: ReadonlyMap<string, string>): string {
    let renamed = text;
    for (const [from, to] of names) {
      if (!renamed.includes(from)) continue;
      const [old, own] = [JSON.stringify(from), JSON.stringify(to)];
      renamed =
        from.length < SHORT
          ? renamed.replaceAll(`"id":${old}`, () => `"id":${own}`)
          : renamed.replaceAll(old, () => own);
    }
    return renamed;
  }
}

function isTree(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}
