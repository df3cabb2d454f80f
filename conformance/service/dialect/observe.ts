import { type DialectChoices, openPoints } from '../../../spec/generated/documents.js';
import { asFields, type Fields, field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import type { TaskHandle } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

/** The largest list of tasks there is. Section "Limits". */
export const MAX_TASKS = 128;

/** Reports a choice, where one was seen. */
export function observe<Point extends keyof DialectChoices>(
  t: TestContext,
  point: Point,
  choice: DialectChoices[Point] | undefined,
): void {
  if (choice !== undefined) t.observe(point, choice);
}

/** Reports the choice that a response stands for: a success (`ok`), a refusal of the input (`invalid`: 400, 422), or a status. */
export function observeResponse<Point extends keyof DialectChoices>(
  t: TestContext,
  point: Point,
  { ok, status }: ApiResponse,
  choices: Readonly<Record<string, DialectChoices[Point]>>,
): void {
  const isInvalid = status === 400 || status === 422;
  observe(t, point, choices[ok ? 'ok' : status] ?? (isInvalid ? choices.invalid : undefined));
}

/** The same where the choices are named after statuses: `accepted` or "200" for any success. */
export function observeStatus(t: TestContext, point: keyof DialectChoices, response: ApiResponse): void {
  const { choices } = openPoints.find(({ id }) => id === point)!;
  const names = response.ok ? ['accepted', '200'] : [String(response.status)];
  const choice = names.find((name) => Object.hasOwn(choices, name));
  if (choice !== undefined) t.observe(point, choice);
}

/** The input was refused as such, not for a limit or a fault of the service. */
export function isRefused({ status }: ApiResponse): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** The record in a body, in the envelope or bare. */
export function recordOf(response: ApiResponse): Fields | undefined {
  return response.ok ? (asFields(response.r) ?? asFields(response.body)) : undefined;
}

/** The text in a field of the record; undefined for none and for an empty one. */
export function textIn(response: ApiResponse, name: string): string | undefined {
  const value = field(recordOf(response), name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Members of the list in the envelope. */
export function listIn(response: ApiResponse): readonly unknown[] {
  return response.ok && Array.isArray(response.r) ? response.r : [];
}

/** Index of the task in a list; -1 where it is not there. */
export function indexIn(list: ApiResponse, { id }: TaskHandle): number {
  return listIn(list).findIndex((each) => field(each, 'id') === id);
}

/** Removes a task at the end that should have been refused, or was created past the context. Undefined where there is none. */
export function removeTask(
  t: TestContext,
  created: ApiResponse,
  key: TaskHandle['key'] = 'main',
): string | undefined {
  const task_id = textIn(created, 'id');
  if (task_id !== undefined)
    t.cleanup(`task ${task_id}`, () => t.send('deleteTask', { path: { task_id }, key }));
  return task_id;
}
