import type { Mock } from '../../mock/mock.js';
import { serviceOf } from '../../mock/service.js';
import { isTerminal, TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import { isRefusalForGood } from '../conversation/task-conversation.js';
import { callsNamed, callsOf, type MadeCall, nameOfCall } from './calls.js';
import { type Line, type Timeline, timelinesOf } from './timeline/lines.js';
import { showLines } from './timeline/timeline.js';

/** What came of an expectation, and why, with the lines of the timeline that show it. */
export interface Verdict {
  holds: boolean;
  why: string;
}

/** Lines shown with a verdict. */
const MOST_LINES = 20;

/**
 * The service has taken a reply to the call, and the client sent none after one that was confirmed: what it sent again because it
 * got no good response counts as the same reply, as long as it says the same. Throws Error where there is no such call, or
 * more than one of the name.
 */
export function repliedOnce(mock: Mock, name: string): Verdict {
  const calls = callsOf(timelinesOf(mock));
  const [made, another] = callsNamed(name, calls);
  if (!made) throw new Error(`there is no tool call ${quote(name)}: ${thereAre(calls.map(nameOfCall))}`);
  if (another) {
    const same = callsNamed(name, calls).map(nameOfCall);
    throw new Error(`${same.length} tool calls go by ${quote(name)}, give the id of one: ${same.join(', ')}`);
  }
  const wrong = unlikeOnce(made);
  const shown = excerpt(made.timeline, ({ events }) => events.includes(made.id));
  const what = wrong ?? 'it was';
  return { holds: wrong === undefined, why: `call ${nameOfCall(made)}: ${what}\n${shown}` };
}

function unlikeOnce({ call, replies }: MadeCall): string | undefined {
  if (replies.length === 0) return 'no reply was sent';
  const confirmed = replies.findIndex(({ isConfirmed }) => isConfirmed);
  const after = confirmed === -1 ? 0 : replies.length - 1 - confirmed;
  if (after > 0) {
    const others = after === 1 ? 'another one was' : `${after} others were`;
    return `${replies.length} replies were sent: one was confirmed (200), and ${others} sent after it`;
  }
  if (!call.reply) return `the service took none of the replies that were sent (${replies.length})`;
  // For good: what comes after a refusal is no second try of the same.
  const contents = replies.filter((reply) => !isRefusalForGood(reply)).map(({ print }) => print);
  return new Set(contents).size > 1
    ? 'replies that say different things were sent: a call has one outcome'
    : undefined;
}

/** The rules have nothing to say about the client. Throws Error where it sent no request of the API: there was nothing to judge. */
export function noFindings(mock: Mock): Verdict {
  const timelines = timelinesOf(mock);
  const requests = timelines.flatMap(({ conversation }) => conversation.exchanges);
  if (!requests.some(({ operation }) => operation !== undefined)) {
    const sent = requests.length;
    const what = sent === 0 ? 'no request' : `${sent} requests, none of them of the API`;
    throw new Error(`the mock received ${what}: there is nothing to judge`);
  }
  const findings = timelines.flatMap((timeline) => {
    const organisation = [...serviceOf(mock).organisations.all()].find(
      ({ name }) => name === timeline.organisation,
    );
    return mock.findings(organisation?.key).map(({ rule, requirement, message, evidence }) => {
      const shown = excerpt(timeline, ({ seq }) => seq !== undefined && evidence.includes(seq));
      return `${rule} (${requirement}): ${message}\n${shown}`;
    });
  });
  return { holds: findings.length === 0, why: findings.join('\n') };
}

/** The task has, or had in an answer, this status. Throws Error where there is no such task or no such status, or several tasks and none is named. */
export function reached(mock: Mock, status: TaskStatus, id?: string): Verdict {
  if (!TASK_STATUSES.includes(status)) {
    throw new Error(`there is no status ${quote(status)}: there are ${TASK_STATUSES.join(', ')}`);
  }
  const all = timelinesOf(mock).flatMap((timeline) => timeline.tasks.map((task) => ({ task, timeline })));
  const [found, another] = all.filter(({ task }) => id === undefined || task.id === id);
  const ids = all.map(({ task }) => task.id);
  if (!found)
    throw new Error(
      `${id === undefined ? 'there is no task' : `there is no task ${quote(id)}`}: ${thereAre(ids)}`,
    );
  if (another) throw new Error(`there are ${all.length} tasks, give the id of one: ${ids.join(', ')}`);
  const { task, timeline } = found;
  const seen = timeline.conversation.exchanges.some(
    (each) => each.task === task.id && each.status === status,
  );
  const last = timeline.lines.filter((line) => line.task === task.id).slice(-6);
  const shown = excerpt(timeline, (line) => last.includes(line));
  const end = isTerminal(task.status) ? 'ended as' : 'is still';
  return { holds: task.status === status || seen, why: `task ${task.id} ${end} "${task.status}"\n${shown}` };
}

function excerpt(timeline: Timeline, matters: (line: Line) => boolean): string {
  const lines = showLines(timeline, timeline.lines.filter(matters));
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`  … ${more} more lines`] : [])].join('\n');
}

function thereAre(names: readonly string[]): string {
  if (names.length === 0) return 'there are none';
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, 10).join(', ')}${more}`;
}

function quote(text: unknown): string {
  return JSON.stringify(text) ?? String(text);
}
