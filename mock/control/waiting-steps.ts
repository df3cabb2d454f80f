import type { Step, Trigger } from '../../scenarios/format/types.js';
import type { Organisation } from '../engine/organisation.js';
import { replyTo } from '../engine/tasks/agent.js';
import type { Run, Task } from '../engine/tasks/task.js';

/** Fields that name what a step is about. */
const SUBJECTS = ['to', 'tool', 'name', 'gate', 'status', 'times', 'value'];

/** A step in words: `service tool_call get_weather (first)`. */
export function describeStep(step: Step): string {
  if ('network' in step) return `network ${step.network}`;
  const verb = 'client' in step ? `client ${step.client}` : `service ${step.service}`;
  const subject = Object.entries(step).find(([name]) => SUBJECTS.includes(name))?.[1];
  const words = typeof subject === 'string' ? subject : JSON.stringify(subject);
  return [verb, words, step.id && `(${step.id})`].filter(Boolean).join(' ');
}

/** What a step still waits for, in words; empty when nothing keeps it. */
export function missingFor(
  organisation: Organisation,
  task: Task,
  run: Run,
  step: Step,
  reached: { since: number; polls: number },
): string[] {
  if (task.starts_at !== null) return [`${task.starts_at - organisation.now} ms more in the queue`];
  const missing = step.after ? missingTriggers(organisation, task, run, step.after, reached) : [];
  if ('client' in step) {
    const act = missingAct(task, run, step, reached.polls);
    if (act !== undefined) missing.unshift(act);
  }
  if ('service' in step && step.service === 'finish' && task.withheld_since !== null) {
    missing.push('the time in which clients can read the last event on a 202');
  }
  if ('service' in step && step.id !== undefined) {
    const held = organisation.network.steps.waitsFor(task, step.id);
    missing.push(...held.map((what) => `${what} (held by a network rule)`));
  }
  return missing;
}

function missingTriggers(
  organisation: Organisation,
  task: Task,
  run: Run,
  after: Trigger,
  { since, polls }: { since: number; polls: number },
): string[] {
  const missing: string[] = [];
  const { time_ms, gate, reply, step } = after;
  const left = time_ms === undefined ? 0 : since + time_ms - organisation.now;
  if (left > 0) missing.push(`${left} ms more`);
  const pollsLeft = after.polls === undefined ? 0 : polls + after.polls - task.polls;
  if (pollsLeft > 0) missing.push(`${pollsLeft} more ${pollsLeft === 1 ? 'poll' : 'polls'}`);
  if (gate !== undefined && !organisation.isOpen(gate, task)) missing.push(`gate ${gate} to be opened`);
  if (reply !== undefined && !replyTo(task, run, reply)) missing.push(`the reply to ${reply}`);
  if (step !== undefined && !run.happened.has(step)) missing.push(`step ${step} to happen`);
  return missing;
}

function missingAct(
  task: Task,
  run: Run,
  step: Extract<Step, { client: unknown }>,
  polls: number,
): string | undefined {
  switch (step.client) {
    case 'reply': {
      const call = run.ids[step.to];
      return replyTo(task, run, step.to) ? undefined : `the client to reply to ${call ?? step.to}`;
    }
    case 'action':
      return step.id !== undefined && run.ids[step.id] !== undefined
        ? undefined
        : `the client to send ${step.name}`;
    case 'close':
      return task.closing ? undefined : 'the client to close the session';
    case 'poll': {
      const left = polls + (step.times ?? 1) - task.polls;
      return left > 0 ? `${left} more ${left === 1 ? 'poll' : 'polls'}` : undefined;
    }
    case 'cancel':
      return 'the client to stop the task';
  }
}
