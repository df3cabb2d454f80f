import { field } from '../../conversation/json.js';
import { messages } from '../cases/resources/chats.js';
import { requestIn } from '../cases/resources/messages.js';
import type { ApiResponse } from '../http-client/response.js';
import { extensionForm } from '../request-builders/bodies.js';
import { attempt, create } from '../request-builders/requests.js';
import { listTaskIds } from '../request-builders/resources.js';
import { trackResources } from '../runner/cleanup.js';
import { idIn, integerIn, payloadOf, rowsOf } from '../test-case/read-record.js';
import { summarize } from '../test-case/read-task.js';
import { readUntil } from '../test-case/requests.js';
import type { TaskHandle } from '../test-case/task-handle.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { isRefused, observeStatus, textIn } from './observe.js';

/** `upload.part-names`, `extension.not-zip`. */
export const extensions: TestCase = {
  id: 'resources/point-extensions',
  title: 'What the part with an extension is called, and what becomes of one that is no archive',
  covers: ['EXT-01'],
  operations: ['uploadExtension', 'deleteExtension'],
  async run(t) {
    for (const part of ['file', 'extension'] as const) {
      const uploaded = await attempt(t, 'uploadExtension', { form: extensionForm(part) });
      if (uploaded.status === 403) t.skip('the plan of this key has no extensions (403)');
      if (!uploaded.ok) continue;
      if (idIn(uploaded.r, ['id', 'extension_id']) !== undefined) t.expect('EXT-01', true, '', uploaded);
      t.observe('upload.part-names', part);
      const form = new FormData();
      form.set(part, new Blob(['no archive'], { type: 'text/plain' }), 'no-archive.txt');
      observeStatus(t, 'extension.not-zip', await attempt(t, 'uploadExtension', { form }));
      return;
    }
    t.inconclusive('no extension is accepted in a part called file or extension');
  },
};

/** `envelope.unwrapped-rows`, `chat.limit-not-positive`. */
export const workspaces: TestCase = {
  id: 'resources/point-workspaces',
  title: 'Whether records named without the envelope are in r all the same, and how a limit of 0 is taken',
  covers: ['CHAT-01'],
  operations: ['createWorkspace', 'listChats'],
  async run(t) {
    const created = await t.send('createWorkspace', { path: { name: t.unique() } });
    const id = textIn(created, 'id');
    if (id === undefined)
      return t.inconclusive(`POST /workspace/{name}: expected an id, got ${summarize(created)}`);
    const isBare = field(created.body, 'r') === undefined;
    t.observe('envelope.unwrapped-rows', isBare ? 'bare' : 'enveloped');
    const headers = { 'workspace-id': id };
    const list = await t.send('listChats', { headers });
    if (!list.ok || rowsOf(payloadOf(list)) === undefined)
      t.inconclusive(`GET /chat: expected a list, got ${summarize(list)}`);
    t.expect('CHAT-01', true, '', list);
    const none = await t.send('listChats', { headers, query: { limit: 0 } });
    if (isRefused(none)) t.observe('chat.limit-not-positive', 'refused');
    if (none.ok && (rowsOf(payloadOf(none)) ?? []).length === 0)
      t.observe('chat.limit-not-positive', 'empty');
  },
};

/** How long the run of an automation may take to appear in the list of tasks, ms. */
const UNTIL_LISTED_MS = 5000;

/** `job.ids`, by a run of an automation. */
export const jobs: TestCase = {
  id: 'resources/point-jobs',
  title: 'Whether a run of an automation can be read as a job',
  covers: ['AUTO-04'],
  operations: [
    'createWorkspace',
    'createAutomation',
    'deleteAutomation',
    'triggerWebhook',
    'listTasks',
    'getJob',
  ],
  tasks: 1,
  run: (test) =>
    trackResources(test, async (t) => {
      const { id } = await create(t, 'automation');
      const before = await listTaskIds(t);
      const unknown = await readJob(t, t.unique());
      const triggered = await t.send('triggerWebhook', { body: { automation_id: id }, key: null });
      if (!triggered.ok) t.inconclusive(`POST /webhook: expected a success, got ${summarize(triggered)}`);
      t.expect('AUTO-04', true, '', triggered);
      // Where any id is a job, that the run is one proves nothing.
      if (unknown.status === 404) await observeJob(t, before);
    }),
};

/** Other clients may create tasks at the same time: which of the new ones is the run shows only if it is a job. */
async function observeJob(t: TestContext, before: readonly string[]): Promise<void> {
  const until = t.now() + UNTIL_LISTED_MS;
  const statuses = new Map<string, number>();
  do {
    for (const id of await listTaskIds(t)) {
      if (before.includes(id) || statuses.has(id)) continue;
      const job = await readJob(t, id);
      statuses.set(id, job.status);
      if (!job.ok) continue;
      t.cleanup(`task ${id}`, () => t.send('deleteTask', { path: { task_id: id } }));
      const hasStatus = textIn(job, 'status') !== undefined;
      return t.observe('job.ids', hasStatus ? 'automation-runs' : 'automation-runs-no-status');
    }
    await t.sleep(4 * t.settings.pollIntervalMs);
  } while (t.now() < until);
  const areUnknown = statuses.size > 0 && [...statuses.values()].every((status) => status === 404);
  if (areUnknown) t.observe('job.ids', 'none-exist');
}

function readJob(t: TestContext, job_id: string): Promise<ApiResponse> {
  return t.send('getJob', { path: { job_id }, key: null });
}

/** How long the task of an approved request may take, ms. */
const UNTIL_OVER_MS = 20_000;

/** `request.approval`, `request.of-finished-task`: of two chats alike, one is approved. */
export const approval: TestCase = {
  id: 'resources/point-approval',
  title:
    'Whether the task of a chat waits for an approval, and whether its request can be changed afterwards',
  covers: ['CHAT-06'],
  operations: ['createWorkspace', 'createChatTask', 'listMessages', 'updateRequest', 'getTask'],
  tasks: 2,
  run: (test) =>
    trackResources(test, async (t) => {
      const approved = await createChatWithRequest(t);
      const unanswered = await createChatWithRequest(t);
      const begun = t.now();
      const response = await approved.put('approved');
      if (!response.ok)
        t.inconclusive(`PUT /request/id?status=approved: expected a success, got ${summarize(response)}`);
      t.expect('CHAT-06', true, '', response);
      if (!(await t.pollUntilEnd(approved.task, UNTIL_OVER_MS))) return;
      // A task without an approval gets the same time again.
      const restMs = Math.max(1000, 2 * (t.now() - begun));
      const isOver = await t.pollUntilEnd(unanswered.task, restMs);
      t.observe('request.approval', isOver ? 'not-needed' : 'waits');
      observeStatus(t, 'request.of-finished-task', await approved.put('rejected'));
    }),
};

/** A new chat, the request that the assistant makes in it, and the task that may wait for an answer. */
async function createChatWithRequest(
  t: TestContext,
): Promise<{ task: TaskHandle; put: (status: string) => Promise<ApiResponse> }> {
  const { 'chat-id': chat, task_id } = await create(t, 'chat');
  if (chat === undefined || task_id === undefined)
    return t.inconclusive('POST /task/zero: expected a chat and its task, found no id of one');
  const headers = { 'chat-id': String(chat) };
  const listed = await readUntil(
    t,
    () => messages(t, headers['chat-id']),
    (each) => requestIn(each) !== undefined,
  );
  const request = requestIn(listed);
  const [id, time] = [idIn(request, ['id']), integerIn(request, ['t'])];
  if (id === undefined || time === undefined)
    return t.inconclusive(`no request in the chat has an id and a t: ${summarize(listed)}`);
  const read = await t.send('getTask', { path: { task_id: String(task_id) } });
  return {
    task: t.adoptTask(read, String(task_id)),
    put: (status) => t.send('updateRequest', { headers, query: { id, t: time, status } }),
  };
}
