import { isTerminal } from '../../../spec/vocabulary.js';
import { PATIENCE_MS } from './actions.js';
import { describeRequest, type ObservedRun, waitBetween } from './observed-run.js';
import { advice, failure, type RunFinding } from './run-rules.js';
import type { Troubles } from './troubles.js';

/** How the client ended its task or session, compared with the job. */
export function closing(observed: ObservedRun, troubles: Troubles): RunFinding[] {
  const isLeft = isLeftRunning(observed, troubles);
  return [
    ...(isLeft ? [...missingCancel(observed), ...missingClose(observed)] : []),
    ...earlyClose(observed, troubles),
    ...otherClose(observed),
  ];
}

/** The task was not ended, neither by the client nor by the service, and no request that failed made the client give up. */
function isLeftRunning({ run, stopped, end, gaveUp, task }: ObservedRun, { onTheWay }: Troubles): boolean {
  if (stopped !== undefined || end || task === undefined || run.end !== 'by-itself') return false;
  const status = run.tasks.find(({ id }) => id === task)?.status;
  if (status !== undefined && isTerminal(status)) return false;
  return !(gaveUp !== undefined && onTheWay);
}

function missingCancel({ run, last }: ObservedRun): RunFinding[] {
  const { cancel_after_ms } = run.job;
  if (cancel_after_ms === null) return [];
  const message = `The job says "cancel_after_ms": ${cancel_after_ms}, and the client never stopped the task: it goes on running. Send DELETE /task/{task_id} that long after the task was made.`;
  return [failure('cancel/as-told', message, last)];
}

function missingClose({ run, actions, last }: ObservedRun): RunFinding[] {
  if (run.job.close === null) return [];
  const failed = [...actions.values()].find(({ result }) => result && result.code !== 200);
  const after = failed ? ` after ${failed.name} failed in exchange ${failed.result?.seq}` : '';
  const message = `The session is left open: the client ended without a close${after}. Close a session at its end, whatever became of its actions, or it goes on costing credits.`;
  return [failure('sessions/closed', message, failed?.result ? [failed.result.seq, ...last] : last)];
}

/** The close comes once the last action has its result, unless the client gave up waiting for it and says so. */
function earlyClose(observed: ObservedRun, { onTheWay }: Troubles): RunFinding[] {
  const { run, stopped, actions, gaveUp, end } = observed;
  const stop = stopped === undefined ? undefined : observed.at(stopped);
  const last = [...actions.values()].findLast(({ name }) => name !== 'close');
  const accepted = last?.sent.map((seq) => observed.at(seq)).find((each) => each?.ok);
  if (!stop || !last || !accepted || accepted.seq > stop.seq || run.job.cancel_after_ms !== null) return [];
  const result = last.result && observed.at(last.result.seq);
  if (result && result.respondedAt <= stop.at) return [];
  if (end && end.respondedAt <= stop.at) return [];
  const waited_ms = waitBetween(run, accepted, stop);
  if (gaveUp !== undefined && (onTheWay || waited_ms >= PATIENCE_MS)) return [];
  const message = `${describeRequest(stop.exchange)} ends the session before the result of ${last.name} had come${result ? `, which exchange ${result.seq} brought` : ''}. Close a session once its last action has a result.`;
  return [failure('sessions/closed-early', message, [accepted.seq, stop.seq], last)];
}

/** The job says how the session is to be closed. */
function otherClose({ run, stopped, end, exchanges, actions, gaveUp }: ObservedRun): RunFinding[] {
  if (run.job.close !== 'event' || stopped === undefined || gaveUp !== undefined) return [];
  const isByEvent = [...actions.values()].some(({ name }) => name === 'close');
  const isTidyingUp = end !== undefined && end.seq < stopped;
  if (isByEvent || isTidyingUp || !exchanges.some((each) => each.is('deleteTask'))) return [];
  const message =
    'The job says "close": "event", and the session was stopped by DELETE. That is no graceful end: send a session_action named close, and wait for its result.';
  return [advice('sessions/closed-as-told', message, [stopped])];
}
