import type { DialectChoices } from '../../../spec/generated/documents.js';
import type { ApiResponse } from '../http-client/response.js';
import { eventsOf, idOf, isActive, statusOf } from '../test-case/read-task.js';
import type { TaskHandle, TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { observeBeginning } from './beginning.js';
import { APART_MS, observeLists, placeOf } from './lists.js';
import { observe, observeStatus } from './observe.js';
import { emptyEvents } from './results.js';

/** A poll without news that takes so long is held on purpose, ms; longer where everything takes long. */
const HELD_MS = 1000;
const TIMES_AS_LONG = 5;

/**
 * `task.first-status`, `task.live-url-first`, `task.unknown-fields`, `task.created-at`, `task.list-order`,
 * `task.list-t`, `task.delete-data-active`, `poll.long-poll`, `poll.events-when-empty`, `empty-body.shape`.
 */
export const newSessions: TestCase = {
  id: 'polling/point-new-sessions',
  title:
    'What new sessions look like, how they are listed, and what becomes of a poll that has nothing to tell',
  covers: ['TASK-15', 'TASK-17'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'listTasks', 'deleteTask', 'deleteTaskData'],
  tasks: 2,
  async run(t) {
    const older = await t.createTask({ task: null });
    const begun = t.now();
    await observeBeginning(t, older);
    await t.sleep(Math.max(0, APART_MS - (t.now() - begun)));
    const newer = await another(t);
    const list = await observeLists(t, older, newer);
    if (placeOf(list, newer) >= 0) t.expect('TASK-15', true, '', list);
    observeStatus(t, 'task.delete-data-active', await deleteData(t, newer));
    await stop(t, older);
  },
};

/** `task.unknown-fields`: one that has such a field, or else one that has not. */
async function another(t: TestContext): Promise<TaskHandle> {
  const body = { task: null, taskdouble_unknown_field: 'x' };
  // Not through the player: a refusal is one of the choices.
  const answer = await t.send('createTask', { body });
  if (!answer.ok) {
    if (answer.status === 422) observe(t, 'task.unknown-fields', 'refused', answer);
    return t.createTask({ task: null });
  }
  observe(t, 'task.unknown-fields', 'ignored', answer);
  const id = idOf(answer);
  return id === undefined ? t.inconclusive('POST /task gave no task with an id') : t.adoptTask(answer, id);
}

async function deleteData(t: TestContext, task: TaskHandle): Promise<ApiResponse> {
  if (task.status !== 'running') await t.pollUntil(task, ({ status }) => status === 'running');
  return t.send('deleteTaskData', { path: { task_id: task.id } });
}

/** A poll without news, then the news that the session is over: `poll.long-poll` and what an empty answer looks like. */
async function stop(t: TestContext, session: TaskHandle): Promise<void> {
  const before = t.now();
  await t.send('listTasks', { query: { l: 1 } });
  const patience = Math.max(HELD_MS, TIMES_AS_LONG * (t.now() - before));
  let isAnswered = false;
  const poll = t.poll(session);
  const settled = poll.finally(() => {
    isAnswered = true;
  });
  await Promise.race([settled.catch(() => {}), t.sleep(patience)]);
  // Where everything has come to a stop, this waits as well.
  if (!isAnswered) await t.send('listTasks', { query: { l: 1 } });
  const wasHeld = !isAnswered;
  const stopped = await t.cancel(session);
  const answer = await poll;
  if (eventsOf(answer).length === 0) {
    observe(t, 'poll.events-when-empty', emptyEvents(answer), answer);
    const isNews = !isActive(statusOf(answer) ?? 'running');
    if (wasHeld === isNews) observe(t, 'poll.long-poll', wasHeld ? 'on' : 'off', answer);
  }
  if (!stopped.ok) return;
  observe(t, 'empty-body.shape', BODIES[JSON.stringify(stopped.body)], stopped);
  if (await t.pollUntilEnd(session)) t.expect('TASK-17', true, '', stopped, session.last);
}

const BODIES: Readonly<Record<string, DialectChoices['empty-body.shape']>> = {
  '{"r":true}': 'r-true',
  '{}': 'empty-object',
  null: 'null',
};
