import type { ReadExchange } from './read-exchange.js';

/**
 * What must be recorded before an absence proves anything: the body of the request that created the task, every request
 * about it, every event that a client could read, every response, the headers, requests of one client only.
 */
export type RequiredEvidence = 'creation' | 'requests' | 'events' | 'responses' | 'headers' | 'one-client';

export interface Gap {
  why: string;
  /** Of the exchange that shows it. */
  seq: number;
}

/** The gaps in the exchanges of a task: the first of each kind. */
export class Gaps {
  readonly #found = new Map<RequiredEvidence | 'exchanges' | 'start', Gap>();
  #userAgent: string | undefined;

  /** `isFirst`: no earlier exchange is recorded. */
  observe(exchange: ReadExchange, isFirst: boolean): void {
    const { seq } = exchange;
    const isCreation = exchange.is('createTask');
    // The response to the creation may arrive after that of the first poll.
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

  addOverflow({ seq }: Pick<ReadExchange, 'seq'>): void {
    this.#add('events', { why: `there are more events up to exchange ${seq} than are remembered`, seq });
  }

  addMissingExchanges({ seq }: Pick<ReadExchange, 'seq'>): void {
    this.#add('exchanges', { why: `exchanges next to ${seq} are not recorded`, seq });
  }

  addSecondClient({ seq }: Pick<ReadExchange, 'seq'>): void {
    this.#add('one-client', { why: `exchange ${seq} shows that another client uses the task`, seq });
  }

  /** The first gap in this evidence. `hasAllEvents`: a later response listed the events from the start. */
  find(needs: readonly RequiredEvidence[], hasAllEvents: boolean): Gap | undefined {
    for (const need of needs) {
      const isInEvents = need === 'events' && hasAllEvents;
      const gap =
        this.#found.get(need) ??
        // Requests of a second client may be missing.
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
