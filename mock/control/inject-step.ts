import { listToolNames } from '../../scenarios/format/library/match.js';
import type { ServiceStep } from '../../scenarios/format/types.js';
import { isObject } from '../../spec/json-schema/schema.js';
import { createInvalidValue } from '../../spec/json-schema/violations.js';
import { quote } from '../../spec/show.js';
import { isTerminal } from '../../spec/vocabulary.js';
import { MockError } from '../engine/mock-error.js';
import { processDueWork } from '../engine/tasks/agent.js';
import type { Task } from '../engine/tasks/task.js';

/**
 * Runs a service step, in the form of a scenario file, parallel to the task's own timeline: now, or when its `after` is met. Throws
 * MockError if the step, or this task, does not allow it.
 */
export async function injectStep(task: Task, given: unknown): Promise<void> {
  const step = await readStep(given);
  const run = task.runs[0];
  if (isTerminal(task.status) || !run) {
    const message = `Task ${quote(task.id)} is ${task.status}: it accepts no more steps.`;
    throw new MockError('invalid', message);
  }
  checkNames(task, step);
  // Inserted before the current step and skipped at once, so that it waits parallel to the others.
  run.steps = [...run.steps.slice(0, run.cursor), step, ...run.steps.slice(run.cursor)];
  run.side.push({ index: run.cursor, since: task.organisation.now, polls: task.polls });
  run.cursor++;
  processDueWork(task);
}

async function readStep(given: unknown): Promise<ServiceStep> {
  if (!isObject(given)) throw createInvalidValue('', 'a service step, such as {"service": "finish"}', given);
  const [{ checkStep }, { buildStep }] = await Promise.all([
    import('../../scenarios/format/check/schema-check.js'),
    import('../../scenarios/format/load/load-text.js'),
  ]);
  const problems = checkStep(given, [], ['service']);
  if (problems.length > 0) throw new MockError('invalid', problems.map(({ message }) => message).join('; '));
  if (given.if !== undefined)
    throw new MockError('invalid', 'if: an injected step has no condition; leave it out.');
  const { line: _none, ...step } = buildStep(given, 0, () => '');
  return step as ServiceStep;
}

function checkNames(task: Task, step: ServiceStep): void {
  const tools = listToolNames(task.request);
  if (step.service === 'tool_call' && !tools.includes(step.tool)) {
    const there = tools.length === 0 ? 'the task has none' : `the task has ${tools.join(', ')}`;
    const expected = "expected one of the task's custom_tools";
    throw new MockError('invalid', `tool: ${expected}, got ${quote(step.tool)}; ${there}.`);
  }
  if (step.service === 'result' && !task.actions?.has(task.runs[0]?.ids[step.to] ?? step.to)) {
    const expected = 'expected the id of an action that the client has sent';
    throw new MockError('invalid', `to: ${expected}, got ${quote(step.to)}.`);
  }
}
