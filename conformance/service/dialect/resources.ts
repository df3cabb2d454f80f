import { readField, show } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { createExtensionForm } from '../operations/bodies.js';
import { attempt, createResource } from '../operations/requests.js';
import { runAutomation } from '../operations/resources.js';
import { readPlan, restoreLater } from '../test-case/account.js';
import { readPayload, readRows } from '../test-case/read-record.js';
import { findListed, type TaskHandle } from '../test-case/read-task.js';
import { removeLater } from '../test-case/requests.js';
import type { TestContext } from '../test-case/test-context.js';
import { type Observation, observeStatus, readRecord, readText, recordStatus } from './observe.js';

export const extensions: Observation = {
  id: 'resources/point-extensions',
  title: 'The name of the form part with an extension, and whether it has to be an archive',
  operations: ['uploadExtension', 'deleteExtension'],
  async run(t) {
    for (const part of ['file', 'extension'] as const) {
      const uploaded = await attempt(t, 'uploadExtension', { form: createExtensionForm(part) });
      if (!uploaded.ok) continue;
      t.observe('upload.part-names', part);
      const form = new FormData();
      form.set(part, new Blob(['no archive'], { type: 'text/plain' }), 'no-archive.txt');
      return recordStatus(t, 'extension.not-zip', await attempt(t, 'uploadExtension', { form }));
    }
  },
};

export const workspaces: Observation = {
  id: 'resources/point-workspaces',
  title: 'Whether records without the envelope are in r, and the response to a limit of 0',
  operations: ['createWorkspace', 'listChats'],
  async run(t) {
    const created = await t.send('createWorkspace', { path: { name: t.unique() } });
    const id = readText(created, 'id');
    if (id === undefined) return;
    const isBare = readField(created.body, 'r') === undefined;
    t.observe('envelope.unwrapped-rows', isBare ? 'bare' : 'enveloped');
    const headers = { 'workspace-id': id };
    const list = await t.send('listChats', { headers });
    if (!list.ok || readRows(readPayload(list)) === undefined) return;
    const none = await t.send('listChats', { headers, query: { limit: 0 } });
    if (none.status >= 400 && none.status < 500 && none.status !== 429)
      t.observe('chat.limit-not-positive', 'refused');
    if (none.ok && (readRows(readPayload(none)) ?? []).length === 0)
      t.observe('chat.limit-not-positive', 'empty');
  },
};

export const jobs: Observation = {
  id: 'resources/point-jobs',
  title: 'Whether a run of an automation can be read as a job',
  operations: [
    'createWorkspace',
    'createAutomation',
    'deleteAutomation',
    'triggerWebhook',
    'createTask',
    'listTasks',
    'getJob',
  ],
  tasks: 2,
  async run(t) {
    const { id } = await createResource(t, 'automation');
    const unknown = await t.send('getJob', { path: { job_id: t.unique() }, key: null });
    // If any id is a job, the run being one proves nothing.
    if (unknown.status !== 404) return;
    const read = [...(await runAutomation(t, id)).values()];
    const job = read.find(({ ok }) => ok);
    if (job) {
      const hasStatus = readText(job, 'status') !== undefined;
      t.observe('job.ids', hasStatus ? 'automation-runs' : 'automation-runs-no-status');
    } else if (read.length > 0 && read.every(({ status }) => status === 404))
      t.observe('job.ids', 'none-exist');
  },
};

/** How long the task of an approved request may take, ms. */
const UNTIL_OVER_MS = 20_000;

/** Of two equal chats, the request of one is approved. */
export const approval: Observation = {
  id: 'resources/point-approval',
  title: 'Whether the task of a chat waits for an approval, and whether it can be approved afterwards',
  operations: ['createWorkspace', 'createChatTask', 'listMessages', 'updateRequest', 'getTask'],
  tasks: 2,
  async run(t) {
    const approved = await createChatRequest(t);
    const unanswered = await createChatRequest(t);
    const begun = t.now();
    const response = await approved.put('approved');
    if (!response.ok || !(await t.pollUntilEnd(approved.task, UNTIL_OVER_MS))) return;
    // The task without an approval gets the same time again.
    const restMs = Math.max(1000, 2 * (t.now() - begun));
    const isOver = await t.pollUntilEnd(unanswered.task, restMs);
    t.observe('request.approval', isOver ? 'not-needed' : 'waits');
    recordStatus(t, 'request.of-finished-task', await approved.put('rejected'));
  },
};

/** An approval request in a new chat, and the task that may wait for it. */
async function createChatRequest(
  t: TestContext,
): Promise<{ task: TaskHandle; put: (status: string) => Promise<ApiResponse> }> {
  const { id, t: time, ...names } = await createResource(t, 'request');
  if (names.task_id === undefined) return t.inconclusive('the new chat names no task');
  const task_id = String(names.task_id);
  const headers = { 'chat-id': String(names['chat-id']) };
  const read = await t.send('getTask', { path: { task_id } });
  return {
    task: t.adoptTask(read, task_id),
    put: (status) => t.send('updateRequest', { headers, query: { id, t: time, status } }),
  };
}

/** The plans of open point `billing.plan-names`. */
const FOUR_PLANS = ['free', 'starter', 'growth', 'enterprise'];

export const billing: Observation = {
  id: 'resources/point-billing',
  title: 'The responses to a top-up and to a change of the plan, and which texts are plans',
  operations: ['getUsage', 'topUp', 'setPlan'],
  allow: 'billing',
  async run(t) {
    const usage = await t.send('getUsage');
    const bought = await t.send('topUp', { query: { amount: 1 } });
    if (bought.ok && bought.r === true) t.observe('billing.top-up-answer', 'boolean');
    if (bought.ok && typeof bought.r === 'string') t.observe('billing.top-up-answer', 'url');
    const plan = usage.ok ? readPlan(usage) : undefined;
    if (plan !== undefined) await observePlans(t, plan);
  },
};

/** Sets the plan to its current value; any other plan that is accepted is changed back. */
async function observePlans(t: TestContext, plan: string): Promise<void> {
  const setPlan = (name: string) => t.send('setPlan', { query: { plan: name } });
  const same = await setPlan(plan);
  if (!same.ok) return;
  const record = readRecord(same) === undefined ? undefined : 'as-described';
  t.observe('record.plan', typeof same.r === 'string' ? 'url' : record);
  const setting = restoreLater(t, `plan ${show(plan)}`, () => setPlan(plan));
  const unknown = await setPlan(t.unique());
  setting.isRestored = !unknown.ok;
  if (unknown.ok) t.observe('billing.plan-names', 'any-text');
  else if ([400, 404, 422].includes(unknown.status) && FOUR_PLANS.includes(plan))
    t.observe('billing.plan-names', 'four-plans');
}

export const invitations: Observation = {
  id: 'resources/point-invitations',
  title: 'Whether a text that is no address can be invited',
  operations: ['inviteUser'],
  allow: 'organisation',
  async run(t) {
    const invited = await t.send('inviteUser', { query: { email: `${t.unique()}@example.com` } });
    if (invited.ok) await observeStatus(t, 'org.invite-address');
  },
};

export const profiles: Observation = {
  id: 'resources/point-profiles',
  title: 'The responses for profiles that exist, have no id, or do not exist',
  operations: ['createProfile', 'listProfiles', 'deleteProfile', 'createTask'],
  tasks: 1,
  async run(t) {
    const id = t.unique();
    const created = await attempt(t, 'createProfile', { body: { id }, mayBeRefused: true });
    if (!created.ok) return;
    await observeStatus(t, 'profile.duplicate', { id }, (again) => readText(again, 'id') === id);
    await observeStatus(t, 'profile.empty-id', {}, (empty) => readText(empty, 'id') !== undefined);

    const unknown = t.unique();
    const task = await observeStatus(t, 'profile.unknown-in-task', { id: unknown });
    if (!task.ok) return;
    const list = await t.send('listProfiles');
    if (findListed(list, unknown) === undefined) return;
    removeLater(t, `profile ${unknown}`, 'deleteProfile', { path: { profile_id: unknown } });
    t.observe('profile.unknown-in-task', 'made');
  },
};
