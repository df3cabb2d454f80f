import type { Mock } from '../../mock/mock.js';
import { isTerminal, TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import { isSameReply, type ReadExchange } from '../conversation/read-exchange.js';
import { isPermanentRefusal } from '../conversation/task-conversation.js';
import { formatLines, readTimelines, type Timeline, type TimelineEntry } from './timeline/timeline.js';

/** The matchers of `expect(mock)`. */
export interface MockMatchers<R = void> {
  /**
   * The client replied to this tool call once: the service accepted a reply, and no reply followed a confirmed one. A reply
   * without a good response may be repeated unchanged.
   *
   * @param call Id of the call, id of the scenario step that made it, or the name of a tool that was called once.
   */
  toHaveRepliedOnce(call: string): R;
  /** The client violated no rule; advice does not count. Fails if the mock received no request; this also holds for `.not`. */
  toHaveNoFindings(): R;
  /**
   * The task has this status, or a response showed it.
   *
   * @param task Id of the task; required if there are several.
   */
  toHaveReached(status: TaskStatus, task?: string): R;
}

/** Whether an expectation holds, and why, with the lines of the timeline that show it. */
interface MatcherResult {
  holds: boolean;
  why: string;
}

/** For `expect.extend` of vitest or jest; importing `taskdouble/vitest` calls it. */
export const matchers = {
  toHaveRepliedOnce: (received: unknown, call: unknown) =>
    runMatcher('toHaveRepliedOnce', received, (mock) => checkRepliedOnce(mock, call), {
      expected: 'exactly one reply',
      notExpected: 'anything but exactly one reply',
    }),

  toHaveNoFindings: (received: unknown) =>
    runMatcher('toHaveNoFindings', received, checkNoFindings, {
      expected: 'no findings',
      notExpected: 'the client to break a rule, and it broke none',
    }),

  toHaveReached: (received: unknown, status: TaskStatus, task?: string) =>
    runMatcher('toHaveReached', received, (mock) => checkReached(mock, status, task), {
      expected: `the task to reach "${status}"`,
      notExpected: `the task never to reach "${status}"`,
    }),
};

/** Throws for a wrong use of the matcher: a failure would pass with `.not`. */
function runMatcher(
  matcher: keyof MockMatchers,
  received: unknown,
  judge: (mock: Mock) => MatcherResult,
  { expected, notExpected }: { expected: string; notExpected: string },
) {
  try {
    const { journal, findings } = (received ?? {}) as Partial<Mock>;
    if (typeof journal !== 'function' || typeof findings !== 'function')
      throw new Error(`expected a mock, as in expect(mock).${matcher}(…), got ${describeValue(received)}`);
    const { holds, why } = judge(received as Mock);
    const text = `expected ${holds ? notExpected : expected}${why === '' ? '' : `; ${why}`}`;
    return { pass: holds, message: () => text };
  } catch (problem) {
    const error = new Error(`${matcher}: ${(problem as Error).message}`);
    // The stack begins in the test.
    Error.captureStackTrace?.(error, matchers[matcher]);
    throw error;
  }
}

/** A repeated reply without a good response counts as the same reply. Throws Error if `name` does not select exactly one call. */
function checkRepliedOnce(mock: Mock, name: unknown): MatcherResult {
  if (typeof name !== 'string') throw new Error(`expected the id of a tool call, got ${describeValue(name)}`);
  const calls = readTimelines(mock).flatMap((timeline) =>
    timeline.tasks.flatMap((task) => task.calls.map((call) => ({ ...call, task: task.id, timeline }))),
  );
  const formatCall = ({ id, step, tool }: (typeof calls)[number]) =>
    step === undefined ? `"${id}" (${tool})` : `"${step}" (${tool}, id ${id})`;
  const byName = (['id', 'step', 'tool'] as const).map((key) => calls.filter((call) => call[key] === name));
  const named = byName.find((some) => some.length > 0) ?? [];
  const [call] = named;
  if (!call) throw new Error(`there is no tool call "${name}": ${formatNames(calls.map(formatCall))}`);
  if (named.length > 1) {
    const names = named.map(formatCall).join(', ');
    throw new Error(`${named.length} tool calls go by "${name}", give the id of one: ${names}`);
  }
  const { timeline, reply, task, id } = call;
  const sent = timeline.conversation.tasks.get(task)?.replies.get(id) ?? [];
  const problem = describeReplyProblem(
    reply !== undefined,
    [...sent].sort((one, other) => one.seq - other.seq),
  );
  const shown = formatExcerpt(timeline, ({ events }) => events.includes(id));
  return { holds: problem === undefined, why: `call ${formatCall(call)}: ${problem ?? 'it was'}\n${shown}` };
}

function describeReplyProblem(isAccepted: boolean, replies: readonly ReadExchange[]): string | undefined {
  if (replies.length === 0) return 'no reply was sent';
  const confirmed = replies.findIndex(({ isConfirmed }) => isConfirmed);
  const after = confirmed === -1 ? 0 : replies.length - 1 - confirmed;
  if (after > 0) {
    const others = after === 1 ? 'another one was' : `${after} others were`;
    return `${replies.length} replies were sent: one was confirmed (200), and ${others} sent after it`;
  }
  if (!isAccepted) return `the service accepted none of the replies that were sent (${replies.length})`;
  // A reply after a permanent refusal is no repetition.
  const [first, ...others] = replies.filter((each) => !isPermanentRefusal(each));
  return first && !others.every((each) => isSameReply(first, each))
    ? 'replies that say different things were sent: a call has one outcome'
    : undefined;
}

/** Throws Error if the client sent no request of the API: there is nothing to judge. */
function checkNoFindings(mock: Mock): MatcherResult {
  const timelines = readTimelines(mock);
  const requests = timelines.flatMap(({ conversation }) => conversation.exchanges);
  if (!requests.some(({ operation }) => operation !== undefined)) {
    const sent =
      requests.length === 0 ? 'no request' : `${requests.length} requests, none of them of the API`;
    throw new Error(`the mock received ${sent}: there is nothing to judge`);
  }
  const findings = timelines.flatMap((timeline) =>
    mock.findings(timeline.organisation.key).flatMap(({ level, rule, requirement, message, evidence }) => {
      if (level !== 'must') return [];
      const shown = formatExcerpt(timeline, ({ seq }) => seq !== undefined && evidence.includes(seq));
      return `${rule} (${requirement}): ${message}\n${shown}`;
    }),
  );
  return { holds: findings.length === 0, why: findings.join('\n') };
}

/** Throws Error for an unknown task or status, and if several tasks match. */
function checkReached(mock: Mock, status: TaskStatus, id?: string): MatcherResult {
  if (!TASK_STATUSES.includes(status))
    throw new Error(`there is no status ${describeValue(status)}: there are ${TASK_STATUSES.join(', ')}`);
  const all = readTimelines(mock).flatMap((timeline) => timeline.tasks.map((task) => ({ task, timeline })));
  const [found, another] = all.filter(({ task }) => id === undefined || task.id === id);
  const ids = all.map(({ task }) => task.id);
  if (!found) throw new Error(`there is no task${id === undefined ? '' : ` "${id}"`}: ${formatNames(ids)}`);
  if (another) throw new Error(`there are ${all.length} tasks, give the id of one: ${ids.join(', ')}`);
  const { task, timeline } = found;
  const isShown = timeline.conversation.exchanges.some(
    (each) => each.task === task.id && each.status === status,
  );
  const last = timeline.lines.filter((line) => line.task === task.id).slice(-6);
  const shown = formatExcerpt(timeline, (line) => last.includes(line));
  const end = isTerminal(task.status) ? 'ended as' : 'is still';
  return {
    holds: task.status === status || isShown,
    why: `task ${task.id} ${end} "${task.status}"\n${shown}`,
  };
}

function formatExcerpt(timeline: Timeline, matters: (line: TimelineEntry) => boolean): string {
  return formatLines(timeline.start, timeline.lines.filter(matters)).join('\n');
}

function formatNames(names: readonly string[]): string {
  if (names.length === 0) return 'there are none';
  return `there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`;
}

function describeValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return `an object of the class ${value.constructor?.name}`;
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}
