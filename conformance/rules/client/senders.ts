import { isTerminal } from '../../../spec/vocabulary.js';
import type { Gap } from '../../conversation/gaps.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';

/** A request repeated sooner than this counts as immediate, ms. */
export const AT_ONCE_MS = 50;
/** Most readers of one task in a client. They poll independently and do not share what they know. */
export const MOST_READERS = 5;
/** Most requests of a stream remembered; the oldest are dropped. */
export const MOST_REQUESTS = 1000;
/** A pause shorter than this part of an earlier one belongs to another reader, unless there is news. */
const SOONER_PART = 0.5;

interface RequestSeries {
  last: Pick<ReadExchange, 'seq' | 'respondedAt' | 'httpStatus'> & { isQuiet: boolean };
  longest_ms: number;
  /** Two of its exchanges that a single sender would not have sent. */
  others: readonly [number, number] | undefined;
  /** Requests in a row that followed a 429 immediately. */
  hasty: number;
}

/** Detects requests from several parts of a client, or from several workers with one key. */
export class Senders {
  readonly #series = new Map<string, RequestSeries>();
  /** `seq` of the last request of each organisation that is not a GET. */
  readonly #acts = new Map<string, number>();

  observe(exchange: ReadExchange): void {
    if (!exchange.operation) return;
    const { organisation, request } = exchange.exchange;
    const isRead = request.method === 'GET';
    const key = readRequestKey(exchange);
    const series = this.#series.get(key);
    if (series) {
      if (series.last.httpStatus !== 429) series.hasty = 0;
      if (isRead) this.#compare(series, exchange);
      else if (series.last.httpStatus < 300) series.others ??= [series.last.seq, exchange.seq];
      series.last = summarizeRequest(exchange);
    } else if (isRead || exchange.httpStatus === 429) {
      this.#series.set(key, { last: summarizeRequest(exchange), longest_ms: 0, others: undefined, hasty: 0 });
      if (this.#series.size > MOST_REQUESTS) this.#series.delete(this.#series.keys().next().value!);
    }
    if (!isRead) this.#acts.set(organisation, exchange.seq);
  }

  /** Records a request that followed a 429 immediately. True if there are more in a row than senders. */
  isExcessRetry(exchange: ReadExchange): boolean {
    const series = this.#series.get(readRequestKey(exchange));
    return series !== undefined && ++series.hasty >= MOST_READERS;
  }

  findGap(exchange: ReadExchange): Gap | undefined {
    const [before, seq] = this.#series.get(readRequestKey(exchange))?.others ?? [];
    if (seq === undefined) return undefined;
    const why = `it may be of another sender, as exchange ${seq} followed ${before} sooner than a single sender repeats this request`;
    return { why, seq };
  }

  #compare(series: RequestSeries, exchange: ReadExchange): void {
    const { last, longest_ms } = series;
    const act = this.#acts.get(exchange.exchange.organisation) ?? 0;
    if (!last.isQuiet || act > last.seq) return;
    const pause_ms = exchange.measureMinSince(last);
    if (pause_ms < Math.max(AT_ONCE_MS, SOONER_PART * longest_ms)) series.others ??= [last.seq, exchange.seq];
    series.longest_ms = Math.max(longest_ms, pause_ms);
  }
}

function summarizeRequest({
  seq,
  respondedAt,
  httpStatus,
  isConfirmed,
  events,
  status,
}: ReadExchange): RequestSeries['last'] {
  // The response has no news for which a client would poll sooner.
  const isQuiet = isConfirmed && events.length === 0 && !(status && isTerminal(status));
  return { seq, respondedAt, httpStatus, isQuiet };
}

/** Requests that differ only in the query and the time of an event have the same key. */
export function readRequestKey({ exchange: { organisation, request } }: ReadExchange): string {
  const content = request.body?.replace(/"timestamp"\s*:\s*[\d.]+/, '') ?? '';
  return `${organisation} ${request.method} ${request.url.replace(/[?#].*$/s, '')} ${content}`;
}
