import { isTerminal } from '../../../spec/vocabulary.js';
import type { Gap } from '../../conversation/gaps.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';

/** What is sent again sooner was not waited for, ms. */
export const AT_ONCE_MS = 50;
/** So many readers of one task in a client poll by themselves: what one of them has learnt the others do not know. */
export const MOST_READERS = 5;
/** Requests of a stream that are remembered; the oldest go. */
export const MOST_REQUESTS = 1000;
/** A pause that is shorter than this part of one before is no pause of the same reader, unless there is news. */
const SOONER_PART = 0.5;

interface RequestSeries {
  last: Pick<ReadExchange, 'seq' | 'respondedAt' | 'httpStatus'> & { isQuiet: boolean };
  longest_ms: number;
  /** Two of its exchanges that one sender alone would not have sent so. */
  others: readonly [number, number] | undefined;
  /** In a row, of those that followed a 429 at once. */
  hasty: number;
}

/** Which requests come from several parts of a client, or several workers with one key, as far as the exchanges show it. */
export class Senders {
  readonly #series = new Map<string, RequestSeries>();
  /** `seq` of the last request of each organisation that is no GET. */
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

  /** Takes up a request that followed a 429 at once. True for more of them in a row than there are senders. */
  isExcessRetry(exchange: ReadExchange): boolean {
    const series = this.#series.get(readRequestKey(exchange));
    return series !== undefined && ++series.hasty >= MOST_READERS;
  }

  /** Why it is not known who sent it. */
  findGap(exchange: ReadExchange): Gap | undefined {
    const [before, seq] = this.#series.get(readRequestKey(exchange))?.others ?? [];
    if (seq === undefined) return undefined;
    const why = `it may be of another sender, as exchange ${seq} came sooner after ${before} than one alone sends this request again`;
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

/** Without its bodies. */
function summarizeRequest({
  seq,
  respondedAt,
  httpStatus,
  isConfirmed,
  events,
  status,
}: ReadExchange): RequestSeries['last'] {
  // It brought nothing for which a client asks again sooner.
  const isQuiet = isConfirmed && events.length === 0 && !(status && isTerminal(status));
  return { seq, respondedAt, httpStatus, isQuiet };
}

/** The same but for the query and the time of an event is the same request. */
export function readRequestKey({ exchange: { organisation, request } }: ReadExchange): string {
  const content = request.body?.replace(/"timestamp"\s*:\s*[\d.]+/, '') ?? '';
  return `${organisation} ${request.method} ${request.url.replace(/[?#].*$/s, '')} ${content}`;
}
