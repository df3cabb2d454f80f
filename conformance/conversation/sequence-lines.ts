import type { SequenceLine } from '../../scenarios/format/sequence-diagram.js';
import { API_PREFIX, type Exchange } from '../../spec/vocabulary.js';
import { formatTime } from '../common/text.js';
import { readField } from './json.js';
import { ReadExchange } from './read-exchange.js';

/** Exchanges whose `seq` is not in `shown` are context. */
export function toSequenceLines(exchanges: readonly Exchange[], shown: ReadonlySet<number>): SequenceLine[] {
  const start = exchanges[0]?.request.at ?? 0;
  return exchanges.flatMap((exchange): SequenceLine[] => {
    const { seq, request, response } = exchange;
    const isContext = !shown.has(seq);
    const text = `#${seq} ${request.method} ${shortenUrl(request.url)}`;
    const time = `+${formatTime(Math.max(0, request.at - start))}`;
    const sent: SequenceLine = { kind: 'request', text, time, isContext };
    if (!response) return [sent, { kind: 'lost', text: 'no response', isContext }];
    const isError = response.status >= 400;
    return [sent, { kind: 'response', text: describeResponse(exchange), isError, isContext }];
  });
}

/** Removes the API prefix and truncates ids. */
export function shortenUrl(url: string): string {
  const below = url.startsWith(API_PREFIX) ? url.slice(API_PREFIX.length) : url;
  return below.replace(/[0-9a-f]{8}-?[0-9a-f-]{12,}/gi, (id) => `${id.slice(0, 6)}…`);
}

/** The HTTP status, and the status of the task or the reason of the refusal. */
function describeResponse(exchange: Exchange): string {
  const { httpStatus, status, ok, responseJson } = new ReadExchange(exchange);
  const detail = ok ? undefined : readField(responseJson, 'detail');
  return [httpStatus, status, typeof detail === 'string' ? detail.slice(0, 60) : undefined]
    .filter(Boolean)
    .join(' ');
}
