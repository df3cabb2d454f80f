import type { Finding } from '../../../spec/vocabulary.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { isLeftRunning } from './actions.js';
import { createFailure } from './findings.js';
import type { GiveUpReasons } from './give-up-reasons.js';
import {
  describeOutcome,
  describeRequest,
  estimateRunLatency,
  findLossTime,
  type ObservedRun,
  readClientTimes,
} from './observed-run.js';

/** Tolerance for timers that fire early, ms. In real time the creation may arrive later than it was sent. */
const SLACK_MS = 100;
/** This many polls after the time of the cancel prove that the client does not send it, or that it sends it too late. */
const POLLS_IN_VAIN = 3;
/** A cancel that is as late as this waits for something else, ms. */
const LATE_MS = 2000;

/** How the client canceled its task, compared with the time in the job. */
export function checkCancellation(observed: ObservedRun, troubles: GiveUpReasons): Finding[] {
  const { run, exchanges, creates, end, gaveUp, last } = observed;
  const { cancel_after_ms } = run.job;
  const create = creates.find(({ record }) => record !== undefined);
  if (cancel_after_ms === null) return checkUnwantedStop(observed, troubles);
  if (!create) return [];
  const instruction = `The job says "cancel_after_ms": ${cancel_after_ms}`;
  const createFindings = (message: string, evidence: readonly number[]) => [
    createFailure('cancel/matches-job', `${instruction}, and ${message}`, evidence),
  ];
  if (isLeftRunning(observed, troubles)) {
    const hint = 'Send DELETE /task/{task_id} that long after the creation of the task.';
    return createFindings(`the client never stopped the task, which is still running. ${hint}`, last);
  }
  const readSentTime = (each: ReadExchange) => readClientTimes(run, each.exchange).at;
  const made = readClientTimes(run, create.exchange);
  // A DELETE with an id that the client made up is none of its task.
  const deletes = exchanges.filter(
    (each) =>
      each.is('deleteTask', 'deleteTaskData') &&
      (each.httpStatus !== 404 || creates.some(({ record }) => record?.['id'] === each.task)),
  );
  const [first] = deletes;
  const dueAt = made.respondedAt + cancel_after_ms;
  const pollsSince = (time: number) =>
    exchanges.filter((each) => each.is('getTask') && each.ok && readSentTime(each) > time);
  if (first && gaveUp === undefined && !isForAnotherReason(first, observed)) {
    const after_ms = Math.round(readSentTime(first) - made.at);
    // The time may be counted from the first try to create the task.
    const begunAt = readClientTimes(run, creates[0]!.exchange).at;
    const early = `${describeRequest(first)} stopped the task ${after_ms} ms after it was made.`;
    const slack_ms = Math.max(SLACK_MS, estimateRunLatency(run));
    if (readSentTime(first) - begunAt < cancel_after_ms - slack_ms) return createFindings(early, [first.seq]);
    const polls = pollsSince(dueAt).filter(({ seq }) => seq < first.seq);
    const isLate = readSentTime(first) - dueAt >= LATE_MS;
    // A queued task need not be there to be stopped yet.
    const isQueued = polls.every(({ status }) => status === 'waiting');
    if (polls.length >= POLLS_IN_VAIN && isLate && !isQueued && !isHeld(first, dueAt, observed)) {
      const late = `${describeRequest(first)} stopped the task ${after_ms} ms after it was made: the client polled ${polls.length} times before. A cancel waits for nothing else to succeed.`;
      return createFindings(late, [polls.at(-1)!.seq, first.seq]);
    }
  }
  // Refused: the task is already over.
  if (deletes.some(({ httpStatus }) => httpStatus >= 200 && httpStatus < 500 && httpStatus !== 429))
    return [];
  const close = exchanges.find((each) => each.isClose);
  if (close && run.job.request.task === null) return [];
  const failed = deletes.at(-1);
  // A client that gives up the cancel may give up the task too.
  if (!failed && (gaveUp !== undefined || findLook(dueAt, observed))) return [];
  // While a DELETE is pending, or has to wait, there is nothing to send again.
  const lostAt = failed && findLossTime(run, failed);
  const polls = pollsSince(failed ? readFailureTime(failed, run) : dueAt).filter(
    (each) => each.seq !== end?.seq && (lostAt === undefined || each.at >= lostAt + 1),
  );
  if (polls.length < POLLS_IN_VAIN && !close) return [];
  const [how, evidence] = failed
    ? [`${describeRequest(failed)}, which ${describeOutcome(failed)}, was not sent again`, failed]
    : close
      ? [
          `${describeRequest(close)} closed a session, but the task is not a session. DELETE stops a task`,
          close,
        ]
      : [`the client polled ${polls.length} more times after that, and never sent DELETE`, polls.at(-1)!];
  return createFindings(`${how}.`, [evidence.seq]);
}

/** A one-shot task of a job without a cancel, stopped by a client that reports no error. */
function checkUnwantedStop(observed: ObservedRun, { onTheWay }: GiveUpReasons): Finding[] {
  const { run, exchanges, end, gaveUp } = observed;
  if (run.job.request.task === null || gaveUp !== undefined || onTheWay) return [];
  const stop = exchanges.find((each) => each.is('deleteTask') && each.ok);
  if (!stop || (end && end.seq < stop.seq)) return [];
  const message = `The job has no "cancel_after_ms", and ${describeRequest(stop)} stopped the task. Stop the tasks alone that are to be cancelled.`;
  return [createFailure('cancel/matches-job', message, [stop.seq])];
}

/** A slow poll from the time of the cancel: a client may look before it stops the task. */
function findLook(dueAt: number, { exchanges, run }: ObservedRun): ReadExchange | undefined {
  return exchanges.find((each) => {
    const { at, respondedAt } = readClientTimes(run, each.exchange);
    return each.is('getTask') && Math.abs(at - dueAt) < SLACK_MS && respondedAt - at >= LATE_MS;
  });
}

/** The client looked first, or sends one request at a time, and one was under way. */
function isHeld(cancel: ReadExchange, dueAt: number, observed: ObservedRun): boolean {
  const readTimes = (each: ReadExchange) => readClientTimes(observed.run, each.exchange);
  const sentAt = readTimes(cancel).at;
  const isBefore = (each: ReadExchange) => {
    const { at, respondedAt } = readTimes(each);
    return at < dueAt && respondedAt > dueAt && Math.abs(sentAt - respondedAt) < SLACK_MS;
  };
  return findLook(dueAt, observed) !== undefined || observed.exchanges.some(isBefore);
}

/** When the client may send the request again, ms on its own clock. Without a response: when it was sent. */
function readFailureTime(failed: ReadExchange, run: ObservedRun['run']): number {
  const { at, respondedAt } = readClientTimes(run, failed.exchange);
  return failed.httpStatus === 0 ? at : respondedAt + (failed.retryAfterMs ?? 0);
}

/** The session was over, an action had failed (the DELETE cleans up), or the job ends with the DELETE. */
function isForAnotherReason({ seq }: ReadExchange, { run, end, stop, actions }: ObservedRun): boolean {
  if (stop?.isClose || (end && end.seq < seq)) return true;
  const sent = [...actions.values()].filter(({ attempts }) => attempts[0]!.seq < seq);
  // A close event and a DELETE both close a session.
  if (run.job.close !== null && sent.length >= run.job.actions.length) return true;
  return [...actions.values()].some(({ result }) => result && result.code !== 200);
}
