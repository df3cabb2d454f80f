import { isTerminal } from '../../../spec/vocabulary.js';
import { describeResult, PATIENCE_MS } from './actions.js';
import { describeRequest, type ObservedRun, waitBetween } from './observed-run.js';
import { advice, failure, type RunFinding } from './run-rules.js';
import type { Troubles } from './troubles.js';

/** How the client ended its task or session, compared with the job. */
export function closing(observed: ObservedRun, troubles: Troubles): RunFinding[] {
  const left = isLeftRunning(observed, troubles) ? leftRunning(observed) : [];
  return [...left, ...earlyClose(observed, troubles), ...otherClose(observed)];
}

/** Neither the client nor the service ended the task, and no request that failed made the client give up. */
function isLeftRunning({ run, stop, end, gaveUp, task }: ObservedRun, { onTheWay }: Troubles): boolean {
  if (stop || end || task === undefined || run.end !== 'by-itself') return false;
  const status = run.tasks.find(({ id }) => id === task)?.status;
  if (status !== undefined && isTerminal(status)) return false;
  return !(gaveUp !== undefined && onTheWay);
}

function leftRunning({ run, actions, last }: ObservedRun): RunFinding[] {
  const { cancel_after_ms, close } = run.job;
  const found: RunFinding[] = [];
  if (cancel_after_ms !== null) {
    const message = `The job says "cancel_after_ms": ${cancel_after_ms}, and the client never stopped the task: it goes on running. Send DELETE /task/{task_id} that long after the task was made.`;
    found.push(failure('cancel/as-told', message, last));
  }
  if (close !== null) {
    const failed = [...actions.values()].find(({ result }) => result && result.code !== 200);
    const after = failed ? ` after ${failed.name} failed in exchange ${failed.result?.seq}` : '';
    const message = `The session is left open: the client ended without a close${after}. Close a session at its end, whatever became of its actions, or it goes on costing credits.`;
    found.push(failure('sessions/closed', message, failed?.result ? [failed.result.seq, ...last] : last));
  }
  return found;
}

/** The close comes once the last action has its result, unless the client gave up waiting for it and reports that. */
function earlyClose({ run, stop, actions, gaveUp, end }: ObservedRun, { onTheWay }: Troubles): RunFinding[] {
  const last = [...actions.values()].findLast(({ name }) => name !== 'close');
  const accepted = last?.attempts.find(({ ok }) => ok);
  if (!stop || !last || !accepted || accepted.seq > stop.seq || run.job.cancel_after_ms !== null) return [];
  if (last.result && last.result.respondedAt <= stop.at) return [];
  if (end && end.respondedAt <= stop.at) return [];
  const waited_ms = waitBetween(run, accepted, stop);
  if (gaveUp !== undefined && (onTheWay || waited_ms >= PATIENCE_MS)) return [];
  const message = `${describeRequest(stop)} ends the session before ${describeResult(last)}. Close a session once its last action has a result.`;
  return [failure('sessions/closed-early', message, [accepted.seq, stop.seq], last)];
}

/** The job says how the session is to be closed. */
function otherClose({ run, stop, end, exchanges, actions, gaveUp }: ObservedRun): RunFinding[] {
  if (run.job.close !== 'event' || !stop || gaveUp !== undefined) return [];
  const isByEvent = [...actions.values()].some(({ name }) => name === 'close');
  const isCleaningUp = end !== undefined && end.seq < stop.seq;
  if (isByEvent || isCleaningUp || !exchanges.some((each) => each.is('deleteTask'))) return [];
  const message =
    'The job says "close": "event", and the session was stopped by DELETE. That is no graceful end: send a session_action named close, and wait for its result.';
  return [advice('sessions/closed-as-told', message, [stop.seq])];
}
