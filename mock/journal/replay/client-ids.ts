import { isId, isTree, jsonOf } from './comparable-request.js';

/** A shorter id may be a word of any text: it is replaced only as the value of a field `id`. */
const SHORT = 8;

/** Maps the ids that a client generates anew in each run to the recorded ones, and back in responses. */
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

  /** Compares the recorded body with the new one: ids in the same place name the same thing. */
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

  /** A body of the client with the recorded ids. */
  toRecorded(text: string): string {
    return this.#rename(text, this.#recorded);
  }

  /** A recorded response body with the client's ids. */
  toClient(text: string): string {
    return this.#rename(text, this.#now);
  }

  /** A path with the recorded ids. */
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
