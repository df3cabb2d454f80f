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

/** Records the choice that a response shows: a success (`ok`), a refusal of the input (`invalid`: 400, 422), or a status. */
export function observeResponse<Point extends keyof DialectChoices>(
  t: TestContext,
  point: Point,
  { ok, status }: ApiResponse,
  choices: Readonly<Record<string, DialectChoices[Point]>>,
): void {
  const isInvalid = status === 400 || status === 422;
  t.observe(point, choices[ok ? 'ok' : status] ?? (isInvalid ? choices.invalid : undefined));
}

/** The same for choices named after statuses: `accepted` or "200" for any success. */
export function observeStatus(t: TestContext, point: keyof DialectChoices, response: ApiResponse): void {
  const { choices } = openPoints.find(({ id }) => id === point)!;
  const names = response.ok ? ['accepted', '200'] : [String(response.status)];
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
