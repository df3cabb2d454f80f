import { type Finding, isActive, TASK_STATUSES } from '../../../spec/vocabulary.js';
import { show, showDifference } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { isPermanentRefusal, type TerminalExchange } from '../../conversation/task-conversation.js';
import { findError } from '../run/first-error.js';
import type { ClientRun, ResultLine } from '../types.js';
import { createAdvice, createFailure, generalize } from './findings.js';
import type { GiveUpReasons } from './give-up-reasons.js';
import {
  describeOutcome,
  describeRequest,
  isSame,
  type ObservedRun,
  readClientTimes,
  readTaskOutput,
} from './observed-run.js';
import { readSituation } from './run-end.js';
import { describeValueChange } from './value-change.js';

const FORM =
  '{"status": "done", "output": …, "results": [{"name": …, "code": …, "output": …}], "tool_runs": [{"name": …, "input": …}]}';

/** How long a client waits for the end of a session that nobody closes, at least, ms. */
const LEFT_ALONE_MS = 5000;

/** The result line has to exist and be well-formed. */
export function checkLineForm(observed: ObservedRun): Finding[] {
  const { run, line, gaveUp } = observed;
  if (line === undefined) {
    if (run.end !== 'by-itself') return [];
    const thrown = run.error === undefined ? '' : ` (${run.error})`;
    const exit = run.exitCode === null ? '' : `, and it exited with ${run.exitCode}`;
    const message = `The client gave no result: ${run.lineProblem ?? 'there is no line'}${thrown}${exit}. Also where it gives up it prints one line, with "error".${formatStderrError(run.stderr)}`;
    const error = run.error ?? findError(run.stderr);
    const hasDied = run.exitCode !== null && run.exitCode !== 0;
    const situation = hasDied
      ? readSituation(observed, { died: true, ...(error ? { error: generalize(error) } : {}) })
      : undefined;
    return [createFailure('line/missing', message, [], situation && { situation })];
  }
  const wrong = gaveUp === undefined ? collectFormProblems(line, observed) : [];
  if (wrong.length === 0) return [];
  return [createFailure('line/shape', `In the result line ${wrong.join(', and ')}. Expected ${FORM}.`)];
}

function collectFormProblems(line: ResultLine, { run, calls }: ObservedRun): string[] {
  const wrong: string[] = [];
  if (typeof line.status !== 'string') wrong.push(`"status" is ${show(line.status)} and has to be a string`);
  const isNeeded = { results: run.job.actions.length > 0, tool_runs: calls.size > 0 };
  for (const name of ['results', 'tool_runs'] as const) {
    const list = line[name];
    if (list === undefined || list === null) {
      if (isNeeded[name]) wrong.push(`"${name}" is missing`);
    } else if (!Array.isArray(list)) wrong.push(`"${name}" is ${show(list)} and has to be a list`);
    else if (list.some((each) => typeof each?.name !== 'string'))
      wrong.push(`an entry of "${name}" has no name`);
  }
  return wrong;
}

/** The status of the line, compared with the responses. `hasDropped`: the request that keeps the task running is a finding of its own. */
export function checkLineStatus(observed: ObservedRun, hasDropped: boolean): Finding[] {
  const { end, gaveUp, stop, statuses, run, exchanges } = observed;
  const status = TASK_STATUSES.find((known) => known === observed.line?.status);
  if (typeof observed.line?.status !== 'string' || (gaveUp !== undefined && !status)) return [];
  const shown = show(observed.line.status);
  const wasRead = status !== undefined && statuses.has(status);
  const atService = run.tasks.find(({ id }) => id === observed.task)?.status;
  const refusal = findRefusedStop(observed);
  const hasStopped = stop && !(refusal && atService !== undefined && isActive(atService));
  // A client may stop after it closes a session, or after the cancel of the job.
  const hasEnded = hasStopped && (run.job.request.task === null || run.job.cancel_after_ms !== null);
  if (hasStopped && wasRead && (hasEnded || !isActive(status))) return [];
  if (end) {
    if (status === end.status || (gaveUp !== undefined && isAtTheEnd(end, observed))) return [];
    const back = wasRead ? ' A terminal status never changes: ignore the status of later responses.' : '';
    const message = `The line has the status ${shown}, and exchange ${end.seq} has "${end.status}".${back}`;
    return [createFailure('line/status', message, [end.seq])];
  }
  if (hasStopped && (status === atService || (status === 'cancelled' && !refusal))) return [];
  const why = refusal
    ? ` ${describeRequest(refusal)} ${describeOutcome(refusal)}: a refused request stops nothing.`
    : '';
  if (status === 'done' || status === 'failed' || status === 'cancelled') {
    const message = `The line has the status ${shown}, and no response to the client had it.${why} Report the last status from the service.`;
    return [createFailure('line/status', message, refusal ? [refusal.seq] : [])];
  }
  if (gaveUp !== undefined || hasEnded || hasDropped || isLeftAlone(observed)) return [];
  const message = `The client stopped while the task was ${shown}: the line has that status and no "error".${why} Poll until the status is neither "waiting" nor "running".`;
  const lastPoll = exchanges.findLast((each) => each.is('getTask'));
  return [createFailure('line/status', message, lastPoll ? [lastPoll.seq] : [], { requirement: 'POLL-01' })];
}

/** The last DELETE or close if all of them were refused. A task that does not exist any more counts as stopped. */
function findRefusedStop({ exchanges }: ObservedRun): ReadExchange | undefined {
  const stops = exchanges.filter(({ isStop }) => isStop);
  const isRefused = stops.every(
    (each) => isPermanentRefusal(each) && each.httpStatus !== 404 && each.httpStatus !== 410,
  );
  return isRefused ? stops.at(-1) : undefined;
}

/** The output of the line, compared with the responses. */
export function checkLineOutput({ line, end, gaveUp, run, outputs }: ObservedRun): Finding[] {
  if (line === undefined) return [];
  const output = line.output ?? null;
  if (gaveUp !== undefined || !end) {
    if (output === null || outputs.some((each) => isSame(each, output))) return [];
    return [
      createFailure('line/output', `The line has the output ${show(output)}, which no response brought.`),
    ];
  }
  // A session has no output of its own.
  if (output === null && run.job.request.task === null) return [];
  if (output === null && end.status !== 'done') return adviseFailureOutput(end);
  if (isSame(output, readTaskOutput(end)) || outputs.some((each) => each !== null && isSame(each, output)))
    return [];
  const delivered = readTaskOutput(end);
  const [shown, expected] = showDifference(output, delivered);
  const message = `The line has the output ${shown}, and exchange ${end.seq} brought ${expected}. Take the output from the response that has the terminal status.`;
  return [
    createFailure('line/output', message, [end.seq], { change: describeValueChange(delivered, output) }),
  ];
}

/** A session that the job does not close may be left once its work is done, if the service does not end it for a while. */
function isLeftAlone(observed: ObservedRun): boolean {
  const { run, actions, exchanges } = observed;
  const { request, close, cancel_after_ms } = run.job;
  const results = [...actions.values()].flatMap(({ result }) => result ?? []);
  const isDone = results.length === actions.size && results.length >= run.job.actions.length;
  if (request.task !== null || close !== null || cancel_after_ms !== null || !isDone) return false;
  const lastAt = Math.max(0, ...results.map(({ seq }) => readRespondedAt(observed.findExchange(seq)!, run)));
  return readEnd(run, exchanges) - lastAt >= LEFT_ALONE_MS;
}

/** The client had ended by then: it need not have read the response. */
function isAtTheEnd(response: ReadExchange, { run, exchanges }: ObservedRun): boolean {
  return readRespondedAt(response, run) >= readEnd(run, exchanges) - 1;
}

function readRespondedAt({ exchange }: ReadExchange, run: ClientRun): number {
  return readClientTimes(run, exchange).respondedAt;
}

/** When the client ended, ms on its clock. */
function readEnd(run: ClientRun, [first]: readonly ReadExchange[]): number {
  return readClientTimes(run, first!.exchange).at + run.durationMs;
}

/** The output of a task that failed may be left out, but it says why. */
function adviseFailureOutput(end: TerminalExchange): Finding[] {
  const output = readTaskOutput(end);
  if (end.status !== 'failed' || output === null) return [];
  const message = `The line has no output, and exchange ${end.seq} brought ${show(output)} with the status "failed". The output of a task that failed says why: report it.`;
  return [createAdvice('line/output', message, [end.seq])];
}

/** A client gave up although no request failed, or only by a mistake of the client. */
export function checkNeedlessError(observed: ObservedRun, { onTheWay, isBadEnd }: GiveUpReasons): Finding[] {
  const { gaveUp, exchanges, task, end, last } = observed;
  if (gaveUp === undefined || onTheWay || isBadEnd) return [];
  const refused = exchanges.find(({ httpStatus }) => httpStatus >= 400);
  const reason = !refused
    ? `no request failed. ${suggestNextStep(observed)}`
    : refused.httpStatus === 429
      ? `the 429 to ${describeRequest(refused)} is temporary. Wait as long as Retry-After says, or a second, and repeat the request`
      : `only its own request failed: ${describeRequest(refused)} ${describeOutcome(refused)}, ${show(refused.exchange.response!.body)}`;
  const message = `The client gave up (${show(gaveUp)}) although ${reason}.`;
  const requirement = task !== undefined && end === undefined ? 'POLL-01' : 'CLIENT-10';
  const situation = readSituation(observed, { error: generalize(gaveUp) });
  return [createFailure('line/error', message, refused ? [refused.seq] : last, { requirement, situation })];
}

/** What to do instead of giving up, by the last response. */
function suggestNextStep({ end, run, calls, actions, statuses }: ObservedRun): string {
  const { asks } = run.job;
  if (end && asks.includes('recording_url'))
    return 'The address of the recording may be available after the end of the task, or never: report the current value';
  if (end) return `Exchange ${end.seq} has the status "${end.status}": report it and the output`;
  if (asks.includes('live_url'))
    return 'The address of the live view may be in a later response, or never: report the current value';
  const call = [...calls.values()].find(({ replies, isTooLate }) => replies.length === 0 && !isTooLate);
  if (call)
    return `Call ${show(call.id)} of the tool ${show(call.tool)} waits for a reply: code 400 or 500 and a message where the tool fails`;
  const sent = [...actions.values()];
  const listed = sent.findLast(({ result }) => result);
  const open = sent.find(({ result }) => result === undefined);
  if (open) return `The result of ${open.name} is in a later poll: poll until you get it`;
  if (listed?.result)
    return `Exchange ${listed.result.seq} brought the result of ${listed.name} with the code ${show(listed.result.code)}: report it, and continue with the job`;
  if (statuses.has('waiting'))
    return 'A task that is "waiting" for a while is no error: poll until it is over';
  return 'Poll until the task is over';
}

/** The exit code, compared with the line. */
export function checkExitCode({ run, line, gaveUp, end, actions }: ObservedRun): Finding[] {
  const { exitCode: code } = run;
  if (line === undefined || code === null || run.end !== 'by-itself') return [];
  const evidence = end ? [end.seq] : [];
  if (gaveUp !== undefined) {
    if (code !== 0) return [];
    const message = `The line reports that the client gave up (${show(gaveUp)}), and it exited with 0. Exit with 1 if there is an "error".`;
    return [createFailure('exit/code', message, evidence)];
  }
  const sent = [...actions.values()];
  const isGood =
    end?.status === 'done' &&
    run.job.cancel_after_ms === null &&
    sent.every(({ result }) => result?.code === 200);
  const isAllSent = sent.filter(({ name }) => name !== 'close').length >= run.job.actions.length;
  if (!isGood || !isAllSent || code === 0) return [];
  const message = `The task is "done", no action failed and the line has no "error", and the client exited with ${code}. Exit with 0.${formatStderrError(run.stderr)}`;
  return [createFailure('exit/code', message, evidence)];
}

/** The error in a client's stderr, as a sentence; empty if there is none. */
export function formatStderrError(stderr: string): string {
  const error = findError(stderr);
  return error ? ` Its stderr says: ${error}` : '';
}
