import type { Exchange } from '../../../spec/vocabulary.js';
import type { Example } from './example.js';

type Open = NonNullable<Example['open']>[string];
type Change = Open['change'];

/** A bad example with something left out: it is not known any more whether the rule was broken. */
export function undecided(of: string, change: Change, why: RegExp): Open {
  return { of, change, why };
}

/** After exchange `n` the client sends an event whose body is not recorded. */
export function unreadEvent(n: number): Change {
  return (exchanges) => insert(exchanges, n, { method: 'POST', url: '/api/v1/task/t1/event' }, 'request');
}

/** After exchange `n` comes a poll whose response is not recorded. */
export function unreadPoll(n: number): Change {
  return (exchanges) => insert(exchanges, n, { method: 'GET', url: '/api/v1/task/t1?event_t=0' }, 'response');
}

/** Exchanges before `n` are missing in the recording. */
export function missingBefore(n: number): Change {
  return (exchanges) => mark(exchanges, n, 'before');
}

/** The response in exchange `n`, and whether there was one, is not recorded. */
export function unreadResponse(n: number): Change {
  return (exchanges) => {
    const { response: _, ...rest } = exchanges[n - 1]!;
    return mark(exchanges.with(n - 1, rest), n, 'response');
  };
}

/** The recording leaves headers out. */
export const noHeaders: Change = (exchanges) =>
  exchanges.map((exchange) => ({ ...exchange, unrecorded: ['headers'] }));

/** Exchange `n` was sent by another client than the others. */
export function anotherClient(n: number): Change {
  return (exchanges) =>
    exchanges.map((exchange) => {
      const userAgent = exchange.seq === n ? 'other/2' : 'client/1';
      const headers = { ...exchange.request.headers, 'user-agent': userAgent };
      return { ...exchange, request: { ...exchange.request, headers } };
    });
}

/** The bodies of these requests are not recorded. */
export function unreadBodies(...numbers: number[]): Change {
  return (exchanges) =>
    exchanges.map((exchange) => {
      const { body: _, ...request } = exchange.request;
      return numbers.includes(exchange.seq)
        ? { ...exchange, request: { ...request, left_out: 0 } }
        : exchange;
    });
}

/** Times are exact to a second. */
export const wholeSeconds: Change = (exchanges) =>
  exchanges.map((exchange) => ({ ...exchange, resolution_ms: 1000 }));

function mark(
  exchanges: readonly Exchange[],
  n: number,
  what: 'before' | 'response' | 'headers',
): Exchange[] {
  return exchanges.map((exchange) => (exchange.seq === n ? { ...exchange, unrecorded: [what] } : exchange));
}

/** Another exchange behind `n`, with one body that is not recorded. */
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
