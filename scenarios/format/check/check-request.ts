import { validators } from '../../../spec/generated/validators.js';
import { keysOf } from '../../../spec/json-pointer.js';
import { show } from '../../../spec/show.js';
import type { Path, Violation } from '../load/source.js';
import type { RawStep } from '../load/steps.js';

/** What the API itself refuses with 422 in the body of POST /task (schema TaskRequest; names of tools are unique). */
export function checkRequest(request: unknown): Violation[] {
  const problem = validators.TaskRequest(request);
  if (!problem) return checkToolNames(request);
  const inner = pathOf(problem.instancePath, request);
  const allowed = (problem.params.allowedValues as unknown[] | undefined)?.map(String).join(', ');
  const name = ['request', ...inner].join('.');
  const found = show(inner.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], request));
  const message = `${name}: the API refuses this: ${problem.message}${allowed === undefined ? '' : `: ${allowed}`}; found ${found}`;
  return [{ path: ['request', ...inner], message }];
}

function checkToolNames(request: unknown): Violation[] {
  const tools = (request as { custom_tools?: { name: string }[] | null }).custom_tools ?? [];
  const names = tools.map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          {
            path: ['request', 'custom_tools', index, 'name'],
            message: `name: expected a name of its own, found "${name}", which another tool above has already`,
          },
        ],
  );
}

/** Acts of a session in the timeline of a one-shot task: the API answers them with 400. */
export function checkActs(steps: readonly (RawStep | undefined)[], request: unknown): Violation[] {
  const task = (request as { task?: unknown } | null | undefined)?.task;
  if (typeof task !== 'string') return [];
  return steps.flatMap((step, index) => {
    const isAct = step?.client === 'action' || (step?.client === 'close' && step.by !== 'delete');
    if (!isAct) return [];
    const instead = step.client === 'close' ? '; to stop the task write client: cancel' : '';
    const message = `step client: ${String(step.client)} belongs to sessions, and this is a one-shot task: the API answers it with 400. Set request.task to null for a session${instead}`;
    return [{ path: ['timeline', index], message }];
  });
}

function pathOf(pointer: string, root: unknown): Path {
  const keys: (string | number)[] = [];
  let value = root;
  for (const key of keysOf(pointer)) {
    keys.push(Array.isArray(value) ? Number(key) : key);
    value = (value as Record<string, unknown> | undefined)?.[key];
  }
  return keys;
}
