import { asFields, fingerprint } from '../body.js';
import { nameOf, type SeenExchange } from '../read.js';
import type { Complaint, Rule, Watcher } from '../rule.js';

/** What is sent again sooner was not waited for, ms. */
export const AT_ONCE_MS = 50;

/** Tries in a row of a request that is refused for good: trying again never helps. */
const MOST_REFUSED = 10;
/** Tries in a row of a request that meets what may pass: no answer, 5xx, 429, a body that cannot be read. */
const MOST_FAILED = 20;

/** Requests of a stream that are remembered; the oldest go. */
const MOST_REQUESTS = 1000;

/** Requests that are sent again. Section "Errors". */
export const tryRules: readonly Rule[] = [
  {
    id: 'limits/immediate-retry',
    requirements: ['POLL-11'],
    side: 'client',
    level: 'must',
    title: 'After a 429 a request is not sent again at once.',
    scope: 'stream',
    timed: true,
    start: immediateRetry,
  },
  {
    id: 'requests/bounded',
    requirements: ['CLIENT-08'],
    side: 'client',
    level: 'must',
    title: 'A request that fails is sent again a bounded number of times.',
    scope: 'stream',
    start: endlessTries,
  },
  {
    id: 'create/again',
    requirements: ['CLIENT-03'],
    side: 'client',
    level: 'advice',
    title: 'A task that may have been made is not made again.',
    scope: 'stream',
    only: ['createTask'],
    start: createdAgain,
  },
];

function immediateRetry(): Watcher {
  const limited = new Recent<{ seq: number; answeredAt: number }>();
  return {
    see(exchange) {
      const isLimited = exchange.exchange.response?.status === 429;
      const key = isLimited || limited.size > 0 ? keyOf(exchange) : undefined;
      if (key === undefined) return [];
      const before = limited.take(key);
      if (
        exchange.exchange.response?.status === 429 &&
        !/^0*(\.0*)?$/.test(exchange.responseHeader('retry-after') ?? 'x')
      )
        limited.keep(key, { seq: exchange.seq, answeredAt: exchange.answeredAt });
      if (!before || !exchange.couldKnow(before)) return [];
      const waited_ms = exchange.at - before.answeredAt;
      if (waited_ms >= AT_ONCE_MS) return [];
      const message = `${nameOf(exchange)} is sent again ${Math.round(waited_ms)} ms after it met a 429 in exchange ${before.seq}. Wait for as long as Retry-After says, else a second and longer each time.`;
      return [{ message, evidence: [before.seq, exchange.seq], about: nameOf(exchange) }];
    },
  };
}

function endlessTries(): Watcher {
  const failing = new Recent<{ why: string; seqs: number[]; count: number }>();
  return {
    see(exchange) {
      const why = failureOf(exchange);
      const key = why !== undefined || failing.size > 0 ? keyOf(exchange) : undefined;
      if (key === undefined) return [];
      const before = failing.take(key);
      if (why === undefined) return [];
      const same = before?.why === why ? before : { why, seqs: [], count: 0 };
      const count = same.count + 1;
      const seqs = [...same.seqs, exchange.seq].slice(-3);
      failing.keep(key, { why, seqs, count });
      const status = exchange.exchange.response?.status ?? 0;
      const isForGood = status >= 400 && status < 500 && status !== 429;
      if (count <= (isForGood ? MOST_REFUSED : MOST_FAILED)) return [];
      const remedy = isForGood
        ? 'That does not change: stop, and report it.'
        : 'Try again a bounded number of times, then give up and report it.';
      const message = `${nameOf(exchange)} was sent ${count} times in a row and ${why} each time. ${remedy}`;
      return [{ message, evidence: seqs, about: nameOf(exchange) }];
    },
  };
}

/** In words; undefined for what went well. */
function failureOf(exchange: SeenExchange): string | undefined {
  const { response } = exchange.exchange;
  if (!response) return 'got no answer';
  if (response.status >= 400) return `was answered with ${response.status}`;
  return exchange.unclear && exchange.responseBody.state === 'text' ? 'was answered with no JSON' : undefined;
}

function createdAgain(): Watcher {
  const made = new Recent<number>();
  return {
    see(exchange): Complaint[] {
      const { requestBody, exchange: raw } = exchange;
      const status = raw.response?.status ?? 0;
      // A 429 or another refusal has made nothing.
      const mayBeMade = status === 0 || status >= 500 || exchange.unclear;
      if (requestBody.state !== 'json' || !(mayBeMade || made.size > 0)) return [];
      const key = fingerprint(requestBody.value);
      const before = made.take(key);
      if (mayBeMade) made.keep(key, before ?? exchange.seq);
      if (before === undefined) return [];
      const message = `POST /task is sent again after exchange ${before} got no good answer. The service may have made the task all the same: then there are two, and both cost credits. Look for it with GET /task first, or give up.`;
      return [{ message, evidence: [before, exchange.seq] }];
    },
  };
}

/** The same request to the letter, but for the place that a poll goes on from and the time of an event. */
function keyOf(exchange: SeenExchange): string | undefined {
  const { operation, requestBody, exchange: raw } = exchange;
  if (operation === undefined) return undefined;
  const path = raw.request.url.replace(/[?#].*$/s, '');
  const fields = requestBody.state === 'json' ? asFields(requestBody.value) : undefined;
  const { timestamp: _, ...rest } = fields ?? {};
  return `${raw.organisation} ${operation.method} ${path} ${operation.method === 'GET' ? '' : fingerprint(rest)}`;
}

/** Values by key, the last ones kept. */
class Recent<T> {
  readonly #kept = new Map<string, T>();

  get size(): number {
    return this.#kept.size;
  }

  take(key: string): T | undefined {
    const value = this.#kept.get(key);
    this.#kept.delete(key);
    return value;
  }

  keep(key: string, value: T): void {
    this.#kept.set(key, value);
    if (this.#kept.size > MOST_REQUESTS) this.#kept.delete(this.#kept.keys().next().value!);
  }
}
