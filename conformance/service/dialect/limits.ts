import type { ApiResponse } from '../http-client/response.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { observe } from './observe.js';
import { removeTask } from './task.js';

/** What a free plan may have open at the same time. */
const OPEN_ON_FREE = 2;
/** How many requests are sent at once, and how long the service is left alone before, ms. */
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
    for (let n = 0; n < OPEN_ON_FREE + 1; n++) {
      const answer = await begin(t);
      if (answer.status === 429 && open.length > 0) return isMadeRoom(t, open, answer);
      const id = removeTask(t, answer, 'free');
      if (id === undefined)
        return t.inconclusive(`POST /task on the free plan is answered with ${summarize(answer)}`);
      t.expect('TASK-14', true, '', answer);
      open.push(id);
      if (open.length > OPEN_ON_FREE) observe(t, 'limits.concurrent-sessions', 'off', answer);
    }
    for (const id of open) await end(t, id);
  },
};

/** It was the sessions, and not the rate or the credits, if one more can be opened once they are gone. */
async function isMadeRoom(t: TestContext, open: readonly string[], refused: ApiResponse): Promise<void> {
  const same = await begin(t, REST_MS);
  for (const id of open) await end(t, id);
  const answer = same.status === 429 ? await begin(t, REST_MS) : same;
  const id = removeTask(t, answer, 'free');
  if (id === undefined) return;
  if (same.status === 429) observe(t, 'limits.concurrent-sessions', 'by-plan', refused, same, answer);
  await end(t, id);
}

async function begin(t: TestContext, after_ms = 0): Promise<ApiResponse> {
  await t.sleep(after_ms);
  return t.send('createTask', { body: { task: null }, key: 'free', take429: true });
}

function end(t: TestContext, task_id: string): Promise<ApiResponse> {
  return t.send('deleteTask', { path: { task_id }, key: 'free' });
}

/** `limits.rate`, about, where it is so low that a burst which harms nobody meets it. */
export const rate: TestCase = {
  id: 'limits/point-rate',
  title: `How many of ${BURST} requests at once are answered`,
  covers: ['ERROR-05'],
  operations: ['listTasks'],
  alone: true,
  async run(t) {
    await t.sleep(REST_MS);
    const send = () => t.send('listTasks', { query: { l: 1 }, take429: true });
    const answers = await Promise.all(Array.from({ length: BURST }, send));
    const limited = answers.filter(({ status }) => status === 429);
    const answered = answers.filter(({ ok }) => ok);
    if (limited.length === 0) t.inconclusive(`${BURST} requests at once met no limit`);
    if (limited.length + answered.length < BURST || answered.length === 0) return;
    t.expect('ERROR-05', true, '', answered[0]!, limited[0]!);
    t.observe('limits.rate', answered.length);
  },
};
