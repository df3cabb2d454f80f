import { isObject } from '../../../spec/json-schema/schema.js';
import { ACTIONS, type EventName } from '../../../spec/vocabulary.js';

/** Required input fields by action and the JSON type of each. Section "Session action payloads". */
const REQUIRED: Record<string, Record<string, 'string' | 'object'>> = {
  goto: { url: 'string' },
  extract: { schema: 'object' },
  evaluate_js: { js: 'string' },
  run_task: { task: 'string' },
};

/**
 * Says what is wrong with an action, or undefined. The service takes such an event and answers it with a result of
 * code 400, as the section "Events", rule 5 has it. `most_steps` is the bound of a run_task's `max_steps`.
 */
export function checkAction(
  event: EventName,
  payload: Readonly<Record<string, unknown>>,
  most_steps: number,
): string | undefined {
  const name = payload.name;
  if (typeof name !== 'string' || !Object.hasOwn(ACTIONS, name)) {
    const known = Object.keys(ACTIONS).join(', ');
    return `Unknown action ${show(name)}: a session knows ${known}.`;
  }
  const expected = ACTIONS[name as keyof typeof ACTIONS];
  if (event !== expected) return `Action "${name}" must be sent as ${expected}, not as ${event}.`;
  const fields = REQUIRED[name];
  if (!fields) return undefined;
  const { input } = payload;
  if (!isObject(input))
    return `Action "${name}" needs an object "input" with ${Object.keys(fields).join(', ')}.`;
  for (const [field, type] of Object.entries(fields)) {
    const value = input[field];
    const fits = type === 'object' ? isObject(value) : typeof value === 'string' && value !== '';
    if (!fits) return `Action "${name}" needs input.${field} (${type}); got ${show(value)}.`;
  }
  return name === 'run_task' ? checkSteps(input.max_steps, most_steps) : undefined;
}

const LEAST_STEPS = 2;

function checkSteps(value: unknown, most: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Number.isInteger(value) && Number(value) >= LEAST_STEPS && Number(value) <= most) return undefined;
  return `Action "run_task" takes an integer from ${LEAST_STEPS} to ${most} as input.max_steps; got ${show(value)}.`;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
