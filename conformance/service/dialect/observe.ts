import { type DialectChoices, openPoints } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { type Fields, readField, toFields } from '../../conversation/json.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import { attempt } from '../operations/requests.js';
import type { KeyName, TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

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

/** The task that a request is about, and the id of an event or profile in its body. */
interface Subject {
  task_id?: string;
  id?: string;
}

/** `refusals`: statuses that refuse the input, where no choice is named after them. Default 422. */
type StatusRow = readonly [
  operation: OperationId,
  create: (t: TestContext, subject: Subject) => ApiRequest,
  refusals?: readonly number[],
];

/** Requests whose status shows the choice of a target, by open point. */
const ROWS = {
  'auth.missing-key': ['listTasks', () => ({ query: { l: 1 }, key: null })],
  'auth.invalid-key': ['listTasks', (t) => ({ query: { l: 1 }, key: { value: `invalid-${t.unique()}` } })],
  'errors.invalid-parameters': ['listTasks', () => ({ query: { l: 0 }, mayBeRefused: true })],
  'org.invite-address': ['inviteUser', (t) => ({ query: { email: t.unique() } }), [400, 422]],
  'profile.duplicate': ['createProfile', (_, { id }) => ({ body: { id }, mayBeRefused: true })],
  'profile.empty-id': ['createProfile', () => ({ body: { id: '' }, mayBeRefused: true }), [400, 422]],
  'profile.unknown-in-task': ['createTask', (t, { id }) => createSession(t, { profile_id: id })],
  'file.unknown-in-task': ['createTask', (t) => createSession(t, { files: [t.unique()] })],
  'extension.unknown-in-task': ['createTask', (t) => createSession(t, { extensions: [t.unique()] })],
  'task.unknown-fields': ['createTask', (t) => createSession(t, { taskdouble_unknown_field: 'x' })],
  'task.delete-data-active': ['deleteTaskData', (_, { task_id }) => ({ path: { task_id: task_id! } })],
  'task.delete-finished': [
    'deleteTask',
    (_, { task_id }) => ({ path: { task_id: task_id! }, mayBeRefused: true }),
  ],
  'event.missing-id': ['sendTaskEvent', (t, about) => createEvent(t, about, { id: undefined })],
  'event.missing-timestamp': ['sendTaskEvent', (t, about) => createEvent(t, about, { timestamp: undefined })],
  'errors.content-type': ['sendTaskEvent', (t, about) => convertToText(createEvent(t, about))],
  'event.action-to-one-shot': ['sendTaskEvent', createEvent],
  'session.event-after-close': ['sendTaskEvent', createEvent],
  'event.unknown-tool-reply': ['sendTaskEvent', (t, about) => createReply(t, { ...about, id: t.unique() })],
  'event.odd-reply-code': ['sendTaskEvent', (t, about) => createReply(t, about, 501)],
  'event.to-finished-task': ['sendTaskEvent', createReply],
} satisfies Partial<Record<keyof DialectChoices, StatusRow>>;

/** A script as an action. */
export const SUM = { name: 'evaluate_js', input: { js: '1 + 1' } };

/** POST /task/{task_id}/event with an action, and with these fields in place of its own. */
export function createEvent(
  t: TestContext,
  { task_id, id = t.unique() }: Subject,
  fields: object = {},
): ApiRequest {
  const body = { name: 'browser_action', id, payload: SUM, timestamp: t.now(), ...fields };
  return { path: { task_id: task_id! }, body, mayBeRefused: true };
}

function createReply(t: TestContext, about: Subject, code = 200): ApiRequest {
  return createEvent(t, about, { name: 'tool_call', payload: { code, output: 'x' } });
}

function convertToText({ body, ...request }: ApiRequest): ApiRequest {
  return { ...request, raw: { content: JSON.stringify(body), type: 'text/plain' } };
}

/** Sends the request of a point, and records the choice. `isShown`: whether a success shows one. */
export async function observeStatus(
  t: TestContext,
  point: keyof typeof ROWS,
  subject: Subject = {},
  isShown: (response: ApiResponse) => boolean = () => true,
): Promise<ApiResponse> {
  const [operation, create, refusals]: StatusRow = ROWS[point];
  const response = await attempt(t, operation, create(t, subject));
  if (!response.ok || isShown(response)) recordStatus(t, point, response, refusals);
  return response;
}

/** Names of choices that a success shows, and names of those that a refusal of the input shows. */
const ACCEPTED = ['accepted', '200', 'ignored', 'generated', 'any-text', 'read', 'first-counts'];
const REFUSED = ['refused', 'checked'];

/** Records the choice that the status of a response shows. */
export function recordStatus(
  t: TestContext,
  point: keyof DialectChoices,
  { ok, status }: ApiResponse,
  refusals: readonly number[] = [422],
): void {
  const { choices } = openPoints.find(({ id }) => id === point)!;
  const names = ok ? ACCEPTED : [String(status), ...(refusals.includes(status) ? REFUSED : [])];
  t.observe(point, names.find((name) => Object.hasOwn(choices, name)) as never);
}
