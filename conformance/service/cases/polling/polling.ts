import { field, isSameJson, isUrl, show } from '../../../conversation/json.js';
import { RECORDED_WITHIN_MS } from '../../../rules/service/outputs.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { idOf, statusOf, type TaskHandle } from '../../test-case/read-task.js';
import { expectEnd, expectTask, read } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

/** Reads of a task that is over. */
const AFTERWARDS = [{ event_t: 0 }, {}, { event_t: 0 }, { downloads: true }, {}] as const;

export const pollingCase: TestCase = {
  id: 'polling/to-the-end-and-after',
  title: 'A one-shot task comes to an end that stays as it is, however often it is read',
  covers: [
    'SERVICE-01',
    'SERVICE-02',
    'ENV-01',
    'POLL-02',
    'POLL-08',
    'TASK-01',
    'TASK-02',
    'TASK-03',
    'TASK-05',
    'TASK-06',
    'TASK-07',
    'TASK-08',
    'TASK-09',
    'TASK-10',
    'TASK-12',
    'TASK-14',
    'TASK-16',
  ],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(t) {
    const task = await expectTask(t, { task: t.text('one-shot') }, 'TASK-10');
    if (!(await expectEnd(t, task))) return;
    const end = task.last;
    const output = field(end.r, 'output');
    for (const query of AFTERWARDS) {
      await t.sleep(t.settings.pollIntervalMs);
      const { response } = await read(t, task, query);
      const asked = `a poll with ${show(query)} after the end`;
      const status = statusOf(response);
      const stays = `${asked}: expected status ${task.status} as before, got ${summarize(response)}`;
      t.expect('POLL-08', status === task.status, stays, end, response);
      const same = isSameJson(field(response.r, 'output'), output);
      const changed = `${asked}: expected the output ${show(output)} as before, got ${summarize(response)}`;
      t.expect('SERVICE-01', same, changed, end, response);
      const named = `${asked}: expected the task ${show(task.id)}, got ${summarize(response)}`;
      t.expect('TASK-01', idOf(response) === task.id, named, task.created, response);
      const answered = `${asked}: expected it to be answered, got ${summarize(response)}`;
      t.expect('TASK-16', response.ok, answered, response);
    }
    if (task.status === 'done') await recorded(t, task);
  },
};

/** The recording has an address, if not at once. */
async function recorded(t: TestContext, task: TaskHandle): Promise<void> {
  const until = t.now() + RECORDED_WITHIN_MS;
  const isLate = (response: ApiResponse) => response.ok && field(response.r, 'recording_url') === null;
  let { response } = await read(t, task, {});
  while (isLate(response) && t.now() < until) {
    await t.sleep(4 * t.settings.pollIntervalMs);
    ({ response } = await read(t, task, {}));
  }
  const url = field(response.r, 'recording_url');
  // Without a recording there is no address.
  if (!response.ok || url === '') return;
  const message = `the task is done: expected recording_url to be a URL, at the latest ${RECORDED_WITHIN_MS / 1000} s after the end, got ${show(url)}`;
  t.expect('TASK-07', isUrl(url), message, task.last, response);
}
