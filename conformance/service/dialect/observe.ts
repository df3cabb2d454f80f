import { type Fields, readField, toFields } from '../../conversation/json.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import { attempt } from '../operations/requests.js';
import type { TaskHandle } from '../test-case/read-task.js';
import type { KeyName, TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

/** The largest list of tasks. Section "Limits". */
export const MAX_TASKS = 128;

/** Requests that detect the choices of a target at open points. Without judgement; ends if a point cannot be detected. */
export type Observation = Omit<TestCase, 'covers'>;

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

/** POST /task for a session; with additional fields it may be refused. */
export function createSession(t: TestContext, more?: object, key: KeyName = 'main'): ApiRequest {
  const takes = key === 'free' ? [429] : [];
  const { body, ...session } = t.amend('createTask', { body: { task: null }, key, takes });
  return { ...session, body: { ...body, ...more }, ...(more && { mayBeRefused: true }) };
}

/** The same, sent. The session is removed when the case ends. */
export function sendSession(t: TestContext, more?: object, key?: KeyName): Promise<ApiResponse> {
  return attempt(t, 'createTask', createSession(t, more, key));
}

/** An action that every browser supports. */
export function createGoto(t: TestContext): [name: string, input: { url: string }] {
  return ['goto', { url: t.text('page') }];
}
