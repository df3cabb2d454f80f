import { REDACTED } from '../../../spec/redact.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { NO_ORGANISATION } from '../recorder.js';
import { ClientIds } from './client-ids.js';
import {
  type ComparableRequest,
  comparableOfExchange,
  isId,
  jsonOf,
  maskBody,
  pathOf,
} from './comparable-request.js';

/** A recorded exchange and whether it has been served. Masked bodies are made once: many requests may be compared with it. */
export class RecordedExchange {
  readonly request: ComparableRequest;
  served = false;
  #timeless: string | undefined;
  #nameless: string | undefined;

  constructor(
    readonly exchange: Exchange,
    /** Its position in the recording, from 1. */
    readonly number: number,
  ) {
    this.request = comparableOfExchange(exchange);
  }

  /** The body without its times. */
  get timeless(): string | undefined {
    this.#timeless ??= maskBody(this.request.body);
    return this.#timeless;
  }

  /** The body without its times and the ids that the client generated. */
  nameless(isOwn: (id: string) => boolean): string | undefined {
    this.#nameless ??= maskBody(this.request.body, isOwn);
    return this.#nameless;
  }
}

/**
 * `served`: the exchange with the response. `different`: the next one for this address, whose body is another.
 * `exhausted`: the last one for this address; all were served.
 */
export type ReplayMatch =
  | { kind: 'served' | 'different' | 'exhausted'; recorded: RecordedExchange; ids: ClientIds }
  | { kind: 'unknown' };

/** The exchanges of one recorded API key, in order. */
class RecordedClient {
  readonly exchanges: RecordedExchange[] = [];
  readonly #ids = new ClientIds();
  readonly #byAddress = new Map<string, RecordedExchange[]>();
  readonly #paths = new Set<string>();
  /** All ids in the recording, and those that the client generated. */
  readonly #knownIds = new Set<string>();
  readonly #ownIds = new Set<string>();
  /** Index of the first exchange of a list that may be unserved: keeps thousands of polls of one address fast. */
  readonly #first = new Map<readonly RecordedExchange[], number>();

  constructor(exchanges: readonly NumberedExchange[]) {
    for (const { exchange, number } of exchanges) {
      const recorded = new RecordedExchange(exchange, number);
      this.exchanges.push(recorded);
      const address = addressOf(recorded.request);
      const sameAddress = this.#byAddress.get(address);
      if (sameAddress) sameAddress.push(recorded);
      else this.#byAddress.set(address, [recorded]);
      this.#paths.add(recorded.request.path);
      const sent = idsIn(jsonOf(recorded.request.body));
      for (const id of sent) if (!this.#knownIds.has(id)) this.#ownIds.add(id);
      for (const id of [...sent, ...idsIn(jsonOf(exchange.response?.body))]) this.#knownIds.add(id);
    }
  }

  /** No API key was sent. A redacted cookie may have held one. */
  get isKeyless(): boolean {
    const { apikey, cookie } = this.exchanges[0]!.exchange.request.headers;
    return apikey !== REDACTED && !cookie?.includes(REDACTED);
  }

  get next(): RecordedExchange | undefined {
    return this.#nextOf(this.exchanges);
  }

  hasPath(request: ComparableRequest): boolean {
    return this.#paths.has(request.path);
  }

  /** True if an equal request is still unserved. */
  expects(request: ComparableRequest): boolean {
    const sameAddress = this.#byAddress.get(addressOf(request)) ?? [];
    return sameAddress.some((each) => !each.served && each.request.body === request.body);
  }

  reset(): void {
    for (const each of this.exchanges) each.served = false;
    this.#ids.clear();
    this.#first.clear();
  }

  match(given: ComparableRequest): ReplayMatch {
    const request = this.#withRecordedIds(given);
    const sameAddress = this.#byAddress.get(addressOf(request));
    if (!sameAddress) return { kind: 'unknown' };
    const ids = this.#ids;
    const next = this.#nextOf(sameAddress);
    if (!next) return { kind: 'exhausted', recorded: sameAddress.at(-1)!, ids };
    const recorded = this.#findEqual(request, given, sameAddress);
    if (!recorded) return { kind: 'different', recorded: next, ids };
    recorded.served = true;
    return { kind: 'served', recorded, ids };
  }

  /**
   * The first unserved exchange with an equal body; times and the ids that clients generate may differ. A body that was too
   * large to be recorded equals any.
   */
  #findEqual(
    request: ComparableRequest,
    given: ComparableRequest,
    sameAddress: readonly RecordedExchange[],
  ): RecordedExchange | undefined {
    const findUnserved = (isEqual: (recorded: RecordedExchange) => boolean) => {
      for (let at = this.#first.get(sameAddress) ?? 0; at < sameAddress.length; at++)
        if (!sameAddress[at]!.served && isEqual(sameAddress[at]!)) return sameAddress[at];
      return undefined;
    };
    const { body } = request;
    const equal = findUnserved((recorded) => recorded.request.body === body);
    if (equal) return equal;
    if (body !== undefined) {
      const timeless = maskBody(body);
      const later = findUnserved((recorded) => recorded.timeless === timeless);
      if (later) return later;
      const nameless = maskBody(body, (id) => !this.#knownIds.has(id));
      const isOwn = (id: string) => this.#ownIds.has(id);
      const renamed = findUnserved((recorded) => recorded.nameless(isOwn) === nameless);
      if (renamed) {
        this.#ids.learn(renamed.request.body, given.body, isOwn);
        return renamed;
      }
    }
    return findUnserved((recorded) => recorded.request.left_out !== undefined);
  }

  #nextOf(list: readonly RecordedExchange[]): RecordedExchange | undefined {
    let first = this.#first.get(list) ?? 0;
    while (list[first]?.served) first++;
    this.#first.set(list, first);
    return list[first];
  }

  #withRecordedIds(given: ComparableRequest): ComparableRequest {
    if (this.#ids.isEmpty) return given;
    const path = this.#ids.pathToRecorded(given.path);
    return {
      ...given,
      path,
      url: path + given.url.slice(pathOf(given.url).length),
      body: given.body === undefined ? undefined : this.#ids.toRecorded(given.body),
    };
  }
}

/** A recorded conversation, by API key. */
export class Recording {
  readonly size: number;
  readonly #clients: RecordedClient[];
  /** Requests that belonged to no key, in journals of earlier versions. */
  readonly #others: RecordedClient | undefined;
  /** The recorded client that each new key plays. */
  #assigned = new Map<string, RecordedClient>();

  constructor(exchanges: readonly Exchange[]) {
    this.size = exchanges.length;
    const byClient = groupByClient(exchanges);
    const others = byClient.get(NO_ORGANISATION);
    this.#others = others && new RecordedClient(others);
    byClient.delete(NO_ORGANISATION);
    // Keys are numbered in the order of their first use; lines of a journal are in the order of the responses.
    this.#clients = [...byClient.values()]
      .sort(([one], [other]) => firstUse(one!) - firstUse(other!))
      .map((all) => new RecordedClient(all));
  }

  match(request: ComparableRequest, key: string): ReplayMatch {
    if (this.#others?.hasPath(request)) return this.#others.match(request);
    // A browser that requests an icon is no client, and plays no recorded one.
    const isClient = request.path.startsWith('/api/') || this.#clients.some((each) => each.hasPath(request));
    const client = isClient ? this.#clientFor(key, request) : undefined;
    return client?.match(request) ?? { kind: 'unknown' };
  }

  reset(): void {
    this.#assigned = new Map();
    for (const client of this.#all()) client.reset();
  }

  get served(): number {
    return this.#all().reduce(
      (sum, { exchanges }) => sum + exchanges.filter((each) => each.served).length,
      0,
    );
  }

  /** The first exchange that has not been served yet. */
  get next(): RecordedExchange | undefined {
    const open = this.#all().flatMap((client) => client.next ?? []);
    return open.sort((one, other) => one.number - other.number)[0];
  }

  #all(): RecordedClient[] {
    return this.#others ? [...this.#clients, this.#others] : this.#clients;
  }

  /** Any key is accepted: each new key plays the next recorded client; further keys share them. */
  #clientFor(key: string, request: ComparableRequest): RecordedClient | undefined {
    const known = this.#assigned.get(key);
    if (known) return known;
    const alike = this.#clients.filter((client) => client.isKeyless === (key === ''));
    const taken = new Set(this.#assigned.values());
    const prefer = (clients: readonly RecordedClient[]) =>
      clients.find((client) => client.expects(request)) ?? clients[0];
    const free = prefer(alike.filter((client) => !taken.has(client)));
    if (free) this.#assigned.set(key, free);
    return free ?? prefer(alike) ?? prefer(this.#clients);
  }
}

interface NumberedExchange {
  exchange: Exchange;
  number: number;
  /** A file that was appended to holds several recordings, whose sequence numbers begin again. */
  part: number;
}

/** By the number of the key, otherwise by organization; each in the order of its requests. */
function groupByClient(exchanges: readonly Exchange[]): Map<string, NumberedExchange[]> {
  const groups = new Map<string, NumberedExchange[]>();
  let seen = new Set<string>();
  let part = 0;
  exchanges.forEach((exchange, index) => {
    const { key, organisation, seq } = exchange;
    const place = `${organisation} ${seq}`;
    if (seen.has(place)) {
      part++;
      seen = new Set();
    }
    seen.add(place);
    const name = key === undefined ? organisation : `key ${key}`;
    const group = groups.get(name) ?? [];
    group.push({ exchange, number: index + 1, part });
    groups.set(name, group);
  });
  for (const group of groups.values())
    group.sort((one, other) => one.part - other.part || compare(one, other));
  return groups;
}

/** One key has two organizations after a reset in between: those stay in the order of the file. */
function compare(one: NumberedExchange, other: NumberedExchange): number {
  const isSame = one.exchange.organisation === other.exchange.organisation;
  return isSame ? one.exchange.seq - other.exchange.seq : one.number - other.number;
}

function firstUse({ exchange, number }: NumberedExchange): number {
  return exchange.key ?? number;
}

function addressOf({ method, url }: ComparableRequest): string {
  return `${method} ${url}`;
}

function idsIn(value: unknown, name = ''): string[] {
  if (isId(name, value)) return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => idsIn(each, Array.isArray(value) ? name : key));
}
