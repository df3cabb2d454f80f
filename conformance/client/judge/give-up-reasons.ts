import { readField } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { isPermanentRefusal } from '../../conversation/task-conversation.js';
import { VAIN_PART } from './actions.js';
import {
  describeOutcome,
  describeRequest,
  findLossTime,
  isAborted,
  isOutOfCredits,
  measureWait,
  type ObservedRun,
  readClientTimes,
} from './observed-run.js';

/** This many 429 responses in a row to one request justify giving up. */
const MANY_LIMITS = 3;

/** A response that takes this long may exceed the time-out of the client or use up its time, ms. */
const SLOW_MS = 5000;

/** Reasons why a correct client may give up. */
export interface GiveUpReasons {
  /** A request failed, not by a mistake of the client, or the service never ends the task. */
  onTheWay: boolean;
  /** Description of the first such request that would succeed if it were repeated. */
  mendable: string | undefined;
  /** The task or an action failed: an error may report that. */
  isBadEnd: boolean;
}

export function findGiveUpReasons(observed: ObservedRun): GiveUpReasons {
  let onTheWay = isEndless(observed);
  let mendable: string | undefined;
  const limits = new Map<string, number>();
  const lateCancel = findLateCancel(observed);
  for (const each of observed.exchanges) {
    if (each === lateCancel || isAcceptedReply(each, observed)) continue;
    const trouble =
      findTransportFailure(each, observed) ??
      (isLimited(each, limits, observed) ? describeOutcome(each) : undefined);
    if (trouble === undefined) continue;
    onTheWay = true;
    // Repeating a create may create two tasks, unless the first was refused.
    if (
      !isPermanentRefusal(each) &&
      (each.httpStatus === 429 || !each.is('createTask')) &&
      !isSettled(each, observed)
    )
      mendable ??= `${describeRequest(each)} ${trouble}`;
  }
  return { onTheWay, mendable, isBadEnd: isUnsuccessful(observed, lateCancel !== undefined) };
}

/** A cancel that was refused because the task is over, if the client reports this refusal as its error: a poll says how the task ended. */
function findLateCancel({ run, exchanges, gaveUp }: ObservedRun): ReadExchange | undefined {
  if (run.job.cancel_after_ms === null || gaveUp === undefined) return undefined;
  return exchanges.find((each) => {
    if (!each.is('deleteTask') || !isPermanentRefusal(each) || isReplaced(each)) return false;
    const isDone = run.tasks.some(({ id, status }) => id === each.task && status === 'done');
    const isStopped = exchanges.some(
      (other) => other.is('deleteTask') && other.isConfirmed && other.seq < each.seq,
    );
    const detail = readField(each.responseJson, 'detail');
    const isQuoted = typeof detail === 'string' && detail !== '' && gaveUp.includes(detail);
    return (isDone || isStopped) && (isQuoted || new RegExp(`\\b${each.httpStatus}\\b`).test(gaveUp));
  });
}

/** A later response settled the request: a success of the same request, or a permanent refusal. */
function isSettled(each: ReadExchange, { exchanges }: ObservedRun): boolean {
  return exchanges.some(
    (later) =>
      later.seq > each.seq &&
      (isPermanentRefusal(later) ? !later.isStop : later.ok && !later.unclear && isRetry(later, each)),
  );
}

function isRetry(later: ReadExchange, { operation, sent, seq }: ReadExchange): boolean {
  return later.operation === operation && later.sent?.id === sent?.id && later.seq > seq;
}

/** Half of the time has passed: what cost it is a reason to give up. */
const LATE_PART = 0.5;

/** A failed try of a reply of which a later try was accepted: what it says is not what ends the wait for the task. */
function isAcceptedReply(each: ReadExchange, { exchanges, run }: ObservedRun): boolean {
  if (!each.reply || each.ok || run.durationMs > LATE_PART * run.job.deadline_ms) return false;
  return exchanges.some(
    (later) => later.reply?.id === each.reply?.id && later.seq >= each.seq && later.isConfirmed,
  );
}

/**
 * Refused after a try that may have been accepted. The description does not say that such a refusal confirms the first try: a client may
 * take it for one, or give up. `tries`: all requests with the same event.
 */
export function isRefusedRepetition(
  { httpStatus, seq }: ReadExchange,
  tries: readonly ReadExchange[],
): boolean {
  const isRefused = httpStatus === 400 || httpStatus === 409;
  return isRefused && tries.some((each) => each.seq < seq && isPossiblyAccepted(each));
}

function isPossiblyAccepted({ httpStatus }: ReadExchange): boolean {
  return httpStatus < 300 || httpStatus >= 500;
}

function findTransportFailure(each: ReadExchange, observed: ObservedRun): string | undefined {
  const { exchange, httpStatus: status } = each;
  if (isImpatientPoll(each, observed)) return undefined;
  if (status === 0 || status >= 500) return describeOutcome(each);
  if (each.unclear) return 'got a response that could not be read';
  const { at, respondedAt } = readClientTimes(observed.run, exchange);
  const took_ms = Math.round(respondedAt - at);
  if (took_ms >= SLOW_MS) return `took ${took_ms} ms`;
  if (status < 400 || status === 429) return undefined;
  // Any other refusal is caused by the request itself.
  return isReplaced(each) || isGone(each, observed) ? describeOutcome(each) : undefined;
}

/** The network made the response. */
function isReplaced({ exchange }: ReadExchange): boolean {
  return exchange.network?.some(({ effect }) => effect === 'replaced') === true;
}

/** The client gave up a poll whose response was late, but not slow. */
function isImpatientPoll(each: ReadExchange, { run }: ObservedRun): boolean {
  if (!each.is('getTask') || !isAborted(each)) return false;
  const lostAt = findLossTime(run, each);
  return lostAt !== undefined && lostAt - each.exchange.request.at < SLOW_MS && run.wall === undefined;
}

/** The task of a refused request is over or no longer exists. A reply that is too late says nothing about the task: a poll does. */
function isGone({ task, httpStatus, seq, reply }: ReadExchange, { run, exchanges }: ObservedRun): boolean {
  if (task === undefined) return false;
  const status = run.tasks.find(({ id }) => id === task)?.status;
  if (status !== undefined && status !== 'running' && status !== 'waiting') return reply === undefined;
  const isMissing = httpStatus === 404 || httpStatus === 410;
  return isMissing && exchanges.some((other) => other.task === task && other.record && other.seq < seq);
}

/** A 429 that justifies giving up: long, repeated, or passed to the caller. Counts them in `limits`. */
function isLimited(each: ReadExchange, limits: Map<string, number>, observed: ObservedRun): boolean {
  if (limits.size === 0 && each.httpStatus !== 429) return false;
  const key = `${each.exchange.request.method} ${each.operation?.id} ${String(each.sent?.id ?? '')}`;
  if (each.httpStatus !== 429) {
    limits.delete(key);
    return false;
  }
  const count = (limits.get(key) ?? 0) + 1;
  limits.set(key, count);
  const isLong = (each.retryAfterMs ?? 0) > observed.run.job.deadline_ms / 2;
  return isOutOfCredits(each) || isLong || count >= MANY_LIMITS || isReportedLimit(each, observed);
}

/** The client gave up after this 429 to a create, a poll, an event or a DELETE, and passed it to its caller. */
function isReportedLimit(limit: ReadExchange, { gaveUp, exchanges }: ObservedRun): boolean {
  if (gaveUp === undefined || !(limit.is('createTask', 'getTask', 'sendTaskEvent') || limit.isStop))
    return false;
  return !exchanges.some((other) => isRetry(other, limit) && other.ok);
}

/** Late, and in a one-shot task that only a cancel ends, which the job does not ask for; or long after an accepted close. */
function isEndless({ run, stop, exchanges }: ObservedRun): boolean {
  const { job, scenario, durationMs } = run;
  if (durationMs <= LATE_PART * job.deadline_ms) return false;
  if (job.request.task === null)
    return stop?.isConfirmed === true && measureWait(run, exchanges[0]!, stop) < VAIN_PART * durationMs;
  const isEnded = scenario.timeline.some((step) => 'service' in step && step.service === 'finish');
  return !isEnded && job.cancel_after_ms === null;
}

function isUnsuccessful(
  { end, stop, statuses, actions: observed, run }: ObservedRun,
  isCancelRefused: boolean,
): boolean {
  const actions = [...observed.values()];
  const isOver =
    end !== undefined || run.tasks.some(({ status }) => status !== 'running' && status !== 'waiting');
  // A client that closes its session itself has skipped the actions that it did not send.
  const isOwnEnd = stop !== undefined && (end === undefined || stop.seq < end.seq);
  const isUnsent =
    !isOwnEnd && run.job.actions.length > actions.filter(({ name }) => name !== 'close').length;
  return (
    statuses.has('failed') ||
    statuses.has('cancelled') ||
    actions.some(({ result }) => result && result.code !== 200) ||
    (isOver && (isUnsent || actions.some(({ result }) => result === undefined))) ||
    (run.job.cancel_after_ms !== null && !isCancelRefused)
  );
}
