import { isActive } from '../../spec/vocabulary.js';
import type { CheckResult } from '../causes/check-result.js';
import { formatTime } from '../common/text.js';
import type { TaskConversation } from '../conversation/task-conversation.js';
import type { Judge } from '../rules/judge.js';

/** Most tasks in a message. */
const MOST_SHOWN = 3;

/**
 * Checks whether clients follow their tasks to a terminal status. A task that is active when the proxy ends is inconclusive:
 * its client may still wait for it, or may not need it.
 */
export function createFollowedCheck(judge: Judge, endedAt: number): CheckResult {
  const about = {
    id: 'client#tasks/followed',
    case: 'client',
    suite: 'client' as const,
    side: 'client' as const,
    title: 'A client follows its task until it is over.',
    covers: ['POLL-01' as const],
  };
  const open: { id: string; task: TaskConversation }[] = [];
  const over: number[] = [];
  for (const { id, task } of judge.iterateClientTasks()) {
    if (task.polledEnd) over.push(task.polledEnd.seq);
    else if (!task.end && !task.stop && isActive(task.latest?.status ?? '')) open.push({ id, task });
  }
  if (open.length === 0) {
    const evidence = over.slice(-MOST_SHOWN);
    return over.length > 0
      ? { ...about, outcome: 'passed', message: 'the end of each task was read', evidence }
      : { ...about, outcome: 'inconclusive', message: 'no exchange gave the occasion', evidence };
  }
  const shown = open.slice(0, MOST_SHOWN).map(({ id, task }) => describeOpenTask(id, task, endedAt));
  const more = open.length > MOST_SHOWN ? ` And ${open.length - MOST_SHOWN} more.` : '';
  const message = `${shown.join(' ')}${more} The traffic does not show whether the client still waits, was ended, or needs no more of it.`;
  return {
    ...about,
    outcome: 'inconclusive',
    message,
    evidence: open.map(({ task }) => task.latest!.seq).slice(-MOST_SHOWN),
  };
}

function describeOpenTask(id: string, task: TaskConversation, endedAt: number): string {
  const { status, seq, at } = task.latest!;
  const silence = formatTime(Math.max(0, endedAt - at));
  return `The task ${id} was ${status} in the last response about it (exchange ${seq}, ${silence} before the end of the proxy): ${describeNextStep(task)}.`;
}

function describeNextStep(task: TaskConversation): string {
  const call = [...task.calls].find(([id]) => task.findReply(id) === undefined);
  if (call)
    return `the call "${call[0]}" of ${call[1].tool} was delivered in exchange ${call[1].seq} and has no reply`;
  const waiting = [...task.actions.values()].find(({ id, accepted }) => accepted && !task.results.has(id));
  if (waiting) return `the result of ${waiting.name} (exchange ${waiting.accepted!.seq}) was not delivered`;
  const result = [...task.results].at(-1);
  if (task.isSession && result)
    return `the result of "${result[0]}" was delivered in exchange ${result[1].seq}, and neither an action nor a close followed`;
  return 'the client had no call to reply to, and sent no further poll';
}
