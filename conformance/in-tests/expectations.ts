import type { Call } from '../../mock/engine/tasks/task.js';
import type { Mock } from '../../mock/mock.js';
import { serviceOf } from '../../mock/service.js';
import { isTerminal, TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import { isSameReply, type ReadExchange } from '../conversation/read-exchange.js';
import { isRefusalForGood } from '../conversation/task-conversation.js';
import { type Line, showLines, type Timeline, timelinesOf } from './timeline/timeline.js';

/** Whether an expectation holds, and why, with the lines of the timeline that show it. */
export interface Verdict {
  holds: boolean;
  why: string;
}

/** Lines shown with a verdict. */
const MOST_LINES = 20;

/** A tool call that the service made, and every reply that the client sent to it. */
interface MadeCall extends Pick<Call, 'step' | 'tool' | 'reply'> {
  id: string;
  timeline: Timeline;
  /** In the order in which they were sent. */
  replies: readonly ReadExchange[];
}

/**
 * The service has accepted a reply to the call, and the client sent none after one that was confirmed. The same reply that is sent
 * again because it got no good response is the same reply. Throws Error if no call, or more than one, has this name: an id,
 * else the id of a step of the scenario, else the name of a tool.
 */
export function repliedOnce(mock: Mock, name: string): Verdict {
  const calls = callsOf(timelinesOf(mock));
  const byName = (['id', 'step', 'tool'] as const).map((key) => calls.filter((call) => call[key] === name));
  const named = byName.find((some) => some.length > 0) ?? [];
  const [call] = named;
  if (!call) throw new Error(`there is no tool call ${quote(name)}: ${listAll(calls.map(nameOfCall))}`);
  if (named.length > 1) {
    const names = named.map(nameOfCall).join(', ');
    throw new Error(`${named.length} tool calls go by ${quote(name)}, give the id of one: ${names}`);
  }
  const problem = replyProblem(call);
  const shown = excerpt(call.timeline, ({ events }) => events.includes(call.id));
  return { holds: problem === undefined, why: `call ${nameOfCall(call)}: ${problem ?? 'it was'}\n${shown}` };
}

function callsOf(timelines: readonly Timeline[]): MadeCall[] {
  return timelines.flatMap((timeline) =>
    timeline.tasks.flatMap((task) =>
      task.calls.map((call) => {
        const sent = timeline.conversation.tasks.get(task.id)?.replies.get(call.id) ?? [];
        return { ...call, timeline, replies: [...sent].sort((one, other) => one.seq - other.seq) };
      }),
    ),
  );
}

/** `"weather" (get_weather, id f12ea017-ca9e-4c18-9491-56f6b311390d)`. */
function nameOfCall({ id, step, tool }: MadeCall): string {
  return step === undefined ? `"${id}" (${tool})` : `"${step}" (${tool}, id ${id})`;
}

function replyProblem({ reply, replies }: MadeCall): string | undefined {
  if (replies.length === 0) return 'no reply was sent';
  const confirmed = replies.findIndex(({ isConfirmed }) => isConfirmed);
  const after = confirmed === -1 ? 0 : replies.length - 1 - confirmed;
  if (after > 0) {
    const others = after === 1 ? 'another one was' : `${after} others were`;
    return `${replies.length} replies were sent: one was confirmed (200), and ${others} sent after it`;
  }
  if (!reply) return `the service accepted none of the replies that were sent (${replies.length})`;
  // After a refusal for good, another reply is no repetition.
  const [first, ...others] = replies.filter((each) => !isRefusalForGood(each));
  return first && !others.every((each) => isSameReply(first, each))
    ? 'replies that say different things were sent: a call has one outcome'
    : undefined;
}

/** The rules report no finding about the client. Throws Error if it sent no request of the API: there is nothing to judge. */
export function noFindings(mock: Mock): Verdict {
  const timelines = timelinesOf(mock);
  const requests = timelines.flatMap(({ conversation }) => conversation.exchanges);
  if (!requests.some(({ operation }) => operation !== undefined)) {
    const sent = requests.length;
    const received = sent === 0 ? 'no request' : `${sent} requests, none of them of the API`;
    throw new Error(`the mock received ${received}: there is nothing to judge`);
  }
  const organisations = [...serviceOf(mock).organisations.all()];
  const findings = timelines.flatMap((timeline) => {
    const key = organisations.find(({ name }) => name === timeline.organisation)?.key;
    return mock.findings(key).map(({ rule, requirement, message, evidence }) => {
      const shown = excerpt(timeline, ({ seq }) => seq !== undefined && evidence.includes(seq));
      return `${rule} (${requirement}): ${message}\n${shown}`;
    });
  });
  return { holds: findings.length === 0, why: findings.join('\n') };
}

/** The task has this status, or a response has shown it. Throws Error if there is no such task or status, or if several tasks are meant. */
export function reached(mock: Mock, status: TaskStatus, id?: string): Verdict {
  if (!TASK_STATUSES.includes(status)) {
    throw new Error(`there is no status ${quote(status)}: there are ${TASK_STATUSES.join(', ')}`);
  }
  const all = timelinesOf(mock).flatMap((timeline) => timeline.tasks.map((task) => ({ task, timeline })));
  const [found, another] = all.filter(({ task }) => id === undefined || task.id === id);
  const ids = all.map(({ task }) => task.id);
  if (!found) throw new Error(`there is no task${id === undefined ? '' : ` ${quote(id)}`}: ${listAll(ids)}`);
  if (another) throw new Error(`there are ${all.length} tasks, give the id of one: ${ids.join(', ')}`);
  const { task, timeline } = found;
  const isShown = timeline.conversation.exchanges.some(
    (each) => each.task === task.id && each.status === status,
  );
  const last = timeline.lines.filter((line) => line.task === task.id).slice(-6);
  const shown = excerpt(timeline, (line) => last.includes(line));
  const end = isTerminal(task.status) ? 'ended as' : 'is still';
  const holds = task.status === status || isShown;
  return { holds, why: `task ${task.id} ${end} "${task.status}"\n${shown}` };
}

function excerpt(timeline: Timeline, matters: (line: Line) => boolean): string {
  const lines = showLines(timeline, timeline.lines.filter(matters));
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`  … ${more} more lines`] : [])].join('\n');
}

function listAll(names: readonly string[]): string {
  if (names.length === 0) return 'there are none';
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, 10).join(', ')}${more}`;
}

function quote(text: unknown): string {
  return JSON.stringify(text) ?? String(text);
}
