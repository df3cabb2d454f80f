import { validators } from '../../../spec/generated/validators.js';
import { valueAt } from '../../../spec/json-pointer.js';
import { pathOf } from '../../../spec/json-schema/violations.js';
import { show } from '../../../spec/show.js';
import type { Violation } from '../load/source.js';
import type { RawStep } from './steps.js';

/** What the API itself refuses with 422 in the body of POST /task (schema TaskRequest; names of tools are unique). */
export function checkRequest(request: unknown): Violation[] {
  const problem = validators.TaskRequest(request);
  if (!problem) return checkToolNames(request);
  const path = ['request', ...pathOf(problem.instancePath)];
  const allowed = (problem.params.allowedValues as unknown[] | undefined)?.map(String).join(', ');
  const expected = `${problem.message}${allowed === undefined ? '' : `: ${allowed}`}`;
  const found = show(valueAt(request, problem.instancePath));
  return [{ path, message: `${path.join('.')}: the API refuses this: ${expected}; found ${found}` }];
}

function checkToolNames(request: unknown): Violation[] {
  const tools = (request as { custom_tools?: { name: string }[] | null }).custom_tools ?? [];
  return tools.flatMap(({ name }, index) => {
    if (tools.findIndex((other) => other.name === name) === index) return [];
    const message = `name: expected a name of its own, found "${name}", which another tool above has already`;
    return [{ path: ['request', 'custom_tools', index, 'name'], message }];
  });
}

/** Reports session actions in the timeline of a one-shot task: the API responds to them with 400. */
export function checkActs(steps: readonly (RawStep | undefined)[], request: unknown): Violation[] {
  const task = (request as { task?: unknown } | null | undefined)?.task;
  if (typeof task !== 'string') return [];
  return steps.flatMap((step, index) => {
    const isAct = step?.client === 'action' || (step?.client === 'close' && step.by !== 'delete');
    if (!isAct) return [];
    const instead = step.client === 'close' ? '; to stop the task write client: cancel' : '';
    const message = `step client: ${String(step.client)} belongs to sessions, and this is a one-shot task: the API responds with 400. Set request.task to null for a session${instead}`;
    return [{ path: ['timeline', index], message }];
  });
}
