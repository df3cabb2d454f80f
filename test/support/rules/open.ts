import type { Exchange } from '../../../spec/vocabulary.js';
import type { RuleExample } from './example.js';

type OpenExample = NonNullable<RuleExample['open']>[string];
type ExchangeChange = OpenExample['change'];

/** A bad example with an incomplete recording: whether the rule was broken is unknown. */
export function leaveUndecided(of: string, change: ExchangeChange, why: RegExp): OpenExample {
  return { of, change, why };
}

/** Inserts an event without a recorded body after exchange `n`. */
export function insertUnreadEvent(n: number): ExchangeChange {
  return (exchanges) => insert(exchanges, n, { method: 'POST', url: '/api/v1/task/t1/event' }, 'request');
}

/** Inserts a poll without a recorded response after exchange `n`. */
export function insertUnreadPoll(n: number): ExchangeChange {
  return (exchanges) => insert(exchanges, n, { method: 'GET', url: '/api/v1/task/t1?event_t=0' }, 'response');
}

/** Marks exchanges before `n` as missing in the recording. */
export function markMissingBefore(n: number): ExchangeChange {
  return (exchanges) => mark(exchanges, n, 'before');
}

/** Whether exchange `n` has a response is not recorded. */
export function omitResponse(n: number): ExchangeChange {
  return (exchanges) => {
    const { response: _, ...rest } = exchanges[n - 1]!;
    return mark(exchanges.with(n - 1, rest), n, 'response');
  };
}

export const omitHeaders: ExchangeChange = (exchanges) =>
  exchanges.map((exchange) => ({ ...exchange, unrecorded: ['headers'] }));

/** Another client sent exchange `n`. */
export function changeClient(n: number): ExchangeChange {
  return (exchanges) =>
    exchanges.map((exchange) => {
      const userAgent = exchange.seq === n ? 'other/2' : 'client/1';
      const headers = { ...exchange.request.headers, 'user-agent': userAgent };
      return { ...exchange, request: { ...exchange.request, headers } };
    });
}

/** The bodies of these requests are not recorded. */
export function omitBodies(...numbers: number[]): ExchangeChange {
  return (exchanges) =>
    exchanges.map((exchange) => {
      const { body: _, ...request } = exchange.request;
      return numbers.includes(exchange.seq)
        ? { ...exchange, request: { ...request, left_out: 0 } }
        : exchange;
    });
}

/** Times are exact to a second. */
export const roundToSeconds: ExchangeChange = (exchanges) =>
  exchanges.map((exchange) => ({ ...exchange, resolution_ms: 1000 }));

function mark(
  exchanges: readonly Exchange[],
  n: number,
  what: 'before' | 'response' | 'headers',
): Exchange[] {
  return exchanges.map((exchange) => (exchange.seq === n ? { ...exchange, unrecorded: [what] } : exchange));
}

/** Inserts an exchange after `n` with one body that is not recorded. */
function insert(
  exchanges: readonly Exchange[],
  n: number,
  line: { method: string; url: string },
  unread: 'request' | 'response',
): Exchange[] {
  const { request, response, organisation } = exchanges[n - 1]!;
  const at = response?.at ?? request.at;
  const exchange: Exchange = {
    ...{ seq: 0, kind: '', organisation },
    request: {
      ...line,
      headers: { apikey: 'key' },
      at,
      ...(unread === 'request' && { left_out: 1_500_000 }),
    },
    response: {
      ...{ status: 202, headers: {}, body: '{"r": {"id": "x"}}', at },
      ...(unread === 'response' && { left_out: 1_500_000 }),
    },
  };
  return exchanges.toSpliced(n, 0, exchange).map((each, at) => ({ ...each, seq: at + 1 }));
}
