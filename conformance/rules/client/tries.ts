import { asFields, type Fields, fingerprint } from '../../conversation/json.js';
import type { Moment, ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules, type Judgement, type Watcher } from '../rule.js';

/** What is sent again sooner was not waited for, ms. */
export const AT_ONCE_MS = 50;

/** Tries in a row of a request that is refused for good: trying again never helps. */
const MOST_REFUSED = 10;
/** Tries in a row of a request that meets what may pass: no answer, 5xx, 429, a body that cannot be read. */
const MOST_FAILED = 20;

/** Requests of a stream that are remembered; the oldest go. */
const MOST_REQUESTS = 1000;

/** Requests that are sent again. Section "Errors". */
export const tryRules = defineRules({ side: 'client', scope: 'stream' }, [
  {
    id: 'limits/immediate-retry',
    requirements: ['POLL-11'],
    level: 'must',
    title: 'After a 429 a request is not sent again at once.',
    timed: true,
    start: immediateRetry,
  },
  {
    id: 'requests/bounded',
    requirements: ['CLIENT-08'],
    level: 'advice',
    title: 'A request that fails is sent again a bounded number of times.',
    start: endlessTries,
  },
  {
    id: 'create/again',
    requirements: ['CLIENT-03'],
    level: 'advice',
    title: 'A task that may have been made is not made again.',
    only: ['createTask'],
    start: createdAgain,
  },
]);

function immediateRetry(): Watcher {
  const limited = new RecentRequests<Moment>(placeOf, printOf);
  return {
    see(exchange) {
      const isLimited = exchange.httpStatus === 429;
      if (exchange.operation === undefined) return undefined;
      const before = limited.take(exchange);
      if (isLimited && !/^0*(\.0*)?$/.test(exchange.responseHeader('retry-after') ?? 'x'))
        limited.keep(exchange, exchange.moment);
      if (!before || !exchange.couldKnow(before)) return undefined;
      const waitedMs = exchange.at - before.respondedAt;
      if (waitedMs >= AT_ONCE_MS) return undefined;
      const message = `${exchange.operationName} is sent again ${Math.round(waitedMs)} ms after it met a 429 in exchange ${before.seq}. Wait for as long as Retry-After says, else a second and longer each time.`;
      return { message, evidence: [before.seq, exchange.seq], about: exchange.operationName };
    },
  };
}

function endlessTries(): Watcher {
  const failing = new RecentRequests<{ why: string; seqs: number[]; count: number }>(placeOf, printOf);
  return {
    see(exchange) {
      const why = failureOf(exchange);
      if (exchange.operation === undefined) return undefined;
      const before = failing.take(exchange);
      if (why === undefined) return undefined;
      const same = before?.why === why ? before : { why, seqs: [], count: 0 };
      const count = same.count + 1;
      const seqs = [...same.seqs, exchange.seq].slice(-3);
      failing.keep(exchange, { why, seqs, count });
      const status = exchange.httpStatus ?? 0;
      const isForGood = status >= 400 && status < 500 && status !== 429;
      if (count <= (isForGood ? MOST_REFUSED : MOST_FAILED)) return undefined;
      const remedy = isForGood
        ? 'That does not change: stop, and report it.'
        : 'Try again a bounded number of times, then give up and report it.';
      const message = `${exchange.operationName} was sent ${count} times in a row and ${why} each time. ${remedy}`;
      return { message, evidence: seqs, about: exchange.operationName };
    },
  };
}

/** What failed, as text; undefined for a success. */
function failureOf(exchange: ReadExchange): string | undefined {
  const { response } = exchange.exchange;
  if (!response) return 'got no answer';
  if (response.status >= 400) return `was answered with ${response.status}`;
  return exchange.unclear && exchange.responseBody.state === 'text' ? 'was answered with no JSON' : undefined;
}

function createdAgain(): Watcher {
  const made = new RecentRequests<number>(
    () => '',
    ({ requestBody }) => (requestBody.state === 'json' ? fingerprint(requestBody.value) : ''),
  );
  return {
    see(exchange): Judgement {
      const { requestBody, exchange: raw } = exchange;
      const status = raw.response?.status ?? 0;
      // A 429 or another refusal has made nothing.
      const mayBeMade = status === 0 || status >= 500 || exchange.unclear;
      if (requestBody.state !== 'json') return undefined;
      const before = made.take(exchange);
      if (mayBeMade) made.keep(exchange, before ?? exchange.seq);
      if (before === undefined) return undefined;
      const message = `POST /task is sent again after exchange ${before} got no good response. The service may have made the task all the same: then there are two, and both cost credits. Look for it with GET /task first, or give up.`;
      return { message, evidence: [before, exchange.seq] };
    },
  };
}

function placeOf({ place, exchange: { organisation } }: ReadExchange): string {
  return `${organisation} ${place}`;
}

/** By body: those are shared, and several rules look at each. */
const prints = new WeakMap<Fields, string>();
const NOTHING: Fields = {};

/** Short text that is the same for the same request, but for the time of an event. */
function printOf({ operation, requestBody }: ReadExchange): string {
  if (operation?.method === 'GET') return '';
  const fields = (requestBody.state === 'json' && asFields(requestBody.value)) || NOTHING;
  let print = prints.get(fields);
  if (print === undefined) {
    const { timestamp: _, ...rest } = fields;
    print = fingerprint(rest);
    prints.set(fields, print);
  }
  return print;
}

/**
 * Values by request, the last ones kept. Where a poll goes on from is no part of its place. Bodies are looked into only
 * where another request of the place is kept.
 */
class RecentRequests<T> {
  readonly #kept = new Map<string, { place: string; value: T }>();
  /** How many are kept of each place. */
  readonly #places = new Map<string, number>();

  constructor(
    private readonly placeOf: (exchange: ReadExchange) => string,
    private readonly printOf: (exchange: ReadExchange) => string,
  ) {}

  take(exchange: ReadExchange): T | undefined {
    if (this.#kept.size === 0) return undefined;
    const place = this.placeOf(exchange);
    return this.#places.has(place) ? this.#remove(`${place} ${this.printOf(exchange)}`) : undefined;
  }

  keep(exchange: ReadExchange, value: T): void {
    const place = this.placeOf(exchange);
    this.#kept.set(`${place} ${this.printOf(exchange)}`, { place, value });
    this.#places.set(place, (this.#places.get(place) ?? 0) + 1);
    if (this.#kept.size > MOST_REQUESTS) this.#remove(this.#kept.keys().next().value!);
  }

  #remove(key: string): T | undefined {
    const known = this.#kept.get(key);
    if (!known) return undefined;
    this.#kept.delete(key);
    const left = this.#places.get(known.place)! - 1;
    if (left > 0) this.#places.set(known.place, left);
    else this.#places.delete(known.place);
    return known.value;
  }
}
