import type { OperationId } from '../../../../spec/generated/operations.js';
import { isActive } from '../../../../spec/vocabulary.js';
import { readField, show } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { createRequest, listUsedOperations } from '../../operations/requests.js';
import type { ResourceNames } from '../../operations/resources.js';
import { getSharedWorkspace, selectWorkspace, WORKSPACE_IDS } from '../../operations/shared-workspaces.js';
import { awaitToolCall } from '../../test-case/await-events.js';
import { containsText, createUnknownId, readId, readPayload } from '../../test-case/read-record.js';
import { findListed, isActionResult, LONGEST_LIST, readTaskId } from '../../test-case/read-task.js';
import { describeRequest, readUntil, sendAndCheck } from '../../test-case/requests.js';
import {
  createWeather,
  createWeatherTask,
  pollRepeatedly,
  SCRIPT,
  sendReply,
} from '../../test-case/task-steps.js';
import type { KeyName, TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { requirePatience } from '../../test-case/tool-steps.js';
import { chats } from '../resources/chats.js';
import { createNamed, isAbout, type Lifecycle } from '../resources/lifecycle.js';
import { automations, extensions, files, profiles, sops } from '../resources/lifecycles.js';
import { OF_TASKS } from '../resources/tasks.js';

/** Sends a request about resources of the key `main` with this key. */
function sendAs(
  t: TestContext,
  key: KeyName,
  operation: OperationId,
  names: ResourceNames,
): Promise<ApiResponse> {
  return t.send(operation, { ...createRequest(t, operation, names), key });
}

/** Data of the owner must not be shown to another organisation. Returns the owner's response. */
async function expectHidden(
  t: TestContext,
  operation: OperationId,
  names: ResourceNames,
  holds: (response: ApiResponse) => boolean,
): Promise<ApiResponse> {
  const mine = await readUntil(t, () => sendAs(t, 'main', operation, names), holds);
  if (!mine.ok || !holds(mine)) return mine;
  const theirs = await sendAs(t, 'other', operation, names);
  const message = `${describeRequest(operation)} with the key of another organisation: expected nothing of what only the owner has, got ${summarize(theirs)}`;
  t.expectHidden('SERVICE-04', !theirs.ok || !holds(theirs), message, mine, theirs);
  return mine;
}

const DAY_MS = 86_400_000;

const ONE_OF_OTHER = { query: { l: 1 }, key: 'other' } as const;

const countRows = (list: ApiResponse | undefined) => (Array.isArray(list?.r) ? list.r.length : undefined);

/** The list of the other organisation, limited to one task that is its own. Undefined if that is not listed. */
async function listTheirFirst(t: TestContext): Promise<ApiResponse | undefined> {
  const request = { body: { task: null }, key: 'other', mayBeRefused: true } as const;
  const created = await t.send('createTask', t.amend('createTask', request));
  const id = readTaskId(created);
  if (id !== undefined) t.adoptTask(created, id, 'other');
  const first = await t.send('listTasks', ONE_OF_OTHER);
  return countRows(first) === 1 ? first : undefined;
}

const tasks: TestCase = {
  id: 'auth/tasks-of-another-organisation',
  title: 'A task is unknown to another organisation in every operation, and continues',
  covers: ['SERVICE-04'],
  operations: ['createTask', 'listTasks', ...OF_TASKS.map(({ id }) => id)],
  tasks: 2,
  keys: ['other'],
  async run(t) {
    const theirFirst = await listTheirFirst(t);
    const task = await t.createTask({ task: null });
    const names = { task_id: task.id, id: t.unique() };
    const still = theirFirst && (await t.send('listTasks', ONE_OF_OTHER));
    const displaced =
      'GET /task with l=1 and the key of another organisation, after the owner created a task: expected a task of that organisation as before, got none';
    // If both tasks have one id, the second replaced the first.
    const isOwn = theirFirst && findListed(theirFirst, task.id) === undefined;
    if (isOwn && countRows(still) === 0) t.fail('SERVICE-04', displaced, theirFirst, still!);
    const before = await t.poll(task);
    if (!before.ok) t.inconclusive(`the task is not known to its owner: ${summarize(before)}`);
    const listed = await expectHidden(t, 'listTasks', {}, (list) => findListed(list, task.id) !== undefined);
    for (const query of [{ t: 0 }, { t: Math.floor(t.now()) + DAY_MS }, { l: LONGEST_LIST }]) {
      const theirs = await t.send('listTasks', { query, key: 'other' });
      const found = findListed(theirs, task.id) !== undefined;
      const message = `GET /task with ${show(query)} and the key of another organisation: expected no task of the owner, got ${summarize(theirs)}`;
      t.expectHidden('SERVICE-04', !found, message, listed, theirs);
    }
    const expectUnknown = async (operation: OperationId) => {
      const theirs = await sendAs(t, 'other', operation, names);
      const message = `${describeRequest(operation)} with the key of another organisation: expected the task to be unknown, got ${summarize(theirs)}`;
      t.expectHidden('SERVICE-04', theirs.status >= 400 && theirs.status < 500, message, before, theirs);
    };
    for (const { id } of OF_TASKS) await expectUnknown(id);
    // At once: how long an idle session stays open is not stated.
    const kept = await t.poll(task);
    const stopped = `the task "${task.id}" after another organisation tried to stop it: expected it to continue, got ${summarize(kept)}`;
    t.expect('SERVICE-04', kept.ok && isActive(task.status), stopped, before, kept);
    const payload = { name: 'evaluate_js', input: SCRIPT };
    const event = { name: 'browser_action', id: t.unique(), timestamp: Math.floor(t.now()), payload };
    const path = { task_id: task.id };
    const theirs = await t.send('sendTaskEvent', { path, body: event, key: 'other', mayBeRefused: true });
    for await (const _ of pollRepeatedly(t, task, 3));
    const after = await t.poll(task, 0);
    const carried = `the task "${task.id}" after an action of another organisation: expected no result of it, got ${summarize(after)}`;
    const isCarriedOut = task.events.some((each) => isActionResult(each, event.id));
    t.expectHidden('SERVICE-04', !isCarriedOut, carried, theirs, after);
    await t.cancel(task);
    // The owner may delete the data of a task that is over.
    if (await t.pollUntilEnd(task)) await expectUnknown('deleteTaskData');
  },
};

/** A service may end a task whose call has waited this long for a reply, ms. */
const OLD_MS = 20_000;

const replies: TestCase = {
  id: 'auth/replies-of-another-organisation',
  title: 'A reply of another organisation to a call is refused, and the task waits for its own',
  covers: ['SERVICE-04'],
  parts: ['tools'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'updateTask', 'deleteTask'],
  tasks: 2,
  keys: ['other'],
  async run(t) {
    const task = await createWeatherTask(t);
    const call = await awaitToolCall(t, task);
    const began = t.now();
    const { output } = createWeather(t);
    const path = { task_id: task.id };
    const payload = { code: 200, output };
    const event = { name: 'tool_call', id: call.id, timestamp: Math.floor(t.now()), payload };
    const tool_response = { id: call.id, code: 200, output: JSON.stringify(output) };
    const known = task.events.length;
    for (const [operation, body] of [
      ['sendTaskEvent', event],
      ['updateTask', { tool_response }],
    ] as const) {
      const theirs = await t.send(operation, { path, body, key: 'other' });
      const message = `${describeRequest(operation)} with a reply of another organisation: expected the task to be unknown, got ${summarize(theirs)}`;
      t.expectHidden('SERVICE-04', theirs.status >= 400 && theirs.status < 500, message, task.last, theirs);
    }
    for await (const _ of pollRepeatedly(t, task, 3));
    if (task.status === 'failed' || (!isActive(task.status) && t.now() - call.timestamp >= OLD_MS))
      t.inconclusive(
        `the task ended as ${task.status} ${OLD_MS / 1000} s or more after its call, which polls listed late: the service may have given up the call`,
      );
    const isWaiting = isActive(task.status) && task.events.length === known;
    if (!isWaiting) await requirePatience(t, () => createWeatherTask(t), t.now() - began);
    const message = `the task after a reply of another organisation: expected it to wait for a reply of its own, got ${summarize(task.last)}`;
    t.expect('SERVICE-04', isWaiting, message, task.created, task.last);
    if (isWaiting) await sendReply(t, task, call, createWeather(t), 'SERVICE-04');
    await t.cancel(task);
  },
};

const OWNED: readonly Lifecycle[] = [profiles, extensions, files, sops, automations, chats];

const owned = OWNED.map((row): TestCase => {
  const { resource, what, create, list, read, changes = [], remove } = row;
  const used = [list, read, ...changes, remove].filter((operation) => operation !== undefined);
  return {
    id: `auth/${resource}s-of-another-organisation`,
    title: `A ${what} is neither shown to another organisation nor changed or removed by it`,
    covers: ['SERVICE-04'],
    operations: [...new Set([...listUsedOperations(create), ...used])],
    tasks: row.about.tasks ?? 0,
    keys: ['other'],
    async run(t) {
      const made = await createNamed(t, row);
      const isVisible = (response: ApiResponse) => isAbout(row, response, made);
      const shown = [list, read].filter((operation) => operation !== undefined);
      const telling: OperationId[] = [];
      for (const operation of shown)
        if (isVisible(await expectHidden(t, operation, made.names, isVisible))) telling.push(operation);
      if (shown.length > 0 && telling.length === 0)
        t.inconclusive(`no response shows the owner which ${what} is which`);
      // A success without effect is allowed; the resource has to be unchanged.
      const before = read && (await sendAs(t, 'main', read, made.names));
      for (const operation of [...changes, remove]) await sendAs(t, 'other', operation, made.names);
      // An id that the client chooses may be used in both organisations.
      if (row.resource === 'profile') {
        await t.send(create, { body: { id: made.id }, key: 'other', mayBeRefused: true });
        await sendAs(t, 'other', remove, made.names);
      }
      const left = await Promise.all(telling.map((operation) => sendAs(t, 'main', operation, made.names)));
      const mine = await sendAs(t, 'main', remove, made.names);
      const message = `the ${what} "${made.id}" after another organisation tried to remove it: expected its owner to find it, got ${summarize(mine)}`;
      t.expect('SERVICE-04', mine.ok && left.every(isVisible), message, made.created, ...left, mine);
      const readTitle = (response: ApiResponse) => readField(readPayload(response), 'title');
      const changed = `the title of the ${what} "${made.id}" after another organisation tried to change it: expected it as before, got ${summarize(left.at(-1) ?? mine)}`;
      if (before && left.length > 0 && readTitle(before) !== readTitle(left.at(-1)!))
        t.fail('SERVICE-04', changed, before, ...left);
    },
  };
});

/** The fields of a task that name resources. */
const NAMING = [
  { row: files, name: (id: string) => ({ files: [id] }) },
  { row: profiles, name: (id: string) => ({ profile_id: id }) },
];

const named = NAMING.map(
  ({ row, name }): TestCase => ({
    id: `auth/${row.resource}s-in-a-task-of-another-organisation`,
    title: `A ${row.what} is as unknown in a task of another organisation as one that never existed`,
    covers: ['SERVICE-04'],
    operations: [...listUsedOperations(row.create), row.remove, 'createTask', 'deleteTask'],
    tasks: 3,
    keys: ['other'],
    async run(t) {
      const { id, created } = await createNamed(t, row);
      const createTask = async (key: KeyName, named: string) => {
        const body = { task: t.text('long'), ...name(named) };
        const response = await t.send('createTask', t.amend('createTask', { body, key, mayBeRefused: true }));
        const task = readTaskId(response);
        if (task !== undefined) t.adoptTask(response, task, key);
        return response;
      };
      const mine = await createTask('main', id);
      const unknown = await createTask('other', createUnknownId(id));
      const isRefused = ({ status }: ApiResponse) => status === 400 || status === 404 || status === 422;
      if (!mine.ok || !isRefused(unknown))
        t.inconclusive(`tasks do not show which ${row.what} exists: ${summarize(unknown)}`);
      const theirs = await createTask('other', id);
      const message = `POST /task of another organisation with the ${row.what} "${id}": expected a refusal as for an unknown one (${summarize(unknown)}), got ${summarize(theirs)}`;
      t.expectHidden('SERVICE-04', !theirs.ok, message, created, mine, unknown, theirs);
    },
  }),
);

const workspaces: TestCase = {
  id: 'auth/workspaces-of-another-organisation',
  title: 'A workspace is unknown to another organisation',
  covers: ['SERVICE-04'],
  operations: ['createWorkspace', 'getWorkspace'],
  keys: ['other'],
  async run(t) {
    const { id, name } = await getSharedWorkspace(t);
    await sendAndCheck(t, 'WORKSPACE-01', 'getWorkspace', selectWorkspace(id));
    const isVisible = (response: ApiResponse) =>
      containsText(readPayload(response), name) || readId(readPayload(response), WORKSPACE_IDS) === id;
    await expectHidden(t, 'getWorkspace', { 'workspace-id': id }, isVisible);
  },
};

const similarKey: TestCase = {
  id: 'auth/similar-key',
  title: 'A task is unknown to a key that begins with the key of its organisation, or that it begins with',
  covers: ['AUTH-06'],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(t) {
    const task = await t.createTask({ task: null });
    const mine = await t.poll(task);
    if (!mine.ok) t.inconclusive(`the task is not known to its owner: ${summarize(mine)}`);
    const { main } = t.target.keys;
    for (const [what, value] of [
      ['one more character', `${main}0`],
      ['its last character missing', main.slice(0, -1)],
    ] as const) {
      const theirs = await t.send('getTask', { path: { task_id: task.id }, key: { value } });
      const message = `GET /task/{task_id} with the key and ${what}: expected a refusal, got ${summarize(theirs)}`;
      t.expectHidden('AUTH-06', theirs.status >= 400 && theirs.status < 500, message, mine, theirs);
    }
    await t.cancel(task);
  },
};

export const isolationCases: readonly TestCase[] = [
  tasks,
  replies,
  ...owned,
  ...named,
  workspaces,
  similarKey,
];
