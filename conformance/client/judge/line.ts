import type { RequirementId } from '../../../spec/generated/documents.js';
import { removeMatches } from '../../../spec/lists.js';
import { type Finding, RESULT_CODES, TASK_STATUSES } from '../../../spec/vocabulary.js';
import { readField, show, showDifference } from '../../conversation/json.js';
import type { TerminalExchange } from '../../conversation/task-conversation.js';
import { findError } from '../run/first-error.js';
import type { ResultLine } from '../types.js';
import { createAdvice, createFailure, generalize } from './findings.js';
import type { GiveUpReasons } from './give-up-reasons.js';
import {
  describeOutcome,
  describeRequest,
  isSame,
  type ObservedAction,
  type ObservedRun,
  readTaskOutput,
} from './observed-run.js';
import { readSituation } from './run-end.js';

const FORM =
  '{"status": "done", "output": …, "results": [{"name": …, "code": …, "output": …}], "tool_runs": [{"name": …, "input": …}]}';

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
  // A client may stop after it closes a session.
  if (stop && wasRead) return [];
  if (end) {
    if (status === end.status) return [];
    const back = wasRead ? ' A terminal status never changes: ignore the status of later responses.' : '';
    const message = `The line has the status ${shown}, and exchange ${end.seq} has "${end.status}".${back}`;
    return [createFailure('line/status', message, [end.seq])];
  }
  const atService = run.tasks.find(({ id }) => id === observed.task)?.status;
  if (stop && (status === atService || status === 'cancelled')) return [];
  if (status === 'done' || status === 'failed' || status === 'cancelled') {
    const message = `The line has the status ${shown}, and no response to the client had it. Report the last status from the service.`;
    return [createFailure('line/status', message)];
  }
  if (gaveUp !== undefined || stop || hasDropped) return [];
  const message = `The client stopped while the task was ${shown}: the line has that status and no "error". Poll until the status is neither "waiting" nor "running".`;
  const lastPoll = exchanges.findLast((each) => each.is('getTask'));
  return [createFailure('line/status', message, lastPoll ? [lastPoll.seq] : [], { requirement: 'POLL-01' })];
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
  const [shown, expected] = showDifference(output, readTaskOutput(end));
  const message = `The line has the output ${shown}, and exchange ${end.seq} brought ${expected}. Take the output from the response that has the terminal status.`;
  return [createFailure('line/output', message, [end.seq])];
}

/** The output of a task that failed may be left out, but it says why. */
function adviseFailureOutput(end: TerminalExchange): Finding[] {
  const output = readTaskOutput(end);
  if (end.status !== 'failed' || output === null) return [];
  const message = `The line has no output, and exchange ${end.seq} brought ${show(output)} with the status "failed". The output of a task that failed says why: report it.`;
  return [createAdvice('line/output', message, [end.seq])];
}

/** An entry of `results` in the line. */
type ReportedResult = { name: string; code: unknown; output: unknown };

/** The results of the line, compared with those in the responses. */
export function checkLineResults(observed: ObservedRun, troubles: GiveUpReasons): Finding[] {
  const { line, gaveUp } = observed;
  const listed = Array.isArray(line?.results) ? line.results : gaveUp === undefined ? undefined : [];
  if (listed === undefined) return [];
  const reported: ReportedResult[] = listed.map((each) => ({
    name: String(readField(each, 'name') ?? ''),
    code: readField(each, 'code'),
    output: readField(each, 'output') ?? null,
  }));
  const open = [...observed.actions.values()];
  const wrong = removeMatches(reported, open, isMatchingResult);
  return [
    ...open.flatMap((action) => checkMissingResult(action, wrong, observed, troubles)),
    ...wrong.map((result) => createResultFailure(result, observed)),
  ];
}

function isMatchingResult(
  { name, code, output }: ReportedResult,
  { name: sent, result }: ObservedAction,
): boolean {
  if (name !== sent) return false;
  // Without a result the line must not report a success.
  if (!result) return code !== 200;
  // A library may map a code that is not in the API to an error without a number.
  if (RESULT_CODES.every((known) => known !== result.code) && code !== 200) return true;
  if (code !== result.code) return false;
  return isSameOutput(output, result.output) || (sent === 'goto' && result.output === null && isVoid(output));
}

/** A library may represent the null of a goto as nothing, or as an empty result object. */
function isVoid(output: unknown): boolean {
  if (output === null || output === undefined || output === '' || output === 0) return true;
  return typeof output === 'object' && Object.values(output).every(isVoid);
}

/** The output as delivered, or without the surrounding credits and duration. */
function isSameOutput(reported: unknown, delivered: unknown): boolean {
  if (isSame(reported, delivered)) return true;
  const hasFigures =
    readField(delivered, 'credits_used') !== undefined || readField(delivered, 'duration') !== undefined;
  return hasFigures && isSame(reported, readField(delivered, 'output'));
}

function checkMissingResult(
  { name, result, about }: ObservedAction,
  wrong: readonly ReportedResult[],
  { end, stop, gaveUp }: ObservedRun,
  { onTheWay }: GiveUpReasons,
): Finding[] {
  if (name === 'close' || !result || wrong.some((each) => each.name === name)) return [];
  const { seq, respondedAt, code, isWithEnd } = result;
  // A client may leave out a result after the end of the task, or after it stopped the session.
  if (end && seq !== end.seq && respondedAt >= end.respondedAt) return [];
  if (stop && respondedAt > stop.at) return [];
  // A client that gives up stops waiting, but it has received a result in the same response as the end.
  if (gaveUp !== undefined && (onTheWay || !isWithEnd)) return [];
  const hint = isWithEnd
    ? ' It was in the same response as the end of the task: read the events of a response before its status.'
    : '';
  const message = `The result of ${name} was delivered in exchange ${seq} with the code ${show(code)}, and the line does not have it.${hint}`;
  const requirement = isWithEnd ? 'CLIENT-05' : 'CLIENT-10';
  return [createFailure('line/results', message, [seq], { requirement, about })];
}

function createResultFailure(reported: ReportedResult, observed: ObservedRun): Finding {
  const { name, code, output } = reported;
  const actions = [...observed.actions.values()];
  const createFinding = (
    requirement: RequirementId,
    problem: string,
    action?: ObservedAction,
    shown = show(output),
  ): Finding => {
    const message = `The line has a result of ${show(name)} with the code ${show(code)} and the output ${shown}${problem}`;
    const evidence = action?.result ? [action.result.seq] : [];
    return createFailure('line/results', message, evidence, { requirement, about: action?.about ?? name });
  };
  const same = actions.filter((action) => action.name === name);
  if (same.some((action) => isMatchingResult(reported, action))) {
    const problem =
      ' more often than it was delivered: handle a result that is listed again once, by its id.';
    return createFinding('POLL-06', problem, same[0]);
  }
  const other = actions.find(
    ({ name: its, result }) => its !== name && result?.code === code && isSameOutput(output, result?.output),
  );
  if (same.length > 0 && other?.result) {
    const problem = `, which is the result of ${other.name} (exchange ${other.result.seq}). Results are matched to actions by their id, whatever their order.`;
    return createFinding('CLIENT-07', problem, other);
  }
  const own = same.find(({ result }) => result);
  if (!own?.result)
    return createFinding('CLIENT-10', ', and no such result ever reached the client.', same[0]);
  const { seq, code: listed, output: delivered } = own.result;
  const [shown, expected] = showDifference(output, delivered);
  const problem = `, and exchange ${seq} brought the code ${show(listed)} and the output ${expected}.`;
  return createFinding('CLIENT-10', problem, own, shown);
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
