import { TASK_STATUSES } from '../../../spec/vocabulary.js';
import { show } from '../../conversation/json.js';
import type { ResultLine } from '../types.js';
import { failure, type RunFinding } from './finding.js';
import { lastWords } from './last-words.js';
import { same } from './same.js';
import { named, type Story } from './story.js';
import type { Troubles } from './troubles.js';

const FORM =
  '{"status": "done", "output": …, "results": [{"name": …, "code": …, "output": …}], "tool_runs": [{"name": …, "input": …}]}';

/** The result line: that it is there and well-formed. */
export function lineForm(story: Story): RunFinding[] {
  const { run, line, gaveUp } = story;
  if (line === undefined) {
    if (run.end !== 'by-itself') return [];
    const thrown = run.error === undefined ? '' : ` (${run.error})`;
    const exit = run.exit_code === null ? '' : `, and it exited with ${run.exit_code}`;
    const last = lastWords(run.stderr);
    const words = last ? ` The last of its stderr: ${last}` : '';
    const message = `The client gave no result: ${run.line_problem ?? 'there is no line'}${thrown}${exit}. Also where it gives up it prints one line, with "error".${words}`;
    return [failure({ rule: 'line/missing', requirement: 'CLIENT-10', message })];
  }
  const wrong = gaveUp === undefined ? formOf(line, story) : [];
  if (wrong.length === 0) return [];
  const message = `In the result line ${wrong.join(', and ')}. Expected ${FORM}.`;
  return [failure({ rule: 'line/shape', requirement: 'CLIENT-10', message })];
}

function formOf(line: ResultLine, { run, calls }: Story): string[] {
  const wrong: string[] = [];
  if (typeof line.status !== 'string') wrong.push(`"status" is ${show(line.status)} and has to be a text`);
  const needed = { results: run.job.actions.length > 0, tool_runs: calls.size > 0 };
  for (const name of ['results', 'tool_runs'] as const) {
    const list = line[name];
    if (list === undefined || list === null) {
      if (needed[name]) wrong.push(`"${name}" is missing`);
    } else if (!Array.isArray(list)) wrong.push(`"${name}" is ${show(list)} and has to be a list`);
    else if (list.some((each) => typeof each?.name !== 'string'))
      wrong.push(
        `an entry of "${name}" has no name: ${show(list.find((each) => typeof each?.name !== 'string'))}`,
      );
  }
  return wrong;
}

/** The status and the output of the line, held against what the client was told. */
export function lineTruth(story: Story): RunFinding[] {
  const { line } = story;
  return line === undefined ? [] : [...status(story, line), ...output(story, line)];
}

function status(story: Story, line: ResultLine): RunFinding[] {
  const { end, gaveUp, stopped, statuses, run } = story;
  const told = line.status;
  if (typeof told !== 'string' || (gaveUp !== undefined && !isStatus(told))) return [];
  const said = (
    message: string,
    requirement: 'POLL-01' | 'CLIENT-10',
    evidence: number[] = [],
  ): RunFinding[] => [failure({ rule: 'line/status', requirement, message, evidence })];
  if (end) {
    if (told === end.status) return [];
    // Who closes a session may stop there.
    if (stopped !== undefined && statuses.has(told as never)) return [];
    const back = statuses.has(told as never)
      ? ' A status that is over never changes again: an answer that comes late must not take it back.'
      : '';
    return said(
      `The line says the status ${show(told)}, and exchange ${end.seq} said "${end.status}".${back}`,
      'CLIENT-10',
      [end.seq],
    );
  }
  const last = run.tasks.find(({ id }) => id === story.task);
  const isOver = told === 'done' || told === 'failed' || told === 'cancelled';
  if (stopped !== undefined && (statuses.has(told as never) || told === last?.status)) return [];
  if (isOver) {
    if (stopped !== undefined && told === 'cancelled') return [];
    return said(
      `The line says the status "${told}", and no answer that reached the client said so. Report what the service said last.`,
      'CLIENT-10',
    );
  }
  if (gaveUp !== undefined || stopped !== undefined) return [];
  const seqs = story.seen.filter((each) => each.is('getTask')).map(({ seq }) => seq);
  return said(
    `The client stopped while the task was ${show(told)}: the line has that status and no "error". Poll until the status is neither "waiting" nor "running".`,
    'POLL-01',
    seqs.slice(-1),
  );
}

function output(story: Story, line: ResultLine): RunFinding[] {
  const { end, gaveUp, run, outputs } = story;
  const told = line.output ?? null;
  const said = (message: string, evidence: number[] = []): RunFinding[] => [
    failure({ rule: 'line/output', requirement: 'CLIENT-10', message, evidence }),
  ];
  if (gaveUp !== undefined || !end) {
    if (told === null || outputs.some((each) => same(each, told))) return [];
    return said(`The line has the output ${show(told)}, which no answer brought.`);
  }
  // A session as such has no output worth the name.
  if (told === null && (run.job.request.task === null || end.status !== 'done')) return [];
  if (same(told, end.output) || outputs.some((each) => each !== null && same(each, told))) return [];
  return said(
    `The line has the output ${show(told)}, and exchange ${end.seq} brought ${show(end.output)}. Take the output from the answer that has the terminal status.`,
    [end.seq],
  );
}

/** A client that gave up although nothing was in its way: it stopped polling a task that goes on, or did not do its job. */
export function surrender(story: Story, { reasons }: Troubles): RunFinding[] {
  const { gaveUp, seen, statuses, task, end } = story;
  if (gaveUp === undefined || reasons.length > 0) return [];
  const refused = seen.find(({ exchange: { response } }) => response !== undefined && response.status >= 400);
  const said = `The client gave up (${show(gaveUp)}) although nothing was in its way`;
  const hint = !refused
    ? statuses.has('waiting')
      ? '. The task was "waiting" for a while: that is no error, poll on.'
      : '. Give up only where the service stays away, or the task is over.'
    : refused.exchange.response!.status === 429
      ? `: the 429 to ${named(refused.exchange)} passes. Wait for as long as Retry-After says, or a second, and send it again.`
      : ` but its own mistake: ${named(refused.exchange)} was answered with ${refused.exchange.response!.status}, ${show(refused.exchange.response!.body)}.`;
  return [
    failure({
      rule: 'line/error',
      requirement: task !== undefined && end === undefined ? 'POLL-01' : 'CLIENT-10',
      message: said + hint,
      evidence: refused ? [refused.seq] : seen.slice(-1).map(({ seq }) => seq),
    }),
  ];
}

function isStatus(text: string): boolean {
  return TASK_STATUSES.some((status) => status === text);
}
