import { readField } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { readTaskId } from '../test-case/read-task.js';
import type { TestContext } from '../test-case/test-context.js';
import { type Observation, observeStatus, sendSession } from './observe.js';

export const keys: Observation = {
  id: 'auth/point-keys',
  title: 'How a request without a key, and one with an invalid key, is refused',
  operations: ['listTasks'],
  async run(t) {
    if (!(await t.send('listTasks', { query: { l: 1 } })).ok) return;
    await observeStatus(t, 'auth.missing-key');
    await observeStatus(t, 'auth.invalid-key');
  },
};

/** Requests that are invalid for every service. */
const INVALID_TASKS = [{ task: 5 }, { custom_tools: [{ name: 'incomplete' }] }];

export const validation: Observation = {
  id: 'errors/point-validation',
  title: 'The response to an invalid parameter or URL, and the shape of a validation error',
  operations: ['listTasks', 'createTask', 'deleteTask'],
  tasks: 1,
  async run(t) {
    if (!(await t.send('listTasks', { query: { l: 1 } })).ok) return;
    const below = await observeStatus(t, 'errors.invalid-parameters');
    await observeUrl(t);
    const refusal = below.status === 422 ? below : await findRefusedTask(t);
    const detail = readField(refusal?.body, 'detail');
    if (typeof detail === 'string') t.observe('errors.validation-detail', 'string');
    else if (Array.isArray(detail) && typeof readField(detail[0], 'msg') === 'string')
      t.observe('errors.validation-detail', 'list');
  },
};

/** Whether a URL is accepted that another text is refused for. */
async function observeUrl(t: TestContext): Promise<void> {
  const text = await sendSession(t, { url: 'not a url' });
  if (readTaskId(text) !== undefined) return t.observe('task.url-form', 'any-text');
  if (text.status !== 400 && text.status !== 422) return;
  const url = await sendSession(t, { url: t.text('page') });
  if (readTaskId(url) !== undefined) t.observe('task.url-form', 'absolute');
}

async function findRefusedTask(t: TestContext): Promise<ApiResponse | undefined> {
  for (const body of INVALID_TASKS) {
    const response = await sendSession(t, body);
    if (response.status === 422) return response;
  }
  return undefined;
}

export const references: Observation = {
  id: 'errors/point-references',
  title: 'Whether a task may name files and extensions that do not exist',
  operations: ['createTask', 'deleteTask'],
  tasks: 3,
  async run(t) {
    if (readTaskId(await sendSession(t)) === undefined) return;
    await observeStatus(t, 'file.unknown-in-task');
    await observeStatus(t, 'extension.unknown-in-task');
  },
};

/** Concurrent sessions of a free plan. */
const OPEN_ON_FREE = 2;
/** Number of concurrent requests, and the quiet time before them, ms. */
const BURST = 32;
const REST_MS = 1100;

/** Only the limit of a free plan is low enough to reach. */
export const concurrentSessions: Observation = {
  id: 'limits/point-concurrent-sessions',
  title: 'Whether a free plan allows more than two concurrent sessions',
  operations: ['createTask', 'deleteTask'],
  tasks: OPEN_ON_FREE + 1,
  keys: ['free'],
  async run(t) {
    const open: string[] = [];
    while (open.length <= OPEN_ON_FREE) {
      const response = await sendSession(t, {}, 'free');
      const task_id = readTaskId(response);
      if (response.status === 429 && open.length > 0) return observeSessionLimit(t, open);
      if (task_id === undefined) return;
      open.push(task_id);
    }
    t.observe('limits.concurrent-sessions', 'off');
  },
};

/** Confirms that sessions were the limit, not the rate or credits: one more can be opened only after they are closed. */
async function observeSessionLimit(t: TestContext, open: readonly string[]): Promise<void> {
  await t.sleep(REST_MS);
  const before = await sendSession(t, {}, 'free');
  for (const task_id of open) await t.send('deleteTask', { path: { task_id }, key: 'free' });
  if (before.status !== 429) return;
  await t.sleep(REST_MS);
  if (readTaskId(await sendSession(t, {}, 'free')) !== undefined)
    t.observe('limits.concurrent-sessions', 'by-plan');
}

/** An estimate, and only for a rate so low that a harmless burst reaches it. */
export const rate: Observation = {
  id: 'limits/point-rate',
  title: 'How many of 32 concurrent requests get a response other than 429',
  operations: ['listTasks'],
  alone: true,
  async run(t) {
    await t.sleep(REST_MS);
    const send = () => t.send('listTasks', { query: { l: 1 }, takes: [429] });
    const responses = await Promise.all(Array.from({ length: BURST }, send));
    const isLimited = responses.some(({ status }) => status === 429);
    const isKnown = responses.every(({ ok, status }) => ok || status === 429);
    const served = responses.filter(({ ok }) => ok).length;
    if (isLimited && isKnown && served > 0) t.observe('limits.rate', served);
  },
};
