import type { EventName } from '../../../spec/vocabulary.js';
import type { Probing } from '../cases/test-case.js';
import { textFor } from '../cases/texts.js';
import type { Answer } from '../http-client/response.js';
import { isActive } from '../scenarios/player-read.js';
import type { Played } from '../scenarios/player-types.js';
import { textIn } from './observe.js';

/** What every browser can do. */
export const goto = ({ settings }: Probing) => ({ name: 'goto', input: { url: textFor(settings, 'page') } });
export const SUM = { name: 'evaluate_js', input: { js: '1 + 1' } };

/** An event as a client sends it; whatever is left out is left out. */
export interface Sent {
  id?: string;
  name?: EventName;
  payload: object;
  timestamp?: number;
}

/** POST /task/{task_id}/event, an action of the browser unless `name` says otherwise. */
export function sendEvent(t: Probing, task: Played, event: Sent): Promise<Answer> {
  const body = { name: 'browser_action', ...event };
  return t.send('sendTaskEvent', { path: { task_id: task.id }, body, key: task.key });
}

/** The same with an id of its own and the time of now. */
export async function sendNew(
  t: Probing,
  task: Played,
  payload: object,
): Promise<{ id: string; answer: Answer }> {
  const id = t.unique();
  return { id, answer: await sendEvent(t, task, { id, payload, timestamp: t.now() }) };
}

/** A session that takes actions. */
export async function openSession(t: Probing): Promise<Played> {
  const session = await t.player.create({ task: null });
  if (session.status !== 'running') await t.player.pollUntil(session, ({ status }) => status === 'running');
  if (session.status !== 'running')
    t.inconclusive(`a new session is ${session.status || 'without a status'}`);
  return session;
}

export function isOver({ status }: Played): boolean {
  return !isActive(status);
}

/** Sees to it that a task goes at the end which should not have been made, or was made past the player. */
export function removeTask(t: Probing, created: Answer, key: Played['key'] = 'main'): string | undefined {
  const task_id = textIn(created, 'id');
  if (task_id !== undefined)
    t.cleanup(`task ${task_id}`, () => t.send('deleteTask', { path: { task_id }, key }));
  return task_id;
}
