import { operations } from '../../../../spec/generated/operations.js';
import { isActive } from '../../../../spec/vocabulary.js';
import { readField, show } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { createRequest } from '../../operations/requests.js';
import { findListed, LONGEST_LIST, readEvents, type TaskHandle } from '../../test-case/read-task.js';
import {
  describeRequest,
  expectRead,
  readUntil,
  requireFollowUp,
  requireSuccess,
  sendAndCheck,
} from '../../test-case/requests.js';
import { expectCompletion, SCRIPT } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

/** Operations on one task. */
export const OF_TASKS = Object.values(operations).filter(({ path }) => path.includes('{task_id}'));

/** Maximum length by query. Section "Limits". */
const LIMITS = [
  { query: { l: 1 }, most: 1 },
  { query: { l: 2 }, most: 2 },
  { query: {}, most: 32 },
];

const list: TestCase = {
  id: 'resources/task-list',
  title:
    'Tasks are listed with the id and status that polls show, polled or not, and no more of them than requested',
  covers: ['TASK-15', 'LIMIT-01', 'TASK-01', 'TASK-02', 'TASK-05'],
  operations: ['createTask', 'listTasks', 'getTask', 'deleteTask'],
  tasks: 5,
  async run(t) {
    const began = t.now();
    const session = await t.createTask({ task: null });
    const other = await t.createTask({ task: null });
    const unpolled = await t.createTask({ task: t.text('one-shot') });
    const task = await t.createTask({ task: t.text('one-shot') });
    await t.pollUntil(session, ({ status }) => status === 'running');
    const all = await expectListed(t, session);
    await expectListed(t, other);
    const length = Array.isArray(all.r) ? all.r.length : 0;
    for (const { query, most } of LIMITS) {
      const what = `GET /task with ${show(query)} where there are ${length}`;
      const response = await t.send('listTasks', { query });
      requireFollowUp(t, 'LIMIT-01', response, what);
      const { r } = response;
      const isShort = Array.isArray(r) && r.length <= most && r.length > 0;
      const got = Array.isArray(r) ? `${r.length}` : summarize(response);
      t.expect('LIMIT-01', isShort, `${what}: expected 1 to ${most} tasks, got ${got}`, all, response);
    }
    if (await expectCompletion(t, task)) {
      await expectListed(t, task);
      await expectListedUnpolled(t, unpolled, t.now() - began);
    }
    const cancelled = await t.cancel(session);
    if (cancelled.ok && (await t.pollUntilEnd(session))) await expectListed(t, session);
    for (const time of [Math.floor(t.now() / 1000), 0]) {
      const paged = await t.send('listTasks', { query: { t: time, l: 2 } });
      const message = `GET /task with t=${time}: expected an array, got ${summarize(paged)}`;
      t.expect('TASK-15', paged.ok && Array.isArray(paged.r), message, paged);
    }
    await expectSelectedFirst(t, all);
  },
};

/** Rows that `l` selects together with `t`, at most: several, as a service may leave out tasks without data after it has counted them. */
const SELECTED = 4;

/** What `t` selects is open (`task.list-t`), but `l` limits that and nothing else. */
async function expectSelectedFirst(t: TestContext, { r }: ApiResponse): Promise<void> {
  const rows = Array.isArray(r) ? r : [];
  const l = Math.min(SELECTED, Math.floor((rows.length - 1) / 2));
  // In either order of the list, tasks are created before this one and others after it.
  const time = readField(rows[l], 'created_at');
  if (typeof time !== 'number' || !Number.isSafeInteger(time)) return;
  const selected = await t.send('listTasks', { query: { t: time } });
  const first = await t.send('listTasks', { query: { t: time, l } });
  const [all, some] = [selected, first].map((each) => (Array.isArray(each.r) ? each.r.length : 0));
  const message = `GET /task with t=${time} and l=${l}: expected the first of the ${all} tasks that t=${time} selects, got none`;
  if (selected.ok && first.ok && l > 0 && all! >= l && some === 0)
    t.fail('TASK-15', message, selected, first);
}

/** The list contains the task with its id, and with the status that polls show. */
async function expectListed(t: TestContext, task: TaskHandle): Promise<ApiResponse> {
  const { status } = task;
  const readListedStatus = (response: ApiResponse) => readField(findListed(response, task.id), 'status');
  const readList = () => t.send('listTasks', { query: { l: LONGEST_LIST } });
  const response = await readUntil(t, readList, (each) => readListedStatus(each) === status);
  requireSuccess(t, 'TASK-15', response, `GET /task?l=${LONGEST_LIST}`);
  if (!Array.isArray(response.r)) return response;
  const first = readField(response.r[0], 'id');
  if (typeof first === 'string' && first !== '') {
    const found = await t.send('getTask', { path: { task_id: first } });
    const isFound = `the list has a task with the id ${show(first)}: expected it to be found by that, got ${summarize(found)}`;
    // A concurrent case may have deleted it.
    const isUnlisted = (list: ApiResponse) => findListed(list, first) === undefined;
    const isGone = found.status === 404 && isUnlisted(await readUntil(t, readList, isUnlisted));
    if (!isGone) t.expect('TASK-01', found.status !== 404, isFound, response, found);
  }
  const isThere = findListed(response, task.id) !== undefined;
  // In a full list it may be beyond the end: the order is open.
  if (!isThere && response.r.length >= LONGEST_LIST) return response;
  const shown = [task.last, response];
  const there = `GET /task: expected the task ${show(task.id)}, got ${summarize(response)}`;
  if (!t.expect('TASK-15', isThere, there, ...shown)) return response;
  const listed = readListedStatus(response);
  const isSame = isActive(status) ? isActive(String(listed)) : listed === status;
  const same = `GET /task: expected the task ${show(task.id)} to be ${status} as in a poll, got ${show(listed)}`;
  t.expect(['TASK-02', 'TASK-15'], isSame, same, ...shown);
  return response;
}

/** The list shows that the task is over without a poll of it. One may end between the list and its poll; two in a row do not. */
async function expectListedUnpolled(t: TestContext, first: TaskHandle, takesMs: number): Promise<void> {
  if (!(await findLateListing(t, first))) return;
  const second = await t.createTask({ task: t.text('one-shot') });
  await t.sleep(2 * takesMs);
  const late = await findLateListing(t, second);
  const message = `GET /task listed two tasks as not over until a poll showed that they were, and only then as ${second.status}: expected the status that they have`;
  if (late) t.fail('TASK-15', message, ...late);
}

/** The list shows the task as active until a poll shows that it is over, and as over afterwards. */
async function findLateListing(t: TestContext, task: TaskHandle): Promise<ApiResponse[] | undefined> {
  const readList = () => t.send('listTasks', { query: { l: LONGEST_LIST } });
  const isListedActive = (response: ApiResponse) =>
    isActive(String(readField(findListed(response, task.id), 'status')));
  const before = await readUntil(t, readList, (response) => !isListedActive(response));
  await t.poll(task);
  if (!isListedActive(before) || isActive(task.status)) return undefined;
  const after = await readList();
  return isListedActive(after) ? undefined : [before, task.last, after];
}

const visibility: TestCase = {
  id: 'resources/task-visibility',
  title: 'The visibility of a task is read, set, kept and restored',
  covers: ['TASK-19', 'TASK-20'],
  operations: ['createTask', 'getTaskVisibility', 'setTaskVisibility', 'deleteTask'],
  tasks: 2,
  async run(t) {
    const [task, other] = [await t.createTask({ task: null }), await t.createTask({ task: null })];
    const readVisibility = (id = task.id) => t.send('getTaskVisibility', { path: { task_id: id } });
    const before = await readVisibility();
    requireSuccess(t, 'TASK-19', before, 'GET /task/{task_id}/visibility');
    const others = await readVisibility(other.id);
    const first = before.r !== true;
    for (const value of [first, !first, first]) {
      const sending = { path: { task_id: task.id }, query: { visibility: value } };
      const changed = await sendAndCheck(t, 'TASK-20', 'setTaskVisibility', sending, requireFollowUp);
      // A rule compares it with the one that was set.
      await readUntil(t, readVisibility, ({ r }) => r === value);
      const untouched = await readVisibility(other.id);
      const message = `the visibility of another task changed too: it was ${summarize(others)} and is ${summarize(untouched)}`;
      if (untouched.r !== others.r) t.fail('TASK-20', message, changed, untouched);
    }
    const path = { task_id: task.id };
    const refused = await t.send('setTaskVisibility', {
      path,
      query: { visibility: 'perhaps' },
      mayBeRefused: true,
    });
    // A rule compares it with the one that was set.
    if (!refused.ok) await readVisibility();
    for (const each of [task, other]) await t.cancel(each);
    if (await t.pollUntilEnd(task)) await readVisibility();
  },
};

const data: TestCase = {
  id: 'resources/task-data',
  title: 'All data of a terminal task are deleted on request, and none of another one',
  covers: ['TASK-21'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'deleteTask', 'deleteTaskData', 'listTasks'],
  tasks: 3,
  async run(t) {
    const task = await t.createTask({ task: t.text('one-shot') });
    const other = await t.createTask({ task: null });
    // It has an event, and no output.
    const session = await t.createTask({ task: null });
    const { id } = await t.act(session, 'evaluate_js', SCRIPT, { mayBeRefused: true });
    await t.awaitResult(session, id);
    const known = readEvents(await t.poll(session, 0)).length;
    const early = await t.send('deleteTaskData', { path: { task_id: session.id }, mayBeRefused: true });
    if (!early.ok) {
      const still = await t.poll(session, 0);
      const lost = `GET /task/{task_id} after the deletion of its data was refused: expected all ${known} events, got ${summarize(still)}`;
      if (still.ok) t.expect('TASK-21', readEvents(still).length >= known, lost, early, still);
    }
    await t.act(session, 'close', undefined, { mayBeRefused: true });
    const deleted = await expectErased(t, task);
    // Whether the data of a task that was stopped can be deleted is not stated; whether it can be read at the end, other cases judge.
    const isDone = (await t.pollUntilEnd(session)) && session.status === 'done';
    if (!early.ok && isDone && (await t.poll(session, 0)).ok) await expectErased(t, session);
    const untouched = await t.poll(other, 0);
    const message = `the data of another task went too: it was there and is now ${summarize(untouched)}`;
    if (!untouched.ok) t.fail('TASK-21', message, other.created, deleted, untouched);
    await t.cancel(other);
  },
};

/** Deletes the data of the task, when it is over. */
async function expectErased(t: TestContext, task: TaskHandle): Promise<ApiResponse> {
  if (!(await t.pollUntilEnd(task))) {
    await t.cancel(task);
    if (!(await t.pollUntilEnd(task))) t.inconclusive('the task did not end, so its data remain');
  }
  const path = { task_id: task.id };
  const kept = await t.poll(task, 0);
  requireFollowUp(t, 'TASK-21', kept, 'GET of a task that is over');
  const deleted = await sendAndCheck(t, 'TASK-21', 'deleteTaskData', { path }, requireFollowUp);
  const isGone = (response: ApiResponse) => listRemaining(response, kept).length === 0;
  const expected = `GET /task/{task_id} after its data were deleted: expected none of its output and events`;
  const readAgain = () => t.send('getTask', { path });
  const read = await expectRead(t, 'TASK-21', readAgain, isGone, expected, kept, deleted);
  if (read.status === 404) await expectUnlisted(t, task, deleted);
  await expectNoServerError(t, task);
  return deleted;
}

/** Which requests about a task without data are accepted is not stated. */
async function expectNoServerError(t: TestContext, task: TaskHandle): Promise<void> {
  for (const { id } of OF_TASKS) {
    const response = await t.send(id, createRequest(t, id, { task_id: task.id, id: t.unique() }));
    const message = `${describeRequest(id)} after the data of the task were deleted: expected a success or a refusal, got ${summarize(response)}`;
    if (response.status === 500) t.fail('TASK-21', message, response);
  }
}

/** A deleted task is not listed with any limit. */
async function expectUnlisted(t: TestContext, { id }: TaskHandle, deleted: ApiResponse): Promise<void> {
  const hasTask = (response: ApiResponse) => findListed(response, id) !== undefined;
  const readList = () => t.send('listTasks', { query: { l: LONGEST_LIST } });
  const listed = await readUntil(t, readList, (response) => !hasTask(response));
  const message = `GET /task?l=${LONGEST_LIST} after the data of the task ${id} were deleted: expected it to be gone, as it is for GET /task/{task_id}`;
  if (hasTask(listed)) t.fail('TASK-21', message, deleted, listed);
}

/** Fields with unchanged results of a task. An address may remain: it does not show its content. */
function listRemaining(response: ApiResponse, before: ApiResponse): string[] {
  if (!response.ok) return [];
  return ['output', 'events'].filter((name) => {
    const now = readField(response.r, name);
    const isEmpty =
      now === undefined || now === null || now === '' || (Array.isArray(now) && now.length === 0);
    return !isEmpty && JSON.stringify(now) === JSON.stringify(readField(before.r, name));
  });
}

export const taskResourceCases: readonly TestCase[] = [list, visibility, data];
