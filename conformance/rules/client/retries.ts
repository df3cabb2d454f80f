import { isTerminal } from '../../../spec/vocabulary.js';
import type { Gap } from '../../conversation/gaps.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { isPermanentRefusal } from '../../conversation/task-conversation.js';
import { defineRules, type RuleFinding } from '../rule.js';

/** A request repeated sooner than this counts as immediate, ms. */
export const AT_ONCE_MS = 50;
/** Most readers of one task in a client. They poll independently and do not share what they know. */
export const MOST_READERS = 5;
/** Most requests of a stream remembered; the oldest are dropped. */
const MOST_REQUESTS = 1000;
/** A pause shorter than this part of an earlier one belongs to another reader, unless there is news. */
const SOONER_PART = 0.5;
/** Attempts in a row of a permanently refused request: another attempt never helps. */
const MOST_REFUSED = 10;
/** Attempts in a row of a request with a temporary failure: no response, 5xx, 429, an unreadable body. */
const MOST_FAILED = 20;

/** Requests that are sent again. Section "Errors". */
export const retryRules = defineRules('client', 'stream', 'all', {
  'limits/immediate-retry': {
    requirements: ['POLL-11'],
    title: 'After a 429 a request is not sent again at once.',
    defect: 'A request was sent again at once after a 429',
    needs: ['requests'],
    timed: true,
    start: () => {
      const limited = new RecentRequests<ReadExchange>();
      const senders = new Senders();
      const found: { finding: RuleFinding; sent: ReadExchange }[] = [];
      return {
        observe(exchange) {
          const before = limited.remove(exchange);
          senders.observe(exchange);
          // "Retry-After: 0" allows it.
          const isLimited =
            exchange.httpStatus === 429 &&
            !/^0*(\.0*)?$/.test(exchange.findResponseHeader('retry-after') ?? 'x');
          if (isLimited) limited.add(exchange, exchange);
          if (!before || before.seq > exchange.seq) return undefined;
          const waitedMs = exchange.at - before.respondedAt;
          const isAfter = waitedMs >= 0 && exchange.isAfter(before);
          const isInexact = exchange.measureMaxSince(before) >= AT_ONCE_MS;
          if (exchange.measureMinSince(before) >= AT_ONCE_MS || !(isAfter || isInexact)) return undefined;
          const message = `${exchange.operationName} is sent again ${Math.max(0, Math.round(waitedMs))} ms after exchange ${before.seq} was refused with the status 429. Wait for as long as Retry-After says, else a second and longer each time.`;
          const gap = exchange.findGap('body') ?? (isInexact ? findInexactGap(exchange) : undefined);
          const finding = { message, evidence: [before.seq, exchange.seq], gap };
          // Only its sender knows the id of an event.
          const look = senders.findLook(exchange, before);
          if (exchange.sent !== undefined || (!look && senders.isExcessRetry(exchange))) return finding;
          const trigger = look ?? senders.findTrigger(exchange, before);
          const ambiguous = trigger ? { ...finding, gap: finding.gap ?? trigger } : finding;
          if (found.length < MOST_REQUESTS) found.push({ finding: ambiguous, sent: exchange });
          return undefined;
        },
        conclude: () =>
          found.map(({ finding, sent }) => ({ ...finding, gap: finding.gap ?? senders.findGap(sent) })),
      };
    },
  },
  'requests/bounded': {
    requirements: ['CLIENT-08'],
    level: 'advice',
    title: 'A request that fails is sent again a bounded number of times.',
    defect: 'A request that failed was sent again without end',
    needs: ['requests'],
    start: () => {
      const failing = new RecentRequests<{ why: string; seqs: number[]; count: number }>();
      const longest = new Map<string, number>();
      return (exchange) => {
        const why = describeFailure(exchange);
        const before = failing.remove(exchange);
        if (why === undefined) return undefined;
        const same = before?.why === why ? before : { seqs: [], count: 0 };
        const count = same.count + 1;
        const seqs = [...same.seqs, exchange.seq].slice(-3);
        failing.add(exchange, { why, seqs, count });
        const isForGood = isPermanentRefusal(exchange);
        if (count <= (isForGood ? MOST_REFUSED : MOST_FAILED)) return undefined;
        const remedy = isForGood
          ? 'That does not change: stop, and report it.'
          : 'Try again a bounded number of times, then give up and report it.';
        const message = `${exchange.operationName} was sent ${count} times in a row and got ${why} each time. ${remedy}`;
        const isUpdate = count > (longest.get(exchange.operationName) ?? 0);
        if (isUpdate) longest.set(exchange.operationName, count);
        return { message, evidence: seqs, gap: exchange.findGap('body'), isUpdate };
      };
    },
  },
  'create/again': {
    requirements: ['CLIENT-03'],
    level: 'advice',
    title: 'A task that may have been made is not made again.',
    defect: 'A task that may have been made was made again',
    concerns: 'request',
    needs: ['responses'],
    only: ['createTask'],
    start: () => {
      const made = new RecentRequests<{ first: ReadExchange; count: number }>();
      let most = 0;
      return (exchange) => {
        if (exchange.requestBody.state !== 'json') return undefined;
        const before = made.remove(exchange);
        const { httpStatus, seq } = exchange;
        // A 429 or another refusal created no task.
        const { first, count } = before ?? { first: exchange, count: 0 };
        if (httpStatus === 0 || httpStatus >= 500 || exchange.unclear)
          made.add(exchange, { first, count: count + 1 });
        if (before === undefined) return undefined;
        const isUpdate = count > most;
        most = Math.max(count, most);
        const message = `POST /task is sent again after exchange ${first.seq} got no good response. The service may still have created the task: then there are ${count === 1 ? 'two, and both cost' : `${count + 1}, and each costs`} credits. Search for it with GET /task first, or give up.`;
        return { message, evidence: [first.seq, seq], gap: first.findGap('response'), isUpdate };
      };
    },
  },
});

function findInexactGap({ inexact_ms, seq }: ReadExchange): Gap | undefined {
  return inexact_ms > 0
    ? { why: `the times of exchange ${seq} are exact to ${inexact_ms} ms`, seq }
    : undefined;
}

function describeFailure({ httpStatus, unclear, responseBody }: ReadExchange): string | undefined {
  if (httpStatus === 0) return 'no response';
  if (httpStatus >= 400) return String(httpStatus);
  return unclear && responseBody.state === 'text' ? 'no JSON' : undefined;
}

class RecentRequests<T> {
  readonly #kept = new Map<string, T>();

  remove(exchange: ReadExchange): T | undefined {
    if (this.#kept.size === 0 || !exchange.operation) return undefined;
    const key = readRequestKey(exchange);
    const value = this.#kept.get(key);
    this.#kept.delete(key);
    return value;
  }

  add(exchange: ReadExchange, value: T): void {
    if (exchange.operation) this.#kept.set(readRequestKey(exchange), value);
    if (this.#kept.size > MOST_REQUESTS) this.#kept.delete(this.#kept.keys().next().value!);
  }
}

interface RequestSeries {
  last: Pick<ReadExchange, 'seq' | 'respondedAt' | 'httpStatus'> & { isQuiet: boolean };
  longest_ms: number;
  /** Two of its exchanges that a single sender would not have sent. */
  others: readonly [number, number] | undefined;
  /** Requests in a row that followed a 429 immediately. */
  hasty: number;
}

/** Detects requests from several parts of a client, or from several workers with one key. */
class Senders {
  readonly #series = new Map<string, RequestSeries>();
  /** The last request of each organisation that is not a GET, and when it was responded to or failed, ms. */
  readonly #acts = new Map<string, { seq: number; ended_at: number; isConfirmed: boolean }>();
  /** The last poll with an `event_t` of each organisation. */
  readonly #cursors = new Map<string, number>();

  observe(exchange: ReadExchange): void {
    if (!exchange.operation) return;
    const { organisation, request } = exchange.exchange;
    const isRead = request.method === 'GET';
    if (exchange.is('getTask') && exchange.cursor.text !== undefined)
      this.#cursors.set(organisation, exchange.seq);
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
    if (isRead) return;
    const { seq, at, respondedAt, isConfirmed } = exchange;
    const isCreated = isConfirmed && exchange.is('createTask');
    // No poll of a task is beside its creation.
    const ended_at = isCreated ? Number.NEGATIVE_INFINITY : Number.isFinite(respondedAt) ? respondedAt : at;
    this.#acts.set(organisation, { seq, ended_at, isConfirmed });
  }

  /** Records a request that followed a 429 immediately. True if there are more in a row than senders. */
  isExcessRetry(exchange: ReadExchange): boolean {
    const series = this.#series.get(readRequestKey(exchange));
    return series !== undefined && ++series.hasty >= MOST_READERS;
  }

  /** A client may look at its task at once when something else failed or got through, beside the poll that was refused. */
  findTrigger(exchange: ReadExchange, refused: ReadExchange): Gap | undefined {
    const act = this.#acts.get(exchange.exchange.organisation);
    if (act === undefined) return undefined;
    const { seq, ended_at, isConfirmed } = act;
    // The times of one instant differ by less than 1 ms.
    if (ended_at <= refused.at - (isConfirmed ? 1 : AT_ONCE_MS)) return undefined;
    return {
      why: `it may be what the client does when exchange ${seq} ${isConfirmed ? 'has got through' : 'fails'}`,
      seq,
    };
  }

  /** A client that polls for events may look at the status alone, before it does something or always. */
  findLook(exchange: ReadExchange, refused: ReadExchange): Gap | undefined {
    const seq = this.#cursors.get(exchange.exchange.organisation);
    const isLook = [exchange, refused].some((each) => each.is('getTask') && each.cursor.text === undefined);
    if (seq === undefined || !isLook) return undefined;
    return { why: `it may be a look at the status alone, as exchange ${seq} polls for events`, seq };
  }

  findGap(exchange: ReadExchange): Gap | undefined {
    const [before, seq] = this.#series.get(readRequestKey(exchange))?.others ?? [];
    if (seq === undefined) return undefined;
    const why = `it may be of another sender, as exchange ${seq} followed ${before} sooner than a single sender repeats this request`;
    return { why, seq };
  }

  #compare(series: RequestSeries, exchange: ReadExchange): void {
    const { last, longest_ms } = series;
    const act = this.#acts.get(exchange.exchange.organisation);
    if (!last.isQuiet || (act?.seq ?? 0) > last.seq) return;
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
function readRequestKey({ exchange: { organisation, request } }: ReadExchange): string {
  const content = request.body?.replace(/"timestamp"\s*:\s*[\d.]+/, '') ?? '';
  return `${organisation} ${request.method} ${request.url.replace(/[?#].*$/s, '')} ${content}`;
}
