import type { ApiResponse } from '../http-client/response.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { observe, removeTask } from './observe.js';

/** Sessions that a free plan may have open at the same time. */
const OPEN_ON_FREE = 2;
/** Requests that are sent at once, and how long none is sent before, ms. */
const BURST = 32;
const REST_MS = 1100;

/** `limits.concurrent-sessions`: only a free plan is small enough to be filled. */
export const concurrentSessions: TestCase = {
  id: 'limits/point-concurrent-sessions',
  title: 'Whether a free plan takes more than two sessions at the same time',
  covers: ['TASK-14'],
  operations: ['createTask', 'deleteTask'],
  tasks: OPEN_ON_FREE + 1,
  keys: ['free'],
  async run(t) {
    const open: string[] = [];
    while (open.length <= OPEN_ON_FREE) {
      const response = await openSession(t);
      if (response.status === 429 && open.length > 0) return observeRoom(t, open);
      const id = removeTask(t, response, 'free');
      if (id === undefined)
        return t.inconclusive(`POST /task on the free plan: expected a task, got ${summarize(response)}`);
      t.expect('TASK-14', true, '', response);
      open.push(id);
    }
    observe(t, 'limits.concurrent-sessions', 'off');
    await closeSessions(t, open);
  },
};

/** The sessions were the limit, not the rate or the credits, if one more can be opened once they are gone. */
async function observeRoom(t: TestContext, open: readonly string[]): Promise<void> {
  await t.sleep(REST_MS);
  const same = await openSession(t);
  await closeSessions(t, open);
  if (same.status === 429) await t.sleep(REST_MS);
  const id = removeTask(t, same.status === 429 ? await openSession(t) : same, 'free');
  if (id === undefined) return;
  if (same.status === 429) observe(t, 'limits.concurrent-sessions', 'by-plan');
  await closeSessions(t, [id]);
}

function openSession(t: TestContext): Promise<ApiResponse> {
  return t.send('createTask', { body: { task: null }, key: 'free', take429: true });
}

async function closeSessions(t: TestContext, ids: readonly string[]): Promise<void> {
  for (const task_id of ids) await t.send('deleteTask', { path: { task_id }, key: 'free' });
}

/** `limits.rate`, about, where it is so low that a harmless burst meets it. */
export const rate: TestCase = {
  id: 'limits/point-rate',
  title: `How many of ${BURST} requests at once are answered`,
  covers: ['ERROR-05'],
  operations: ['listTasks'],
  alone: true,
  async run(t) {
    await t.sleep(REST_MS);
    const send = () => t.send('listTasks', { query: { l: 1 }, take429: true });
    const responses = await Promise.all(Array.from({ length: BURST }, send));
    const limited = responses.filter(({ status }) => status === 429);
    const served = responses.filter(({ ok }) => ok);
    if (limited.length === 0) t.inconclusive(`${BURST} requests at once met no limit`);
    if (limited.length + served.length < BURST || served.length === 0) return;
    t.expect('ERROR-05', true, '', served[0]!, limited[0]!);
    t.observe('limits.rate', served.length);
  },
};
