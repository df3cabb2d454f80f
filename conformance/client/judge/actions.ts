import { removeMatches } from '../../../spec/lists.js';
import { type Finding, isTerminal } from '../../../spec/vocabulary.js';
import { isSameJson, readField, show, showDifference } from '../../conversation/json.js';
import { isPermanentRefusal } from '../../conversation/task-conversation.js';
import { hasExpectedValue, isBlank, isDefault } from './field-values.js';
import { createAdvice, createFailure } from './findings.js';
import type { GiveUpReasons } from './give-up-reasons.js';
import {
  describeOutcome,
  describeRequest,
  isSame,
  measureWait,
  type ObservedAction,
  type ObservedRun,
} from './observed-run.js';

/** After this wait for a result a client may give up the action and continue, ms. */
const PATIENCE_MS = 2000;

/** Each action of the job is sent. */
export function checkUnsentActions(observed: ObservedRun, { isBadEnd }: GiveUpReasons): Finding[] {
  const { run, gaveUp, end, stop } = observed;
  if (run.end !== 'by-itself' || gaveUp !== undefined || run.job.cancel_after_ms !== null) return [];
  if (stop === undefined && (isBadEnd || end)) return [];
  const sent = [...observed.actions.values()];
  if (sent.some(isFailed)) return [];
  const [unsent] = removeMatches(run.job.actions, sent, ({ payload }, { name }) => name === payload.name);
  if (!unsent) return [];
  const message = `The job has the action ${show(unsent.payload.name)}, and the client never sent it. Send the actions in order, each after the result of the previous one.`;
  return [createFailure('actions/match-job', message, stop ? [stop.seq] : [])];
}

function isFailed({ result, attempts }: ObservedAction): boolean {
  return (result !== undefined && result.code !== 200) || isPermanentRefusal(attempts.at(-1)!);
}

/** Each action carries the content in the job. Reports the first that does not. */
export function checkActionContent({ run, actions }: ObservedRun): Finding[] {
  const sent = [...actions.values()];
  const missing = removeMatches(run.job.actions, sent, ({ payload }, action) =>
    isMatchingAction(payload, readSentPayload(action)),
  );
  for (const { payload } of missing) {
    const action = sent.find(({ name }) => name === payload.name);
    if (!action) continue;
    const [shown, expected] = showDifference(readField(readSentPayload(action), 'input'), payload.input);
    const message = `${action.name} was sent by ${describeRequest(action.attempts[0]!)} with the input ${shown}, and the job has ${expected}. Send each action with the input in the job, and no more.`;
    return [createFailure('actions/match-job', message, [action.attempts[0]!.seq], action)];
  }
  return [];
}

/** Optional fields of an input that the API description lists. */
const OPTIONAL_INPUTS: Readonly<Record<string, readonly string[]>> = {
  extract: ['prompt'],
  run_task: ['max_steps'],
};

/** The client may add defaults, and fields that the API description does not list. The `args` of a script have to be the same value. */
function isMatchingAction(payload: Record<string, unknown>, sent: unknown): boolean {
  if (readField(sent, 'name') !== payload.name) return false;
  const { input } = payload;
  const sentInput = readField(sent, 'input');
  return (
    hasExpectedValue('input', input, sentInput) &&
    !hasAddedField(payload.name, input, sentInput) &&
    isSame(readField(input, 'args'), readField(sentInput, 'args'))
  );
}

function hasAddedField(action: unknown, input: unknown, sent: unknown): boolean {
  return (OPTIONAL_INPUTS[String(action)] ?? []).some((name) => {
    const value = readField(sent, name);
    return readField(input, name) === undefined && !isBlank(value) && !isDefault(name, value);
  });
}

function readSentPayload({ attempts }: ObservedAction): unknown {
  return attempts[0]!.sent?.payload;
}

/** Each action of the job is sent once the result of the one before has come. */
export function checkActionOrder(observed: ObservedRun): Finding[] {
  const actions = [...observed.actions.values()].filter(({ name }) => name !== 'close');
  for (const [index, action] of actions.entries()) {
    const before = actions[index - 1];
    const accepted = before?.attempts.find(({ ok }) => ok);
    if (!before || !accepted) continue;
    const sent = action.attempts[0]!;
    if (before.result !== undefined && before.result.respondedAt <= sent.at) continue;
    if (measureWait(observed.run, accepted, sent) >= PATIENCE_MS) continue;
    const message = `${action.name} was sent by ${describeRequest(sent)} before ${describeResult(before)}. Send the actions of the job in sequence, each after the result of the previous one.`;
    return [createFailure('actions/in-turn', message, [accepted.seq, sent.seq], action)];
  }
  return [];
}

/** A wait of this part of the deadline for what was refused ended only because of the deadline. */
export const VAIN_PART = 0.5;

/** The client waited until its deadline for the effect of an action, a close or a DELETE that the service had refused. */
export function checkRefusedActions(observed: ObservedRun): Finding[] {
  const { run, actions, exchanges, end, last } = observed;
  // A task that is not a session keeps running if its cancel is refused.
  if (run.end !== 'by-itself' || end || run.job.request.task !== null) return [];
  const action = [...actions.values()].at(-1);
  const stops = exchanges.filter(({ isStop }) => isStop);
  const tries = stops.length > 0 ? stops : (action?.attempts ?? []);
  const refusal = tries.at(-1);
  if (!refusal || !isPermanentRefusal(refusal)) return [];
  if (action?.result || tries.some(({ ok }) => ok)) return [];
  // With nothing left to do, a client waits for the end of the session, as it has to.
  const isLast = run.job.close === null && actions.size >= run.job.actions.length;
  if (!refusal.isStop && isLast) return [];
  const waited_ms = measureWait(run, refusal, exchanges.at(-1)!);
  if (waited_ms < VAIN_PART * run.job.deadline_ms) return [];
  const [name, awaited] =
    refusal.isStop && !refusal.isClose
      ? ['The DELETE of the session', 'the end of the session']
      : [String(action?.name), refusal.isClose ? 'the end of the session' : 'its result'];
  const message = `${name} was refused: ${describeRequest(refusal)} ${describeOutcome(refusal)}. The client continued to poll for ${Math.round(waited_ms / 1000)} s for ${awaited}, until its deadline. A refused request has no effect: stop waiting for it.`;
  return [createFailure('actions/refused', message, [refusal.seq, ...last], action)];
}

/** `the result of goto was delivered by exchange 4`. */
function describeResult({ name, result }: ObservedAction): string {
  return `the result of ${name} was delivered${result ? ` by exchange ${result.seq}` : ''}`;
}

/** An action was sent again under another id although the first may have been accepted. */
export function checkRepeatedActions(observed: ObservedRun): Finding[] {
  const actions = [...observed.actions.values()];
  // Only actions with the same name can be equal.
  if (new Set(actions.map(({ name }) => name)).size === actions.length) return [];
  const requested = observed.run.job.actions.map(({ payload }) => readActionContent(payload));
  return requested.flatMap((content, index) => {
    const same = requested.filter((each) => isSameJson(each, content));
    const sent = actions.filter((action) => isSameJson(readAcceptedContent(action), content));
    // Equal actions are reported once, at the first.
    const most = same[0] === requested[index] ? same.length : sent.length;
    if (sent.length <= most) return [];
    const isConfirmed = ({ attempts }: ObservedAction) => attempts.some(({ ok }) => ok);
    const lost = sent.slice(0, -1).filter((action) => !isConfirmed(action));
    // The API does not define what to do after a lost response.
    const isExcused = sent.length - most <= lost.length;
    const before = (isExcused ? lost[0] : sent.find(isConfirmed)) ?? sent[0]!;
    const evidence = [before, sent.at(-1)!].map((action) => findAcceptedAttempt(action)!.seq);
    const why = isConfirmed(before)
      ? 'was confirmed'
      : 'may have been accepted, although it got no success response';
    const message = `An action was sent in exchange ${evidence[0]}, which ${why}, and again in exchange ${evidence[1]} under another id: it is performed twice. Send the same event again, with the same id.`;
    const { about } = before;
    return isExcused
      ? createAdvice('actions/once', message, evidence, { about, requirement: 'CLIENT-12' })
      : createFailure('actions/once', message, evidence, { about });
  });
}

/** More actions with this content were sent than the job has, not counting those that were refused. */
export function isSentTooOften(action: ObservedAction, { run, actions }: ObservedRun): boolean {
  const content = readAcceptedContent(action);
  const sent = [...actions.values()].filter((each) => isSameJson(readAcceptedContent(each), content));
  const requested = run.job.actions.filter(({ payload }) => isSameJson(readActionContent(payload), content));
  return requested.length > 0 && sent.length > requested.length;
}

/** Undefined if the service cannot have accepted the action. */
function readAcceptedContent(action: ObservedAction): unknown {
  const attempt = action.name === 'close' ? undefined : findAcceptedAttempt(action);
  return attempt && readActionContent(attempt.sent?.payload);
}

function findAcceptedAttempt({ attempts }: ObservedAction) {
  return attempts.find(({ httpStatus }) => httpStatus < 300 || httpStatus >= 500);
}

/** Name and input of an action. Actions with the same content are the same. */
export function readActionContent(payload: unknown): unknown {
  // Some clients send null for each field that is not set.
  const input = Object.entries(readField(payload, 'input') ?? {}).filter(([, value]) => value !== null);
  return [readField(payload, 'name'), Object.fromEntries(input)];
}

/** How the client ended its task or session, compared with the job. */
export function checkClosing(observed: ObservedRun, troubles: GiveUpReasons): Finding[] {
  const left = isLeftRunning(observed, troubles) ? checkOpenSession(observed) : [];
  return [...left, ...checkEarlyClose(observed, troubles), ...checkCloseMethod(observed)];
}

/** Neither the client nor the service ended the task, and the client had no failed request as a reason to give up. */
export function isLeftRunning(
  { run, stop, end, gaveUp, task }: ObservedRun,
  { onTheWay }: GiveUpReasons,
): boolean {
  if (stop || end || task === undefined || run.end !== 'by-itself') return false;
  const status = run.tasks.find(({ id }) => id === task)?.status;
  if (status !== undefined && isTerminal(status)) return false;
  return !(gaveUp !== undefined && onTheWay);
}

function checkOpenSession({ run, actions, last }: ObservedRun): Finding[] {
  if (run.job.close === null) return [];
  const failed = [...actions.values()].find(({ result }) => result && result.code !== 200);
  const after = failed ? ` after ${failed.name} failed in exchange ${failed.result?.seq}` : '';
  const message = `The session is left open: the client ended without a close${after}. Always close a session, even after failed actions: an open session costs credits.`;
  return [createFailure('sessions/closed', message, failed?.result ? [failed.result.seq, ...last] : last)];
}

/** The close has to follow the result of the last action, unless the client gave up waiting for it and reports that. */
function checkEarlyClose(
  { run, stop, actions, gaveUp, end }: ObservedRun,
  { onTheWay }: GiveUpReasons,
): Finding[] {
  const last = [...actions.values()].findLast(({ name }) => name !== 'close');
  const accepted = last?.attempts.find(({ ok }) => ok);
  if (!stop || !last || !accepted || accepted.seq > stop.seq || run.job.cancel_after_ms !== null) return [];
  if (last.result && last.result.respondedAt <= stop.at) return [];
  if (end && end.respondedAt <= stop.at) return [];
  const waited_ms = measureWait(run, accepted, stop);
  if (gaveUp !== undefined && (onTheWay || waited_ms >= PATIENCE_MS)) return [];
  const message = `${describeRequest(stop)} ends the session before ${describeResult(last)}. Close a session once its last action has a result.`;
  return [createFailure('sessions/closed-early', message, [accepted.seq, stop.seq], last)];
}

/** The job specifies how to close the session. */
function checkCloseMethod({ run, stop, end, exchanges, actions, gaveUp }: ObservedRun): Finding[] {
  if (run.job.close !== 'event' || run.job.cancel_after_ms !== null || !stop || gaveUp !== undefined)
    return [];
  const isByEvent = [...actions.values()].some(({ name }) => name === 'close');
  const isCleaningUp = end !== undefined && end.seq < stop.seq;
  if (isByEvent || isCleaningUp || !exchanges.some((each) => each.is('deleteTask'))) return [];
  const message =
    'The job says "close": "event", and the session was stopped by DELETE. That is not graceful: send a session_action named close, and wait for its result.';
  return [createAdvice('sessions/close-matches-job', message, [stop.seq])];
}
