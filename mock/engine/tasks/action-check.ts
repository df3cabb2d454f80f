import { isObject } from '../../../spec/json-schema/schema.js';
import { showJson } from '../../../spec/show.js';
import { ACTIONS } from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import type { Action } from './task.js';

/** Required input fields by action and the JSON type of each. Section "Session action payloads". */
const REQUIRED: Readonly<Record<string, [field: string, type: 'string' | 'object']>> = {
  goto: ['url', 'string'],
  extract: ['schema', 'object'],
  evaluate_js: ['js', 'string'],
  run_task: ['task', 'string'],
};

const LEAST_STEPS = 2;

/**
 * Returns what is wrong with an action, or undefined. The service accepts such an event and sends a result of
 * code 400 (section "Events", rule 5).
 */
export function checkAction(
  organisation: Organisation,
  { event }: Action,
  { name, input }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (typeof name !== 'string' || !Object.hasOwn(ACTIONS, name)) {
    const known = Object.keys(ACTIONS).join(', ');
    return `Unknown action ${showJson(name)}: a session knows ${known}.`;
  }
  const expected = ACTIONS[name as keyof typeof ACTIONS];
  if (event !== expected) return `Action "${name}" must be sent as ${expected}, not as ${event}.`;
  if (!REQUIRED[name]) return undefined;
  const [field, type] = REQUIRED[name];
  if (!isObject(input)) return `Action "${name}" needs an object "input" with ${field}.`;
  const value = input[field];
  const isRight = type === 'object' ? isObject(value) : typeof value === 'string' && value !== '';
  if (!isRight) return `Action "${name}" needs input.${field} (${type}); got ${showJson(value)}.`;
  const { max_steps: steps, url } = input;
  const most = Number(organisation.dialect['limits.max-steps-maximum']);
  const hasSteps = name === 'run_task' && steps !== undefined && steps !== null;
  if (hasSteps && !(Number.isInteger(steps) && Number(steps) >= LEAST_STEPS && Number(steps) <= most))
    return `Action "run_task" takes an integer from ${LEAST_STEPS} to ${most} as input.max_steps; got ${showJson(steps)}.`;
  const opens = name === 'goto' || name === 'run_task';
  if (opens && typeof url === 'string' && !isOpenable(organisation, url))
    return `Action "${name}" needs a URL with a scheme, such as https://example.com, as input.url.`;
  // Clients send schemas: an action whose schema cannot be used gets a result of code 400.
  const schemaField = name === 'extract' ? 'schema' : 'response_model';
  const schema = input[schemaField];
  const problem =
    schema === null || schema === undefined ? undefined : organisation.setup.generators().problem(schema);
  return problem && `Action "${name}" has an unusable input.${schemaField}: ${problem}`;
}

/** True for an address that the service opens: dialect `task.url-form`. */
export function isOpenable(organisation: Organisation, url: string): boolean {
  return organisation.dialect['task.url-form'] === 'any-text' || URL.canParse(url);
}
