import { field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { textFor } from '../test-case/texts.js';
import { listIn, observe, textIn } from './observe.js';

/** How long the run of an automation may take to turn up in the list of tasks, ms. */
const UNTIL_LISTED_MS = 5000;
/** The largest list there is. Section "Limits". */
const MOST = 128;

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
  async run(t) {
    const headers = { 'workspace-id': await newWorkspace(t) };
    const body = { name: t.unique(), task: textFor(t.settings, 'one-shot') };
    const made = await t.send('createAutomation', { headers, body });
    const id = textIn(made, 'id');
    if (id === undefined) t.inconclusive(`POST /automation is answered with ${summarize(made)}`);
    t.cleanup(`automation ${id}`, () => t.send('deleteAutomation', { headers, query: { id } }));
    const before = new Set((await listed(t)).ids);
    const unknown = await readJob(t, t.unique());
    const triggered = await t.send('triggerWebhook', { body: { automation_id: id }, key: null });
    if (!triggered.ok) t.inconclusive(`POST /webhook is answered with ${summarize(triggered)}`);
    t.expect('AUTO-04', true, '', triggered);
    await lookForJob(t, before, unknown);
  },
};

/** Others may make tasks at the same time: which of the new ones is the run shows only if it is a job. */
async function lookForJob(t: TestContext, before: ReadonlySet<string>, unknown: ApiResponse): Promise<void> {
  const { pollIntervalMs } = t.settings;
  const until = t.now() + UNTIL_LISTED_MS;
  const tried = new Map<string, ApiResponse>();
  let last: ApiResponse;
  do {
    const list = await listed(t);
    last = list.answer;
    for (const id of list.ids) {
      if (before.has(id) || tried.has(id)) continue;
      const job = await readJob(t, id);
      tried.set(id, job);
      if (!job.ok) continue;
      t.cleanup(`task ${id}`, () => t.send('deleteTask', { path: { task_id: id } }));
      // Where any id is one, that this one is says nothing.
      const choice = textIn(job, 'status') === undefined ? 'automation-runs-no-status' : 'automation-runs';
      if (unknown.status === 404) observe(t, 'job.ids', choice, unknown, job);
      return;
    }
    await t.sleep(4 * pollIntervalMs);
  } while (t.now() < until);
  const none = [...tried.values()].every(({ status }) => status === 404);
  if (tried.size > 0 && none && unknown.status === 404) observe(t, 'job.ids', 'none-exist', unknown, last);
}

async function newWorkspace(t: TestContext): Promise<string> {
  const made = await t.send('createWorkspace', { path: { name: t.unique() } });
  return textIn(made, 'id') ?? t.inconclusive(`POST /workspace/{name} is answered with ${summarize(made)}`);
}

function readJob(t: TestContext, job_id: string): Promise<ApiResponse> {
  return t.send('getJob', { path: { job_id }, key: null });
}

async function listed(t: TestContext): Promise<{ answer: ApiResponse; ids: string[] }> {
  const answer = await t.send('listTasks', { query: { l: MOST } });
  const ids = listIn(answer).map((task) => field(task, 'id'));
  return { answer, ids: ids.filter((id) => typeof id === 'string') };
}
