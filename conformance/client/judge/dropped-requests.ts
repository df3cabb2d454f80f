import type { RequirementId } from '../../../spec/generated/documents.js';
import { groupBy } from '../../../spec/lists.js';
import { type Finding, isTerminal } from '../../../spec/vocabulary.js';
import { isSameJson, readField, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { isPermanentRefusal } from '../../conversation/task-conversation.js';
import { readActionContent, VAIN_PART } from './actions.js';
import { createFailure } from './findings.js';
import {
  describeOutcome,
  describeRequest,
  isOutOfCredits,
  measureWait,
  type ObservedAction,
  type ObservedCall,
  type ObservedRun,
  readClientTimes,
} from './observed-run.js';

/** A request that carries a part of the job and failed in every try, each time for a transient reason, without visible effect. */
export interface LostRequest {
  kind: 'task' | 'action' | 'close' | 'cancel' | 'reply' | 'poll';
  /** The last try. */
  last: ReadExchange;
  /** What it carries: `goto`, `the close`. Empty for requests without content. */
  carries: string;
  /** What a client waits for if it neither repeats the request nor gives up. */
  awaited: string;
  requirement: RequirementId;
  about?: string | undefined;
  /** Of a reply. */
  call?: ObservedCall;
}

/** Parts of the deadline: a wait of `IDLE_PART` has no other reason, if the run ended after `LATE_PART`. */
const IDLE_PART = 0.5;
const LATE_PART = 0.8;

export function collectLostRequests(observed: ObservedRun): LostRequest[] {
  // Fast path: in most runs no request is lost.
  if (!observed.exchanges.some((each) => isTransientFailure(each, observed))) return [];
  return [
    ...collectLostCreates(observed),
    ...collectLostActions(observed),
    ...collectLostStops(observed),
    ...collectLostReplies(observed),
    ...collectLostPolls(observed),
  ];
}

/** A failure that a retry may resolve. Exhausted credits are none, and a pending request has not failed yet. */
function isTransientFailure(each: ReadExchange, { run }: ObservedRun): boolean {
  const { httpStatus: status } = each;
  if (status === 0) return !run.pending.includes(each.seq);
  return status >= 500 || each.unclear || (status === 429 && !isOutOfCredits(each));
}

function isLost(tries: readonly ReadExchange[], observed: ObservedRun): boolean {
  return tries.length > 0 && tries.every((each) => isTransientFailure(each, observed));
}

function collectLostCreates(observed: ObservedRun): LostRequest[] {
  const { creates, task } = observed;
  if (task !== undefined || !isLost(creates, observed)) return [];
  const requirement = 'CLIENT-13';
  return [{ kind: 'task', last: creates.at(-1)!, carries: 'the task', awaited: 'a task', requirement }];
}

/** Of actions with the same content as many count as the job has: a repeated one may have another id. */
function collectLostActions(observed: ObservedRun): LostRequest[] {
  const { run, end, stop } = observed;
  const isEndedByService = end !== undefined && !(stop && stop.seq < end.seq);
  // The session is over, or the job was cut short by the cancel.
  if (isEndedByService || (stop && run.job.cancel_after_ms !== null)) return [];
  const actions = [...observed.actions.values()].filter(({ name }) => name !== 'close');
  const readSentContent = ({ attempts }: ObservedAction) => readActionContent(attempts[0]!.sent?.payload);
  const groups = groupBy(actions, (action) => JSON.stringify(readSentContent(action)));
  return [...groups.values()].flatMap((group) => {
    const lost = group.filter((action) => isLostAction(action, observed));
    if (lost.length === 0) return [];
    const content = readSentContent(group[0]!);
    const requested = run.job.actions.filter(({ payload }) =>
      isSameJson(readActionContent(payload), content),
    ).length;
    const open = Math.max(1, requested) - (group.length - lost.length);
    return open <= 0 ? [] : lost.slice(-open).map(toLostRequest);
  });
}

function isLostAction({ id, name, attempts, result }: ObservedAction, observed: ObservedRun): boolean {
  if (!isLost(attempts, observed)) return false;
  const { stop, line } = observed;
  // A client that closes its session at once does not wait for the result.
  const isLate = result !== undefined && stop !== undefined && result.respondedAt > stop.at;
  const isListed =
    Array.isArray(line?.results) && line.results.some((each) => readField(each, 'name') === name);
  if (result !== undefined && (!isLate || isListed)) return false;
  // An unreadable success counts if the service has the action.
  const hasArrived = observed.run.tasks.some(({ actions }) => actions.some((each) => each.id === id));
  return !(hasArrived && attempts.some(({ ok }) => ok));
}

function toLostRequest({ name, about, attempts }: ObservedAction): LostRequest {
  const [last, awaited] = [attempts.at(-1)!, `the result of ${name}`];
  return { kind: 'action', last, carries: name, awaited, requirement: 'CLIENT-13', about };
}

/** A close or a DELETE in the job. Both end a session. */
function collectLostStops(observed: ObservedRun): LostRequest[] {
  const { run, end, exchanges, actions } = observed;
  const { close, cancel_after_ms } = run.job;
  if (end !== undefined || (close === null && cancel_after_ms === null)) return [];
  const tries = exchanges.filter(({ isStop }) => isStop);
  // The status of a response to DELETE is sufficient, whatever its body.
  if (!isLost(tries, observed) || tries.some(({ ok }) => ok)) return [];
  const ofClose = [...actions.values()].filter(({ name }) => name === 'close');
  if (ofClose.some(({ result }) => result !== undefined)) return [];
  const last = tries.at(-1)!;
  const carries = last.isClose ? 'the close' : '';
  if (cancel_after_ms !== null)
    return [{ kind: 'cancel', last, carries, awaited: 'the end of the task', requirement: 'CLIENT-13' }];
  const { about } = ofClose[0] ?? {};
  const awaited = 'the end of the session';
  return [{ kind: 'close', last, carries, awaited, requirement: 'SESSION-02', about }];
}

/** Replies that the service still waits for. */
function collectLostReplies(observed: ObservedRun): LostRequest[] {
  const { run, stop, end, calls } = observed;
  if (stop || end) return [];
  const open = run.tasks.filter(({ status }) => !isTerminal(status)).flatMap((task) => task.calls);
  const waiting = new Set(open.filter(({ reply }) => reply === undefined).map(({ id }) => id));
  return [...calls.values()].flatMap((call): LostRequest[] => {
    const { id, about, isTooLate, replies } = call;
    if (isTooLate || !waiting.has(id) || !isLost(replies, observed)) return [];
    const [last, carries] = [replies.at(-1)!, `the reply to call ${show(id)}`];
    const awaited = 'a service that itself waits for this reply';
    return [{ kind: 'reply', last, carries, awaited, requirement: 'TOOL-10', about, call }];
  });
}

/** The last poll, if no other request followed. */
function collectLostPolls(observed: ObservedRun): LostRequest[] {
  const last = observed.exchanges.at(-1);
  if (!last?.is('getTask') || observed.end || !isTransientFailure(last, observed)) return [];
  return [
    { kind: 'poll', last, carries: '', awaited: 'what the next poll would bring', requirement: 'POLL-01' },
  ];
}

/**
 * Requests that failed, were not repeated, and are not reported, or only by an error at the deadline. A client may give up after any
 * number of tries if it reports that.
 */
export function checkDroppedRequests(observed: ObservedRun, lost: readonly LostRequest[]): Finding[] {
  if (observed.run.end !== 'by-itself') return [];
  return lost.flatMap((request) => {
    const { last, carries, awaited, requirement, about } = request;
    const what = `${describeRequest(last)}${carries && `, which sent ${carries},`} ${describeOutcome(last)}`;
    const waited_ms = measureIdleTime(last, observed);
    // Its result would show that it has arrived, and it is undefined what a second event with its id does: to wait may be safer.
    const isInDoubt = request.kind === 'action' && last.httpStatus !== 429 && isReported(request, observed);
    if (waited_ms !== undefined && !isInDoubt) {
      const message = `${what}, and was not sent again. The client waited ${Math.round(waited_ms / 1000)} s more, until its time was over, for ${awaited}. Send the same request again, or give up at once and report it.`;
      const evidence = [...new Set([last.seq, ...observed.last])];
      return [createFailure('requests/dropped', message, evidence, { requirement: 'CLIENT-09', about })];
    }
    if (request.kind === 'poll' || isReported(request, observed)) return [];
    const message = `${what}, and was not sent again, and the client reports no error. Send the same request again, a limited number of times, until it gets through or its effect is seen; else report the error.`;
    return [createFailure('requests/dropped', message, [last.seq], { requirement, about })];
  });
}

/** Tries of a request that is refused for good. */
const MOST_TRIES = 3;

/** Polls, creations or events that were refused for good, and were sent again until the time of the client was over. */
export function checkInsistence({ run, exchanges }: ObservedRun): Finding[] {
  // Fast path: in most runs nothing is refused for good.
  if (!exchanges.some(isRefusedForGood)) return [];
  return [...groupBy(exchanges, readKind)].flatMap(([kind, tries]) => {
    const last = tries.at(-1)!;
    if (kind === undefined || !isRefusedForGood(last)) return [];
    const same = tries.filter(({ httpStatus }) => httpStatus === last.httpStatus);
    const waited_ms = measureWait(run, same[0]!, last);
    if (same.length < MOST_TRIES || waited_ms < VAIN_PART * run.job.deadline_ms) return [];
    const message = `${describeRequest(last)} ${describeOutcome(last)}, as ${same.length - 1} times before, for ${Math.round(waited_ms / 1000)} s. That does not change: stop, and report it.`;
    return [createFailure('requests/refused', message, [same[0]!.seq, last.seq])];
  });
}

/** Events with the same id are the same. Undefined for requests that may be sent again, such as a DELETE. */
function readKind(each: ReadExchange): string | undefined {
  if (each.is('createTask') || each.is('getTask')) return each.operation?.id;
  return each.sent && show(each.sent.id);
}

function isRefusedForGood(each: ReadExchange): boolean {
  // Credits do not come back after a delay: a 429 with Retry-After is a limit.
  return isPermanentRefusal(each) || (isOutOfCredits(each) && each.retryAfterMs === undefined);
}

/** The client reports the failure: by its error, its exit code, or a failed result of the action that the service did not send. */
function isReported({ kind, carries }: LostRequest, { run, line, gaveUp, actions }: ObservedRun): boolean {
  // A missing line or a wrong status is a finding of its own.
  if (gaveUp !== undefined || line === undefined) return true;
  // A session that was not closed is still running: clients exit with 1 for that.
  if (kind === 'close' || kind === 'cancel') return false;
  if (run.exitCode !== 0) return true;
  if (kind !== 'action' || !Array.isArray(line.results)) return false;
  const reported = line.results.filter(
    (each) => readField(each, 'name') === carries && readField(each, 'code') !== 200,
  );
  const failed = [...actions.values()].filter(
    ({ name, result }) => name === carries && result && result.code !== 200,
  );
  return reported.length > failed.length;
}

/** How long the client continued without this request until its deadline, ms; undefined if it did not. */
function measureIdleTime(last: ReadExchange, { run, exchanges }: ObservedRun): number | undefined {
  const { deadline_ms } = run.job;
  if (run.durationMs < LATE_PART * deadline_ms) return undefined;
  const times = readClientTimes(run, last.exchange);
  const isCutOff = last.exchange.network?.some(({ effect }) => effect === 'lost') === true;
  const failedAt = last.httpStatus > 0 ? times.respondedAt : isCutOff ? times.at : undefined;
  // It is not known when a client gave up waiting for a response.
  if (failedAt === undefined) return undefined;
  const end = readClientTimes(run, exchanges[0]!.exchange).at + run.durationMs;
  const waited_ms = end - failedAt - (last.retryAfterMs ?? 0);
  return waited_ms >= IDLE_PART * deadline_ms ? waited_ms : undefined;
}
