import { type DialectChoices, openPoints } from '../../../spec/generated/documents.js';
import { type Fields, readField, toFields } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { attempt } from '../request-builders/requests.js';
import type { TaskHandle } from '../test-case/read-task.js';
import type { KeyName, TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

/** The largest list of tasks there is. Section "Limits". */
export const MAX_TASKS = 128;

/** Requests that show what a target chose at open points. It judges nothing, and ends where a point cannot be seen. */
export type Observation = Omit<TestCase, 'covers'>;

/** Reports the choice that a response stands for: a success (`ok`), a refusal of the input (`invalid`: 400, 422), or a status. */
export function observeResponse<Point extends keyof DialectChoices>(
  t: TestContext,
  point: Point,
  { ok, status }: ApiResponse,
  choices: Readonly<Record<string, DialectChoices[Point]>>,
): void {
  const isInvalid = status === 400 || status === 422;
  t.observe(point, choices[ok ? 'ok' : status] ?? (isInvalid ? choices.invalid : undefined));
}

/** The same where the choices are named after statuses: `accepted` or "200" for any success. */
export function observeStatus(t: TestContext, point: keyof DialectChoices, response: ApiResponse): void {
  const { choices } = openPoints.find(({ id }) => id === point)!;
  const names = response.ok ? ['accepted', '200'] : [String(response.status)];
  t.observe(point, names.find((name) => Object.hasOwn(choices, name)) as never);
}

/** The record in a body, in the envelope or bare. */
export function readRecord(response: ApiResponse): Fields | undefined {
  return response.ok ? (toFields(response.r) ?? toFields(response.body)) : undefined;
}

/** The text in a field of the record; undefined for none and for an empty one. */
export function readText(response: ApiResponse, name: string): string | undefined {
  const value = readField(readRecord(response), name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Members of the list in the envelope. */
export function readList(response: ApiResponse): readonly unknown[] {
  return response.ok && Array.isArray(response.r) ? response.r : [];
}

/** Index of the task in a list; -1 where it is not there. */
export function findTaskIndex(list: ApiResponse, { id }: TaskHandle): number {
  return readList(list).findIndex((each) => readField(each, 'id') === id);
}

/** POST /task for a session, which may be refused for what else is in it; it is removed when the case ends. */
export function sendSession(t: TestContext, more?: object, key: KeyName = 'main'): Promise<ApiResponse> {
  const { body, ...session } = t.amend('createTask', {
    body: { task: null },
    key,
    takes: key === 'free' ? [429] : [],
  });
  return attempt(t, 'createTask', { ...session, body }, more && { body: { ...body, ...more } });
}

/** An action that every browser can do. */
export function createGoto(t: TestContext): [name: string, input: { url: string }] {
  return ['goto', { url: t.text('page') }];
}
