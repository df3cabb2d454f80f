import { groupBy } from '../../spec/lists.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { numberRuns } from '../exchange/journal-file.js';
import { NO_ORGANISATION } from '../exchange/recorder.js';
import { normalizeAddress } from './normalize-address.js';
import { ClientIds, collectIds, maskBody, normalizeBody } from './normalize-body.js';

export interface RecordedExchange {
  readonly exchange: Exchange;
  /** Its position in the recording, from 1. */
  readonly number: number;
  readonly body: string | undefined;
  /** The body without its times and the ids that the client generated. */
  masked?: string | undefined;
}

/**
 * `served`: the exchange with the response. `different`: the next exchange for this address, which has a different body. `exhausted`: the
 * last exchange for this address; all were served.
 */
export interface ReplayMatch {
  kind: 'served' | 'different' | 'exhausted';
  recorded: RecordedExchange;
  client: RecordedClient;
}

type RecordedRequest = Exchange['request'];

class RecordedClient {
  readonly ids = new ClientIds();
  readonly #byAddress = new Map<string, { unserved: RecordedExchange[]; last: RecordedExchange }>();
  /** All ids in the recording, except those that the client generated. */
  readonly #knownIds = new Set<string>();
  readonly #ownIds = new Set<string>();

  constructor(exchanges: readonly RecordedExchange[]) {
    for (const recorded of exchanges) {
      const { request, response } = recorded.exchange;
      const address = normalizeAddress(request);
      const same = this.#byAddress.get(address);
      if (same) same.last = recorded;
      this.#byAddress.set(address, same ?? { unserved: [], last: recorded });
      this.#byAddress.get(address)!.unserved.push(recorded);
      const sent = collectIds(recorded.body);
      for (const id of sent) if (!this.#knownIds.has(id)) this.#ownIds.add(id);
      for (const id of [...sent, ...collectIds(response?.body)]) this.#knownIds.add(id);
    }
  }

  /** Undefined for an address that was not recorded. */
  find(request: RecordedRequest): ReplayMatch | undefined {
    const same = this.#byAddress.get(normalizeAddress(request, (id) => this.ids.toRecordedId(id)));
    if (!same) return undefined;
    const { unserved, last } = same;
    const equal = this.#findEqual(this.ids.toRecorded(normalizeBody(request)), unserved);
    if (equal) return { kind: 'served', recorded: equal, client: this };
    const [next] = unserved;
    return { kind: next ? 'different' : 'exhausted', recorded: next ?? last, client: this };
  }

  serve(recorded: RecordedExchange, request: RecordedRequest): void {
    const { unserved } = this.#byAddress.get(normalizeAddress(recorded.exchange.request))!;
    unserved.splice(unserved.indexOf(recorded), 1);
    const body = normalizeBody(request);
    const masked = this.#mask(body);
    // A recorded body that was left out cannot be compared.
    if (body !== recorded.body && masked === recorded.masked) this.ids.pairIds(recorded.body, body);
  }

  /**
   * The first unserved exchange with an equal body; times and the ids that clients generate may differ. A body that was too large to be
   * recorded equals any.
   */
  #findEqual(body: string | undefined, unserved: readonly RecordedExchange[]): RecordedExchange | undefined {
    const equal = unserved.find((recorded) => recorded.body === body);
    if (equal) return equal;
    const masked = this.#mask(body);
    return (
      unserved.find((recorded) => {
        recorded.masked ??= this.#mask(recorded.body);
        return recorded.masked === masked;
      }) ?? unserved.find(({ exchange }) => exchange.request.left_out !== undefined)
    );
  }

  #mask(body: string | undefined): string | undefined {
    return maskBody(body, (id) => this.#ownIds.has(id) || !this.#knownIds.has(id));
  }
}

export class Recording {
  readonly size: number;
  /** In the order of the file. */
  readonly #unserved: Set<RecordedExchange>;
  readonly #clients: RecordedClient[];
  /** Pages, and requests without a key in journals of earlier versions. */
  readonly #keyless: RecordedClient | undefined;
  /** The recorded client that each new key replays. */
  readonly #assigned = new Map<string, RecordedClient>();

  constructor(exchanges: readonly Exchange[]) {
    const all = exchanges.map((exchange, index) => {
      return { exchange, number: index + 1, body: normalizeBody(exchange.request) };
    });
    this.size = all.length;
    this.#unserved = new Set(all);
    const byClient = groupByClient(all);
    const keyless = byClient.get(NO_ORGANISATION);
    this.#keyless = keyless && new RecordedClient(keyless);
    byClient.delete(NO_ORGANISATION);
    // Keys are numbered in the order of their first use; lines of a journal are in the order of the responses.
    this.#clients = [...byClient.values()]
      .sort(([one], [other]) => readFirstUse(one!) - readFirstUse(other!))
      .map((group) => new RecordedClient(group));
  }

  /** Finds the exchange for a request in the form of a journal file, and marks it as served. Undefined for an unknown address. */
  match(request: RecordedRequest, key: string): ReplayMatch | undefined {
    const match = this.#keyless?.find(request) ?? this.#findForKey(request, key);
    if (match?.kind !== 'served') return match;
    match.client.serve(match.recorded, request);
    this.#unserved.delete(match.recorded);
    return match;
  }

  get served(): number {
    return this.size - this.#unserved.size;
  }

  get next(): RecordedExchange | undefined {
    return this.#unserved.values().next().value;
  }

  /** Any key is accepted: each new key replays the next recorded client; further keys share them. */
  #findForKey(request: RecordedRequest, key: string): ReplayMatch | undefined {
    const assigned = this.#assigned.get(key);
    if (assigned) return assigned.find(request);
    const assignedClients = new Set(this.#assigned.values());
    const free = this.#clients.filter((client) => !assignedClients.has(client));
    const candidates = free.length > 0 ? free : this.#clients;
    const matches = candidates.flatMap((client) => client.find(request) ?? []);
    // An address that was not recorded, such as the icon that a browser requests, does not identify a client.
    const match = matches.find(({ kind }) => kind === 'served') ?? matches[0];
    if (match && free.length > 0) this.#assigned.set(key, match.client);
    return match;
  }
}

/** Groups by the number of the key, otherwise by organisation; each in the order of its requests. */
function groupByClient(all: readonly RecordedExchange[]): Map<string, RecordedExchange[]> {
  // One key has two organisations if it was reset in between.
  const runs = numberRuns(all.map(({ exchange }) => exchange));
  const ranks = new Map<string, number>();
  const ranked = all.map((recorded, at) => {
    const { organisation, seq } = recorded.exchange;
    const name = `${runs[at]} ${organisation}`;
    const rank = ranks.get(name) ?? recorded.number;
    ranks.set(name, rank);
    return { recorded, rank, seq };
  });
  ranked.sort((one, other) => one.rank - other.rank || one.seq - other.seq);
  return groupBy(
    ranked.map(({ recorded }) => recorded),
    ({ exchange: { key, organisation } }) => (key === undefined ? organisation : `key ${key}`),
  );
}

function readFirstUse({ exchange, number }: RecordedExchange): number {
  return exchange.key ?? number;
}
