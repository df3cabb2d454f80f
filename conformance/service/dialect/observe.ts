import { type DialectChoices, openPoints } from '../../../spec/generated/documents.js';
import { type Fields, readField, toFields } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { attempt } from '../operations/requests.js';
import type { TaskHandle } from '../test-case/read-task.js';
import type { KeyName, TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

/** The largest list of tasks. Section "Limits". */
export const MAX_TASKS = 128;

/** Requests that detect the choices of a target at open points. Without judgement; ends if a point cannot be detected. */
export type Observation = Omit<TestCase, 'covers'>;

/** Names of choices that a success shows, and names of those that a refusal of the input shows. */
const ACCEPTED = ['accepted', '200', 'ignored', 'generated', 'any-text', 'read'];
const REFUSED = ['refused', 'checked'];

/** Records the choice that a response shows. `refusals`: statuses that refuse the input, where no choice is named after them. */
export function observeResponse(
  t: TestContext,
  point: keyof DialectChoices,
  { ok, status }: ApiResponse,
  refusals: readonly number[] = [422],
): void {
  const { choices } = openPoints.find(({ id }) => id === point)!;
  const names = ok ? ACCEPTED : [String(status), ...(refusals.includes(status) ? REFUSED : [])];
  t.observe(point, names.find((name) => Object.hasOwn(choices, name)) as never);
}

/** The record in a body, with or without envelope. */
export function readRecord(response: ApiResponse): Fields | undefined {
  return response.ok ? (toFields(response.r) ?? toFields(response.body)) : undefined;
}

/** A non-empty text in a field of the record, else undefined. */
export function readText(response: ApiResponse, name: string): string | undefined {
  const value = readField(readRecord(response), name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Entries of the list in the envelope. */
export function readList(response: ApiResponse): readonly unknown[] {
  return response.ok && Array.isArray(response.r) ? response.r : [];
}

export function findTaskIndex(list: ApiResponse, { id }: TaskHandle): number {
  return readList(list).findIndex((each) => readField(each, 'id') === id);
}

/** POST /task for a session, which may be refused for the additional fields; it is removed when the case ends. */
export function sendSession(t: TestContext, more?: object, key: KeyName = 'main'): Promise<ApiResponse> {
  const { body, ...session } = t.amend('createTask', {
    body: { task: null },
    key,
    takes: key === 'free' ? [429] : [],
  });
  return attempt(t, 'createTask', { ...session, body }, more && { body: { ...body, ...more } });
}

/** An action that every browser supports. */
export function createGoto(t: TestContext): [name: string, input: { url: string }] {
  return ['goto', { url: t.text('page') }];
}
