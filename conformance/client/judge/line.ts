import { TASK_STATUSES } from '../../../spec/vocabulary.js';
import { show } from '../../conversation/json.js';
import type { ResultLine } from '../types.js';
import { describeOutcome, describeRequest, isSame, type ObservedRun, outputIn } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';
import type { Troubles } from './troubles.js';

const FORM =
  '{"status": "done", "output": …, "results": [{"name": …, "code": …, "output": …}], "tool_runs": [{"name": …, "input": …}]}';

/** The result line: that it is there and well-formed. */
export function lineForm(observed: ObservedRun): RunFinding[] {
  const { run, line, gaveUp } = observed;
  if (line === undefined) {
    if (run.end !== 'by-itself') return [];
    const thrown = run.error === undefined ? '' : ` (${run.error})`;
    const exit = run.exitCode === null ? '' : `, and it exited with ${run.exitCode}`;
    const message = `The client gave no result: ${run.lineProblem ?? 'there is no line'}${thrown}${exit}. Also where it gives up it prints one line, with "error".${endOfStderr(run.stderr)}`;
    return [failure('line/missing', message)];
  }
  const wrong = gaveUp === undefined ? formProblems(line, observed) : [];
  if (wrong.length === 0) return [];
  return [failure('line/shape', `In the result line ${wrong.join(', and ')}. Expected ${FORM}.`)];
}

function formProblems(line: ResultLine, { run, calls }: ObservedRun): string[] {
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

/** The status of the line, compared with what the client read. */
export function lineStatus(observed: ObservedRun): RunFinding[] {
  const { end, gaveUp, stop, statuses, run, exchanges } = observed;
  const status = TASK_STATUSES.find((known) => known === observed.line?.status);
  if (typeof observed.line?.status !== 'string' || (gaveUp !== undefined && !status)) return [];
  const shown = show(observed.line.status);
  const wasRead = status !== undefined && statuses.has(status);
  // A client that closes a session may stop there.
  if (stop && wasRead) return [];
  if (end) {
    if (status === end.status) return [];
    const back = wasRead
      ? ' A status that is over never changes again: a response that comes late must not take it back.'
      : '';
    const message = `The line says the status ${shown}, and exchange ${end.seq} said "${end.status}".${back}`;
    return [failure('line/status', message, [end.seq])];
  }
  const atService = run.tasks.find(({ id }) => id === observed.task)?.status;
  if (stop && (status === atService || status === 'cancelled')) return [];
  if (status === 'done' || status === 'failed' || status === 'cancelled') {
    const message = `The line says the status ${shown}, and no response that reached the client said so. Report what the service said last.`;
    return [failure('line/status', message)];
  }
  if (gaveUp !== undefined || stop) return [];
  const message = `The client stopped while the task was ${shown}: the line has that status and no "error". Poll until the status is neither "waiting" nor "running".`;
  const lastPoll = exchanges.findLast((each) => each.is('getTask'));
  return [failure('line/status', message, lastPoll ? [lastPoll.seq] : [], { requirement: 'POLL-01' })];
}

/** The output of the line, compared with what the client read. */
export function lineOutput({ line, end, gaveUp, run, outputs }: ObservedRun): RunFinding[] {
  if (line === undefined) return [];
  const output = line.output ?? null;
  if (gaveUp !== undefined || !end) {
    if (output === null || outputs.some((each) => isSame(each, output))) return [];
    return [failure('line/output', `The line has the output ${show(output)}, which no response brought.`)];
  }
  // A session itself has no output to report.
  if (output === null && (run.job.request.task === null || end.status !== 'done')) return [];
  if (isSame(output, outputIn(end)) || outputs.some((each) => each !== null && isSame(each, output)))
    return [];
  const message = `The line has the output ${show(output)}, and exchange ${end.seq} brought ${show(outputIn(end))}. Take the output from the response that has the terminal status.`;
  return [failure('line/output', message, [end.seq])];
}

/** A client that gave up although no request failed but by its own mistake. */
export function needlessError(observed: ObservedRun, { onTheWay, isBadEnd }: Troubles): RunFinding[] {
  const { gaveUp, exchanges, task, end, last } = observed;
  if (gaveUp === undefined || onTheWay || isBadEnd) return [];
  const refused = exchanges.find(({ httpStatus }) => httpStatus >= 400);
  const reason = !refused
    ? 'nothing was in its way. A task that is "waiting" for a while is no error: poll until it is over'
    : refused.httpStatus === 429
      ? `nothing was in its way: the 429 to ${describeRequest(refused)} passes. Wait for as long as Retry-After says, or a second, and send it again`
      : `nothing was in its way but its own mistake: ${describeRequest(refused)} ${describeOutcome(refused)}, ${show(refused.exchange.response!.body)}`;
  const message = `The client gave up (${show(gaveUp)}) although ${reason}.`;
  const requirement = task !== undefined && end === undefined ? 'POLL-01' : 'CLIENT-10';
  return [failure('line/error', message, refused ? [refused.seq] : last, { requirement })];
}

/** The exit code, compared with the line. */
export function exitCode({ run, line, gaveUp, end, actions }: ObservedRun): RunFinding[] {
  const { exitCode: code } = run;
  if (line === undefined || code === null || run.end !== 'by-itself') return [];
  const evidence = end ? [end.seq] : [];
  if (gaveUp !== undefined) {
    if (code !== 0) return [];
    const message = `The line says that the client gave up (${show(gaveUp)}), and it exited with 0. Exit with 1 where there is an "error".`;
    return [failure('exit/code', message, evidence)];
  }
  const sent = [...actions.values()];
  const isGood =
    end?.status === 'done' &&
    run.job.cancel_after_ms === null &&
    sent.every(({ result }) => result?.code === 200);
  const isAllSent = sent.filter(({ name }) => name !== 'close').length >= run.job.actions.length;
  if (!isGood || !isAllSent || code === 0) return [];
  const message = `The task is "done", no action failed and the line has no "error", and the client exited with ${code}. Exit with 0.${endOfStderr(run.stderr)}`;
  return [failure('exit/code', message, evidence)];
}

/** The last line of a client's stderr as a sentence; empty where there is none. */
export function endOfStderr(stderr: string): string {
  const last = stderr.trim().split('\n').at(-1)?.trim().slice(0, 200);
  return last ? ` The last of its stderr: ${last}` : '';
}
