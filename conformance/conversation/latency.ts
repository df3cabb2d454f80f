import type { Exchange } from '../../spec/vocabulary.js';
import { ReadExchange, UNORDERED_MS } from './read-exchange.js';

/** Least time until a client in real time has read a response, ms. A request on the same connection shows it sooner. */
const LATENCY_MS = 100;
/** A client waits for the processor several times until its next request arrives: to read the response, to handle it, to send. */
const WAITS = 4;

/** Time after which a client in real time has read a response, ms: longer on a busy machine, where timers are late. */
export function estimateLatency(lateness_ms = 0): number {
  return LATENCY_MS + WAITS * lateness_ms;
}

/**
 * Reads exchanges of clients in real time. A client that waits for each response has read it before its next request. One that was seen
 * to send a request beside another may send a third while a response is on its way.
 */
export class RealTimeReader {
  /** When the last response left, ms, by organisation. */
  readonly #ends = new Map<string, number>();
  readonly #concurrent = new Set<string>();

  /** `isRecording`: of any program, or of a proxy. `speed`: how much faster the clock of a mock is than that of its clients. */
  constructor(private readonly options: { isRecording?: boolean; speed?: number | undefined } = {}) {}

  /** Call it in the order in which the exchanges ended. */
  readNext(exchange: Exchange): ReadExchange {
    this.#observe(exchange);
    return this.#read(exchange);
  }

  /** Reads all exchanges of a conversation, in any order. */
  readAll(exchanges: readonly Exchange[]): ReadExchange[] {
    const findEnd = ({ request, response }: Exchange) => response?.at ?? request.at;
    for (const each of exchanges.toSorted((one, other) => findEnd(one) - findEnd(other))) this.#observe(each);
    return exchanges.map((each) => this.#read(each));
  }

  #observe({ organisation, request, response }: Exchange): void {
    if (!response) return;
    const last = this.#ends.get(organisation) ?? Number.NEGATIVE_INFINITY;
    if (request.at < last) this.#concurrent.add(organisation);
    this.#ends.set(organisation, Math.max(last, response.at));
  }

  #read(exchange: Exchange): ReadExchange {
    const { organisation, connection, order } = exchange;
    const { isRecording = false, speed = 1 } = this.options;
    const isExact = connection !== undefined || order !== undefined || !isRecording;
    // In process, a response has been read when it ends.
    const isInProcess = isExact && connection === undefined;
    if (!isInProcess && this.#concurrent.has(organisation))
      return new ReadExchange(exchange, speed * estimateLatency());
    return new ReadExchange(exchange, isExact ? 0 : UNORDERED_MS);
  }
}
