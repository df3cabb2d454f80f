import { listToolNames } from '../../scenarios/format/library/match.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { quote } from '../../spec/show.js';
import type { Generators } from '../engine/organisation.js';
import { isServiceStep, type Misfit } from '../engine/tasks/task.js';

export function findMisfits(
  { request: own, timeline }: Scenario,
  request: Readonly<Record<string, unknown>>,
  fits: Generators['isValid'],
): Misfit[] {
  const misfits: Misfit[] = [];
  const add = (requirement: string, what: string, remedy: string) =>
    misfits.push({ requirement, message: `${what}: ${remedy}, or choose another scenario.` });

  const isSession = typeof request.task !== 'string';
  if (typeof own.task === 'string' && isSession)
    add('TASK-10', 'it is for a task with a text, and the request opens a session', 'send a text in "task"');
  if (typeof own.task !== 'string' && !isSession)
    add('TASK-10', 'it is for a session, and the request has a text in "task"', 'send null in "task"');

  const registered = listToolNames(request);
  // A client made for such a scenario does not register the tool.
  const unknown = timeline.flatMap((step) =>
    'client' in step && step.client === 'reply' && step.unknown_tool ? [step.to] : [],
  );
  const calls = timeline.filter((step) => isServiceStep(step, 'tool_call'));
  const called = calls.flatMap(({ id, tool }) => (id !== undefined && unknown.includes(id) ? [] : [tool]));
  const missing = [...new Set(called)].filter((tool) => !registered.includes(tool));
  if (missing.length > 0) {
    const there = registered.map(quote).join(', ') || 'none';
    const what = `it calls ${missing.map(quote).join(', ')}, and the tools of the request are: ${there}`;
    add('TOOL-11', what, 'register what it calls in "custom_tools"');
  }

  const model = request.response_model ?? undefined;
  const finishes = timeline.filter((step) => isServiceStep(step, 'finish'));
  const outputs = finishes.filter(({ status = 'done' }) => status === 'done');
  // The values of templates depend on the client.
  const isFixed = outputs.every((step) => 'output' in step && !JSON.stringify(step.output).includes('{{'));
  if (
    model !== undefined &&
    outputs.length > 0 &&
    isFixed &&
    !outputs.some(({ output }) => fits(model, output))
  )
    add(
      'TASK-04',
      'its output does not satisfy the "response_model" of the request',
      'send the "response_model" of the scenario',
    );
  return misfits;
}
