import type { Exchange } from '../../../spec/vocabulary.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import type { ClientRun } from '../types.js';

/** Things that happen at one and the same ms are told apart by this much, ms. A power of two: exact in times of today. */
const STEP_MS = 1 / 1024;

/**
 * The exchanges with times that tell the order in which things happened, also of those within one ms: whether an answer had
 * left when the next request arrived decides what the client could know. Times differ by less than 1 ms from those on record.
 */
export function ordered({ exchanges, trace }: ClientRun, latency_ms = 0): ReadExchange[] {
  const arrived = new Map<number, number>();
  const left = new Map<number, number>();
  let at = Number.NaN;
  let within = 0;
  for (const entry of trace) {
    within = entry.at === at ? within + 1 : 0;
    at = entry.at;
    if (entry.what === 'step') continue;
    (entry.what === 'arrive' ? arrived : left).set(entry.seq, Math.min(within * STEP_MS, 1 - STEP_MS));
  }
  return exchanges.map((exchange) => {
    const { seq, request, response } = exchange;
    return new ReadExchange(exchange, latency_ms, {
      at: request.at + (arrived.get(seq) ?? 0),
      answeredAt: response && response.at + (left.get(seq) ?? 0),
    });
  });
}

type Times = { at: number; answeredAt: number | undefined };

/** When a request arrived and its response left on the client's clock, ms: in real time the service's clock jumps. */
export function clientTimesOf({ wall }: ClientRun, { seq, request, response }: Exchange): Times {
  const times = wall?.get(seq);
  if (!times) return { at: request.at, answeredAt: response?.at };
  return { at: times.arrived, answeredAt: response && (times.left ?? times.arrived) };
}

/** How long the client waited from this response until it sent this request, on its own clock, ms. */
export function waitBetween(
  run: ClientRun,
  { exchange: before }: ReadExchange,
  { exchange: after }: ReadExchange,
) {
  const from = clientTimesOf(run, before).answeredAt ?? Number.POSITIVE_INFINITY;
  return clientTimesOf(run, after).at - from;
}

/** The exchanges at those times: for rules that compare times. */
export function atWallTimes(run: ClientRun): ReadExchange[] {
  return run.exchanges.map((exchange) => new ReadExchange(exchange, 0, clientTimesOf(run, exchange)));
}
