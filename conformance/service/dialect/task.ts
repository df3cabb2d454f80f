import type { EventName } from '../../../spec/vocabulary.js';
import type { ApiResponse } from '../http-client/response.js';
import { isActive } from '../test-case/read-task.js';
import type { TaskHandle } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { textFor } from '../test-case/texts.js';
import { textIn } from './observe.js';

/** What every browser can do. */
export const goto = ({ settings }: TestContext) => ({
  name: 'goto',
  input: { url: textFor(settings, 'page') },
});
export const SUM = { name: 'evaluate_js', input: { js: '1 + 1' } };

/** An event as a client sends it; whatever is left out is left out. */
export interface Sent {
  id?: string;
  name?: EventName;
  payload: object;
  timestamp?: number;
}

/** POST /task/{task_id}/event, an action of the browser unless `name` says otherwise. */
export function sendEvent(t: TestContext, task: TaskHandle, event: Sent): Promise<ApiResponse> {
  const body = { name: 'browser_action', ...event };
  return t.send('sendTaskEvent', { path: { task_id: task.id }, body, key: task.key });
}

/** The same with an id of its own and the time of now. */
export async function sendNew(
  t: TestContext,
  task: TaskHandle,
  payload: object,
): Promise<{ id: string; answer: ApiResponse }> {
  const id = t.unique();
  return { id, answer: await sendEvent(t, task, { id, payload, timestamp: t.now() }) };
}

/** A session that takes actions. */
export async function openSession(t: TestContext): Promise<TaskHandle> {
  const session = await t.createTask({ task: null });
  if (session.status !== 'running') await t.pollUntil(session, ({ status }) => status === 'running');
  if (session.status !== 'running')
    t.inconclusive(`a new session is ${session.status || 'without a status'}`);
  return session;
}

export function isOver({ status }: TaskHandle): boolean {
  return !isActive(status);
}

/** Sees to it that a task goes at the end which should not have been made, or was made past the player. */
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
