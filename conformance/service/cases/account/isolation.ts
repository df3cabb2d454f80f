import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import { field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { requestFor } from '../../request-builders/requests.js';
import { inWorkspace, workspaceOf } from '../../request-builders/workspaces.js';
import { mentions, payloadOf } from '../../test-case/read-record.js';
import { isActive, summarize } from '../../test-case/read-task.js';
import { carryOut } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { chats, isAboutChat } from '../resources/chats.js';
import { type CallerKey, make } from '../resources/lifecycle.js';
import { automations, extensions, files, profiles, sops } from '../resources/lifecycles.js';
import { expectIsolated, expectUnlisted } from '../resources/run-lifecycle.js';
import { listedTask } from '../resources/tasks.js';

/** Each organisation is the owner once. */
const SIDES: readonly (readonly [CallerKey, CallerKey])[] = [
  ['main', 'other'],
  ['other', 'main'],
];

/** Operations that name a task. */
const OF_TASKS = Object.values(operations).filter(({ path }) => path.includes('{task_id}'));

/** Another organisation has to be refused where the owner was not. */
function isRefused(t: TestContext, what: string, mine: ApiResponse, theirs: ApiResponse): boolean {
  const message = `${what} with the key of another organisation, while it is answered with the owner’s: expected it to be unknown, got ${summarize(theirs)}`;
  return t.expect('SERVICE-04', theirs.status >= 400 && theirs.status < 500, message, mine, theirs);
}

const tasks: TestCase = {
  id: 'auth/tasks-of-another-organisation',
  title: 'A task is unknown to another organisation wherever it can be named, and stays as it was',
  covers: ['SERVICE-04'],
  operations: ['createTask', 'listTasks', ...OF_TASKS.map(({ id }) => id)],
  tasks: 2,
  keys: ['other'],
  async run(t) {
    for (const [owner, stranger] of SIDES) await isUnknown(t, owner, stranger);
  },
};

async function isUnknown(t: TestContext, owner: CallerKey, stranger: CallerKey): Promise<void> {
  const task = await t.createTask({ task: null }, owner);
  const path = { task_id: task.id };
  const before = await t.poll(task);
  if (!before.ok) t.inconclusive(`the task is not known to its owner: ${summarize(before)}`);
  const list = (key: CallerKey) => t.send('listTasks', { query: { l: 128 }, key });
  const isThere = (response: ApiResponse) => listedTask(response, task.id) !== undefined;
  await expectUnlisted(t, 'GET /task', list, isThere, [owner, stranger]);
  const visible = await t.send('getTaskVisibility', { path, key: owner });
  const requests = OF_TASKS.map(({ id }) => ({
    id,
    ...requestFor(t, id, { task_id: task.id, id: t.unique() }),
  }));
  for (const { id, ...request } of requests)
    isRefused(t, id, before, await t.send(id, { ...request, key: stranger }));
  await t.sleep(t.settings.pollIntervalMs);
  const after = await t.poll(task, 0);
  const isSent = task.events.some(({ id }) => requests.some(({ body }) => field(body, 'id') === id));
  const isSame = after.ok && !isSent && isActive(task.status);
  const changed = `the task "${task.id}" after another organisation tried to change and to stop it: expected it as before, got ${summarize(after)}`;
  t.expect('SERVICE-04', isSame, changed, before, after);
  const still = await t.send('getTaskVisibility', { path, key: owner });
  const shown = `another organisation changed the visibility of the task: ${summarize(still)}`;
  if (visible.ok && still.r !== visible.r) t.fail('SERVICE-04', shown, visible, still);
  await t.cancel(task);
  if (!(await t.pollUntilEnd(task))) return;
  // Of a task that is over the owner may delete them.
  const deleted = await t.send('deleteTaskData', { path, key: stranger });
  const kept = await t.poll(task, 0);
  const lost = `another organisation deleted the data of the task: ${summarize(kept)}`;
  if (isRefused(t, 'deleteTaskData of a task that is over', task.last, deleted) && !kept.ok)
    t.fail('SERVICE-04', lost, deleted, kept);
}

/** Resources of the organisation itself; those in a workspace come with it. */
const owned = [profiles, extensions, files].map((row): TestCase => {
  const operations = [...(row.list ? [row.list] : []), row.remove];
  return {
    id: `auth/${row.what}s-of-another-organisation`,
    title: `A ${row.what} of one organisation is neither listed for another one nor removed by it`,
    covers: ['SERVICE-04'],
    operations,
    keys: ['other'],
    async run(t) {
      for (const side of SIDES) await expectIsolated(t, row, side);
    },
  };
});

const workspaces: TestCase = {
  id: 'auth/workspaces-of-another-organisation',
  title: 'A workspace and what it holds are unknown to another organisation',
  covers: ['SERVICE-04'],
  operations: [
    'createWorkspace',
    'getWorkspace',
    'listSops',
    'listAutomations',
    'listChats',
    'getChat',
    'deleteChat',
  ],
  tasks: 1,
  keys: ['other'],
  async run(t) {
    for (const [owner, stranger] of SIDES) {
      const { id, name, created } = await workspaceOf(t, owner);
      const mine = await carryOut(t, 'WORKSPACE-01', 'getWorkspace', { ...inWorkspace(id), key: owner });
      const theirs = await t.send('getWorkspace', { ...inWorkspace(id), key: stranger });
      const message = `GET /workspace with the key of another organisation: expected the workspace "${name}" to be unknown, got ${summarize(theirs)}`;
      const payload = payloadOf(theirs);
      const isUnknown = !theirs.ok || !(mentions(payload, id) || mentions(payload, name));
      t.expect('SERVICE-04', isUnknown, message, created, mine, theirs);
    }
  },
};

const contents: TestCase = {
  id: 'auth/chats-of-another-organisation',
  title:
    'The chats of a workspace are neither listed for another organisation nor read, renamed or removed by it',
  covers: ['SERVICE-04'],
  operations: ['createWorkspace', 'createChatTask', 'listChats', 'getChat', 'renameChat', 'deleteChat'],
  tasks: 1,
  keys: ['other'],
  async run(t) {
    const chat = await make(t, chats);
    const place = inWorkspace(chat.workspace!);
    const holds = (response: ApiResponse) => response.ok && isAboutChat(payloadOf(response), chat);
    const list = (key: CallerKey) => t.send('listChats', { ...place, key });
    await expectUnlisted(t, 'GET /chat', list, holds, ['main', 'other']);
    const one = (operation: OperationId, key: CallerKey, query = {}) =>
      t.send(operation, { ...place, query: { t: chat.id, ...query }, key });
    const mine = await one('getChat', 'main');
    if (!holds(mine)) t.inconclusive(`the chat is not known to its owner: ${summarize(mine)}`);
    const read = await one('getChat', 'other');
    const unknown = `GET /chat/id with the key of another organisation: expected it to be unknown, got ${summarize(read)}`;
    t.expect('SERVICE-04', !holds(read), unknown, mine, read);
    const title = t.unique();
    const renamed = await one('renameChat', 'other', { title });
    const removed = await one('deleteChat', 'other');
    const after = await one('getChat', 'main');
    const same = `the chat after another organisation tried to rename and to remove it: expected it as before, got ${summarize(after)}`;
    const isSame = holds(after) && !mentions(payloadOf(after), title);
    t.expect('SERVICE-04', isSame, same, mine, renamed, removed, after);
  },
};

const procedures: TestCase = {
  id: 'auth/sops-and-automations-of-another-organisation',
  title: 'SOPs and automations are neither listed for another organisation nor removed by it',
  covers: ['SERVICE-04'],
  operations: [
    'createWorkspace',
    'saveSop',
    'listSops',
    'deleteSop',
    'createAutomation',
    'listAutomations',
    'deleteAutomation',
  ],
  keys: ['other'],
  async run(t) {
    for (const row of [sops, automations]) await expectIsolated(t, row, ['main', 'other']);
  },
};

export const isolationCases: readonly TestCase[] = [tasks, ...owned, workspaces, contents, procedures];
