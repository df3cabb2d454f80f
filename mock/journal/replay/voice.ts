import { REDACTED } from '../../../spec/redact.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { ClientIds } from './client-ids.js';
import { type Asked, askedThen, isId, jsonOf, masked, pathOf } from './sameness.js';

/** A recorded exchange and whether it has been played. */
export class Take {
  readonly asked: Asked;
  played = false;
  #timeless: string | undefined;
  #nameless: string | undefined;

  constructor(
    readonly exchange: Exchange,
    /** Its place in the recording, from 1. */
    readonly number: number,
  ) {
    this.asked = askedThen(exchange);
  }

  get place(): string {
    return placeOf(this.asked);
  }

  timeless(): string | undefined {
    this.#timeless ??= masked(this.asked.body, () => false);
    return this.#timeless;
  }

  nameless(isOwn: (id: string) => boolean): string | undefined {
    this.#nameless ??= masked(this.asked.body, isOwn);
    return this.#nameless;
  }
}

/** What differs from the recorded request whose answer is served; `again`: nothing, but it has been played before. */
export type Difference = 'nothing' | 'times' | 'ids' | 'body' | 'query' | 'again';

/** `over`: all that were recorded there have been played. */
export type Found = { take: Take; differs: Difference } | { over: Take } | undefined;

/** What one API key said in a recording, in order. */
export class Voice {
  readonly takes: Take[] = [];
  readonly ids = new ClientIds();
  readonly #byPlace = new Map<string, Take[]>();
  readonly #exact = new Map<string, Take[]>();
  /** Ids that stand in the recording, and those of them that the client made up. */
  readonly #known = new Set<string>();
  readonly #own = new Set<string>();
  /** Where the unplayed begin: a poll that was recorded a thousand times is found at once. */
  readonly #firsts = new Map<readonly Take[], number>();

  /** `exchanges` in the order in which the requests came, each with its place in the recording. */
  constructor(exchanges: readonly { exchange: Exchange; number: number }[]) {
    for (const { exchange, number } of exchanges) {
      const take = new Take(exchange, number);
      this.takes.push(take);
      listed(this.#byPlace, take.place).push(take);
      listed(this.#exact, exactly(take.asked)).push(take);
      const before = (id: string) => this.#known.has(id);
      eachId(jsonOf(take.asked.body), (id) => {
        if (!before(id)) this.#own.add(id);
      });
      eachId(jsonOf(take.asked.body), (id) => this.#known.add(id));
      eachId(jsonOf(exchange.response?.body), (id) => this.#known.add(id));
    }
  }

  /** True where nobody sent a key. A cookie may have held one: what was in it is not recorded. */
  get isKeyless(): boolean {
    const { apikey, cookie } = this.takes[0]!.exchange.request.headers;
    return apikey !== REDACTED && !cookie?.includes(REDACTED);
  }

  get next(): Take | undefined {
    return this.#nextOf(this.takes);
  }

  has(asked: Asked): boolean {
    return this.#byPlace.has(placeOf(asked));
  }

  /** True for a request whose very like is still to be played. */
  expects(asked: Asked): boolean {
    return this.#nextOf(this.#exact.get(exactly(asked))) !== undefined;
  }

  reset(): void {
    for (const take of this.takes) take.played = false;
    this.ids.clear();
    this.#firsts.clear();
  }

  /** The exchange that answers this request; what it is answered with counts as played. */
  find(given: Asked): Found {
    const asked = this.#byRecordedNames(given);
    const there = this.#byPlace.get(placeOf(asked));
    if (!there) return undefined;
    const found = this.#look(asked, there);
    if (!found) return { over: there.at(-1)! };
    if (found.differs === 'ids') this.ids.learn(found.take.asked.body, given.body, (id) => this.#own.has(id));
    found.take.played = true;
    return found;
  }

  #look(asked: Asked, there: readonly Take[]): { take: Take; differs: Difference } | undefined {
    const alike = this.#exact.get(exactly(asked));
    const exact = this.#nextOf(alike);
    if (exact) return { take: exact, differs: 'nothing' };
    const left = this.#nextOf(there) ? there.filter((take) => !take.played) : [];
    const sameUrl = left.filter((take) => take.asked.url === asked.url);
    const size = asked.body?.length;
    const large = sameUrl.find((take) => take.asked.left_out !== undefined && take.asked.left_out === size);
    if (large) return { take: large, differs: 'nothing' };
    if (asked.body !== undefined && sameUrl.length > 0) {
      const timeless = masked(asked.body, () => false);
      const later = sameUrl.find((take) => take.timeless() === timeless);
      if (later) return { take: later, differs: 'times' };
      const nameless = masked(asked.body, (id) => !this.#known.has(id));
      const renamed = sameUrl.find((take) => take.nameless((id) => this.#own.has(id)) === nameless);
      if (renamed) return { take: renamed, differs: 'ids' };
    }
    const reads = asked.method === 'GET' || asked.method === 'HEAD';
    const last = alike?.at(-1);
    if (reads && last) return { take: last, differs: 'again' };
    if (sameUrl[0]) return { take: sameUrl[0], differs: 'body' };
    if (left[0]) return { take: left[0], differs: 'query' };
    return reads ? { take: there.at(-1)!, differs: 'again' } : undefined;
  }

  #nextOf(takes: readonly Take[] | undefined): Take | undefined {
    if (!takes) return undefined;
    let first = this.#firsts.get(takes) ?? 0;
    while (takes[first]?.played) first++;
    this.#firsts.set(takes, first);
    return takes[first];
  }

  #byRecordedNames(asked: Asked): Asked {
    if (this.ids.isEmpty) return asked;
    const path = this.ids.pathToRecorded(asked.path);
    return {
      ...asked,
      path,
      url: path + asked.url.slice(pathOf(asked.url).length),
      body: asked.body === undefined ? undefined : this.ids.toRecorded(asked.body),
    };
  }
}

function placeOf({ method, path }: Asked): string {
  return `${method} ${path}`;
}

function exactly({ method, url, body }: Asked): string {
  return body === undefined ? `${method} ${url}` : `${method} ${url}\n${body}`;
}

function listed<T>(map: Map<string, T[]>, key: string): T[] {
  let list = map.get(key);
  if (!list) {
    list = [];
    map.set(key, list);
  }
  return list;
}

/** Every id in a JSON value. */
function eachId(value: unknown, tell: (id: string) => void, name = ''): void {
  if (isId(name, value)) tell(value);
  if (value === null || typeof value !== 'object') return;
  for (const [key, each] of Object.entries(value)) eachId(each, tell, Array.isArray(value) ? name : key);
}
