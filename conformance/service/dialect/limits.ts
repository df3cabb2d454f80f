import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { sendSession } from './observe.js';

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
      const { response, task_id } = await sendSession(t, {}, 'free');
      if (response.status === 429 && open.length > 0) return observeRoom(t, open);
      if (task_id === undefined)
        return t.inconclusive(`POST /task on the free plan: expected a task, got ${summarize(response)}`);
      t.expect('TASK-14', true, '', response);
      open.push(task_id);
    }
    t.observe('limits.concurrent-sessions', 'off');
    await closeSessions(t, open);
  },
};

/** The sessions were the limit, not the rate or the credits, if one more can be opened only once they are gone. */
async function observeRoom(t: TestContext, open: readonly string[]): Promise<void> {
  await t.sleep(REST_MS);
  const before = await sendSession(t, {}, 'free');
  await closeSessions(t, open);
  if (before.response.status !== 429) return closeSessions(t, [before.task_id ?? []].flat());
  await t.sleep(REST_MS);
  const { task_id } = await sendSession(t, {}, 'free');
  if (task_id === undefined) return;
  t.observe('limits.concurrent-sessions', 'by-plan');
  await closeSessions(t, [task_id]);
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
