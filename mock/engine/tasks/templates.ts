import type { Run, Task } from './task.js';

const WHOLE = /^\{\{\s*([\w.-]+)\s*\}\}$/;
const PARTS = /\{\{\s*([\w.-]+)\s*\}\}/g;

/**
 * Fills `{{step.field}}` in the texts of a scripted value: `{{first.output.temp_c}}` is what the client replied to the
 * call of step `first`, `{{open.input.url}}` what it sent with the action of step `open`. A text that is nothing but one
 * such place becomes the value itself; a placeholder that refers to nothing stays, so that the error is visible. A value
 * without placeholders is returned itself, not as a copy.
 */
export function fillTemplates(value: unknown, task: Task, run: Run): unknown {
  if (typeof value === 'string') return value.includes('{{') ? fillText(value, task, run) : value;
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, task, run));
  if (value === null || typeof value !== 'object') return value;
  let filled: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    const now = fillTemplates(item, task, run);
    if (now === item) continue;
    filled ??= { ...value };
    filled[key] = now;
  }
  return filled ?? value;
}

function fillText(text: string, task: Task, run: Run): unknown {
  const whole = WHOLE.exec(text);
  if (whole) {
    const found = lookUp(whole[1]!, task, run);
    return found === undefined ? text : found;
  }
  return text.replace(PARTS, (place, path: string) => {
    const found = lookUp(path, task, run);
    if (found === undefined) return place;
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

function lookUp(path: string, task: Task, run: Run): unknown {
  const [step, ...fields] = path.split('.');
  const id = run.ids[step!];
  if (id === undefined) return undefined;
  let found: unknown = task.calls?.get(id)?.reply ?? task.actions?.get(id);
  for (const field of fields) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, field)) return undefined;
    found = (found as Record<string, unknown>)[field];
  }
  return found;
}
