import type { SeenExchange } from '../read.js';
import type { Complaint, Rule, Watcher } from '../rule.js';
import { Ending } from './ending.js';

/** Polls after the end that are let pass while the recording is not there yet: 30 s at a quick pace. */
const RECORDING_PATIENCE = 60;

/** Part of the time asked for by a 429 that has to pass: clocks differ a little. */
const CLOSE_ENOUGH = 0.9;

/** Sections "Polling rules" and "Limits". */
export const pollingRules: readonly Rule[] = [
  {
    id: 'polling/after-the-end',
    requirements: ['CLIENT-01', 'POLL-01'],
    side: 'client',
    level: 'advice',
    title: 'A task that is over is not polled on.',
    scope: 'task',
    start: afterTheEnd,
  },
  {
    id: 'polling/retry-after',
    requirements: ['POLL-11'],
    side: 'client',
    level: 'advice',
    title: 'After a 429 a client waits for as long as Retry-After says.',
    scope: 'task',
    timed: true,
    start: retryAfter,
  },
];

function afterTheEnd(): Watcher {
  const ending = new Ending();
  let waiting = 0;
  let extra = 0;
  function see(exchange: SeenExchange): Complaint[] {
    if (!exchange.is('getTask') || !ending.isKnownTo(exchange) || isForDownloads(exchange)) return [];
    if (!ending.complete && waiting++ < RECORDING_PATIENCE) return [];
    // One more is common and harmless: for the recording, or by a second reader.
    if (extra++ === 0) return [];
    const message = `The task is polled on although it was "${ending.status}" in the answer to exchange ${ending.seq}. "done", "failed" and "cancelled" are for good: stop there, and wait for no other name such as "completed".`;
    return [{ message, evidence: [ending.seq, exchange.seq] }];
  }
  return {
    see(exchange) {
      const complaints = see(exchange);
      ending.see(exchange);
      return complaints;
    },
  };
}

function isForDownloads({ query }: SeenExchange): boolean {
  return /^(true|1|yes|on)$/i.test(query.get('downloads') ?? '');
}

function retryAfter(): Watcher {
  let limit: { seq: number; answeredAt: number; wait_ms: number } | undefined;
  return {
    see(exchange) {
      if (!exchange.is('getTask')) return [];
      const complaints: Complaint[] = [];
      if (limit !== undefined && exchange.couldKnow(limit)) {
        const waited_ms = exchange.exchange.request.at - limit.answeredAt;
        if (waited_ms < limit.wait_ms * CLOSE_ENOUGH) {
          const message = `The task is polled again ${waited_ms} ms after a 429 that asked for ${limit.wait_ms} ms in "Retry-After". Wait that long, or the limit is met again and again.`;
          complaints.push({ message, evidence: [limit.seq, exchange.seq] });
        }
        limit = undefined;
      }
      const wait_ms = waitOf(exchange);
      if (wait_ms !== undefined) limit = { seq: exchange.seq, answeredAt: exchange.answeredAt, wait_ms };
      return complaints;
    },
  };
}

/** What a 429 asks for, ms; undefined for any other answer and for what cannot be read. */
function waitOf(exchange: SeenExchange): number | undefined {
  if (exchange.exchange.response?.status !== 429) return undefined;
  const text = exchange.responseHeader('retry-after')?.trim() ?? '';
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : undefined;
}
