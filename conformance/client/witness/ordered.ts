import type { Exchange } from '../../../spec/vocabulary.js';
import type { ClientRun } from '../types.js';

/** Things that happen at one and the same ms are told apart by this much, ms. A power of two: exact in times of today. */
const STEP_MS = 1 / 1024;

/**
 * The exchanges with times that tell the order in which things happened, also of those within one ms: whether an answer had
 * left when the next request arrived decides what the client could know. Copies; times change by less than 1 ms.
 */
export function ordered({ exchanges, trace }: ClientRun): Exchange[] {
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
    const copy: Exchange = { ...exchange, request: { ...request, at: request.at + (arrived.get(seq) ?? 0) } };
    if (response) copy.response = { ...response, at: response.at + (left.get(seq) ?? 0) };
    return copy;
  });
}

/** The exchanges at the times of a real clock, where these are known: for rules that compare times. */
export function atWallTimes({ exchanges, wall }: ClientRun): Exchange[] {
  return exchanges.map((exchange) => {
    const times = wall?.get(exchange.seq);
    if (!times) return exchange;
    const copy: Exchange = { ...exchange, request: { ...exchange.request, at: times.arrived } };
    if (exchange.response) copy.response = { ...exchange.response, at: times.left ?? times.arrived };
    return copy;
  });
}
