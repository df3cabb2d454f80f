import { listToolNames } from '../../../scenarios/format/library/task-request.js';
import type { ServiceStep, Step } from '../../../scenarios/format/types.js';
import type { ActionName } from '../../../spec/vocabulary.js';
import type { Random } from '../../generate/random.js';
import type { Organisation } from '../organisation.js';
import type { Task } from './task.js';

/**
 * Timelines for tasks without a scenario, generated from the request and the seed. The delays are those of a
 * fast service, so that developers do not wait.
 */

/** Shortest and longest pause of the agent in ms. */
const PAUSE_MS = { think: [300, 900], act: [80, 400] } as const;

function choosePause(random: Random, kind: keyof typeof PAUSE_MS): { time_ms: number } {
  return { time_ms: random.int(PAUSE_MS[kind][0], PAUSE_MS[kind][1]) };
}

/**
 * The tools of the request that an agent can use within `max_steps`, or within the default. Each tool counts
 * as one step, also if it is called again after a refusal.
 */
export function listUsableTools(
  { dialect }: Organisation,
  request: Task['request'],
  max_steps: unknown,
): readonly string[] {
  const most = typeof max_steps === 'number' ? max_steps : Number(dialect['limits.max-steps-default']);
  return listToolNames(request).slice(0, most);
}

/**
 * Opened for the task of a chat when the client approves the chat's request. Scenarios may wait for it too.
 */
export const APPROVAL_GATE = 'approval';

export const AWAIT_APPROVAL: Step = { service: 'status', status: 'running', after: { gate: APPROVAL_GATE } };

/**
 * A one-shot task: calls each tool once, and again with another input after an error reply. A second error
 * fails the task.
 */
export function improviseTask(tools: readonly string[], random: Random): readonly Step[] {
  if (tools.length === 0) return finishAfter(choosePause(random, 'think').time_ms);
  const fail = (output: string): ServiceStep => ({ service: 'finish', status: 'failed', output });
  return [
    ...useTools(tools, random, 'think', fail),
    { service: 'finish', after: choosePause(random, 'think') },
  ];
}

// The pauses have few distinct values, so tasks without tools share their timelines.
const endings = new Map<number, readonly Step[]>();

function finishAfter(time_ms: number): readonly Step[] {
  let steps = endings.get(time_ms);
  if (!steps) {
    steps = [{ service: 'finish', after: { time_ms } }];
    endings.set(time_ms, steps);
  }
  return steps;
}

/** One action of a session; `event` is the id of the client's event. */
export function improviseAction(
  name: ActionName,
  event: string,
  tools: readonly string[],
  random: Random,
  statusAfterClose: 'done' | 'cancelled',
): Step[] {
  const result: Step = { service: 'result', to: event, after: choosePause(random, 'act') };
  if (name === 'close') return [result, { service: 'finish', status: statusAfterClose }];
  if (name === 'run_task') {
    const fail = (output: string): ServiceStep => ({ service: 'result', to: event, code: 500, output });
    return [...useTools(tools, random, 'act', fail), result];
  }
  return [result];
}

export function refuseAction(event: string, message: string): Step[] {
  return [{ service: 'result', to: event, code: 400, output: message }];
}

/** `fail` creates the step that reports the failure, with the reason. */
function useTools(
  tools: readonly string[],
  random: Random,
  pace: keyof typeof PAUSE_MS,
  fail: (reason: string) => ServiceStep,
): Step[] {
  const steps: Step[] = [];
  tools.forEach((tool, index) => {
    const first = `call-${index + 1}`;
    const again = `${first}-again`;
    const refused = { reply: first, code: [400 as const, 500 as const] };
    const refusedAgain = { ...refused, reply: again };
    const reason = `The tool "${tool}" failed twice; its last reply has code {{${again}.code}}: {{${again}.output}}`;
    steps.push(
      { service: 'tool_call', id: first, tool, after: choosePause(random, pace) },
      { client: 'reply', to: first },
      { service: 'tool_call', id: again, tool, after: choosePause(random, pace), if: refused },
      { client: 'reply', to: again, if: refused },
      { ...fail(reason), if: refusedAgain },
    );
  });
  return steps;
}
