import type { ReadExchange } from './read-exchange.js';

/**
 * What has to be known where something is concluded from an absence: the body of the request that created the task, every request
 * about it, every event that a client could read, every response, the headers, that all requests are of one client.
 */
export type RequiredEvidence = 'creation' | 'requests' | 'events' | 'responses' | 'headers' | 'one-client';

/** Why something is not known. */
export interface Gap {
  why: string;
  /** Of the exchange that shows it. */
  seq: number;
}

/** What the exchanges of a task leave unknown: the first gap of each kind. */
export class Gaps {
  readonly #found = new Map<RequiredEvidence | 'exchanges' | 'start', Gap>();
  #userAgent: string | undefined;

  /** Takes up the next exchange about the task. `isFirst`: nothing is on record before it. */
  observe(exchange: ReadExchange, isFirst: boolean): void {
    const { seq } = exchange;
    const isCreation = exchange.is('createTask');
    // A creation whose response comes after that of the first poll is one all the same.
    if (isCreation) this.#found.delete('start');
    else if (isFirst) this.#add('start', { why: `the exchanges before ${seq} are not recorded`, seq });
    const body = exchange.findGap('body');
    if (body && isCreation) this.#add('creation', body);
    if (body && exchange.is('sendTaskEvent', 'updateTask')) this.#add('requests', body);
    const response = exchange.findGap('response');
    if (response && exchange.isUnrecorded('response')) this.#add('responses', response);
    if (exchange.is('getTask') && (response || exchange.unclear))
      this.#add('events', response ?? { why: `the response in exchange ${seq} cannot be read`, seq });
    const userAgent = exchange.findRequestHeader('user-agent');
    this.#userAgent ??= userAgent;
    if (userAgent !== undefined && userAgent !== this.#userAgent) this.addSecondClient(exchange);
  }

  /** The task has more events than are remembered. */
  addOverflow({ seq }: Pick<ReadExchange, 'seq'>): void {
    this.#add('events', { why: `there are more events up to exchange ${seq} than are remembered`, seq });
  }

  /** Exchanges near this one are missing in the recording. */
  addMissingExchanges({ seq }: Pick<ReadExchange, 'seq'>): void {
    this.#add('exchanges', { why: `exchanges next to ${seq} are not recorded`, seq });
  }

  /** An exchange that shows a second client. */
  addSecondClient({ seq }: Pick<ReadExchange, 'seq'>): void {
    this.#add('one-client', { why: `exchange ${seq} shows that another client uses the task`, seq });
  }

  /** Why one of these is not known; undefined where all are. `hasAllEvents`: events from the start on were read later. */
  find(needs: readonly RequiredEvidence[], hasAllEvents = false): Gap | undefined {
    for (const need of needs) {
      const isInEvents = need === 'events' && hasAllEvents;
      const gap =
        this.#found.get(need) ??
        // A client that is not seen sends requests that are not seen.
        (need === 'requests' ? this.#found.get('one-client') : undefined) ??
        this.#found.get('exchanges') ??
        (isInEvents || need === 'one-client' || need === 'headers' ? undefined : this.#found.get('start'));
      if (gap) return gap;
    }
    return undefined;
  }

  #add(kind: RequiredEvidence | 'exchanges' | 'start', gap: Gap): void {
    if (!this.#found.has(kind)) this.#found.set(kind, gap);
  }
}
