import type { Exchange } from '../../spec/vocabulary.js';
import { ReadExchange } from './read-exchange.js';

/** Least time until a client in real time has read a response, ms. A request on the same connection shows it sooner. */
const LATENCY_MS = 100;
/** A client waits for the processor several times until its next request arrives: to read the response, to handle it, to send. */
const WAITS = 4;

/** Time after which a client in real time has read a response, ms: longer on a busy machine, where timers are late. */
export function estimateLatency(lateness_ms = 0): number {
  return LATENCY_MS + WAITS * lateness_ms;
}

/** Exchanges of a mock in real time, `speed` times as fast. In process, a response has been read when it ends. */
export function readInRealTime(exchange: Exchange, speed = 1): ReadExchange {
  return new ReadExchange(exchange, exchange.connection === undefined ? 0 : speed * estimateLatency());
}
