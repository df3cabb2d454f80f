import { asFields } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { listTaskIds, needJobsApart } from '../../request-builders/resources.js';
import { idIn, unlike } from '../../test-case/read-record.js';
import { bodiesUnder, removeLater, shouldSucceed, tryUntilAccepted } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { make } from './lifecycle.js';
import { automations } from './lifecycles.js';

export const webhookCase: TestCase = {
  id: 'resources/webhook',
  title: 'A webhook sets off the automation that it names without a key, and what it runs is a job',
  covers: ['AUTO-04', 'JOB-01'],
  operations: ['createWorkspace', 'createAutomation', 'createTask', 'triggerWebhook', 'listTasks', 'getJob'],
  tasks: 3,
  async run(t) {
    const made = await make(t, automations);
    await needJobsApart(t);
    const before = await listTaskIds(t);
    const never = await call(t, unlike(made.id));
    const called = await call(t, made.id);
    // A name that is not known may be one of another kind.
    const judged = { ...called, status: called.status === 404 ? 422 : called.status };
    shouldSucceed(t, 'AUTO-04', judged, 'POST /webhook without a key');
    const jobs = await newJobs(t, before);
    for (const task_id of jobs)
      removeLater(t, `task ${task_id} of an automation`, 'deleteTask', { path: { task_id } });
    const isSeen = jobs.length > 0;
    if (never.ok && !isSeen)
      t.inconclusive('POST /webhook takes any name, and nothing shows what it sets off');
    const message = `POST /webhook for the automation "${made.id}": expected it to be set off, got ${summarize(called)}`;
    t.expect('AUTO-04', called.ok && (!never.ok || isSeen), message, made.created, never, called);
    const id = jobs[0] ?? idIn(asFields(called.body) ?? {}, ['job_id', 'jobId', 'job']);
    if (id === undefined)
      return t.inconclusive(
        'nothing that was set off is known as a job: where ids of jobs come from is open',
      );
    await isJob(t, id);
  },
};

/** Asked for without a key and with one it is the same job. */
async function isJob(t: TestContext, job_id: string): Promise<void> {
  const keyed = await t.send('getJob', { path: { job_id } });
  const keyless = await t.send('getJob', { path: { job_id }, key: null });
  const other = await t.send('getJob', { path: { job_id: unlike(job_id) }, key: null });
  if (!keyed.ok && !keyless.ok) t.inconclusive(`there is no job "${job_id}": ${summarize(keyless)}`);
  if (keyless.ok && other.ok && keyless.text === other.text)
    t.inconclusive(`GET /job/{job_id} says the same of any job: ${summarize(other)}`);
  const message = `GET /job/${job_id} without a key: expected it to be answered as with one, got ${summarize(keyless)}`;
  t.expect('JOB-01', keyless.ok, message, keyed, keyless, other);
}

const NAMES = ['automation_id', 'id', 'automation', 'token', 'automationId', 'webhook_token'];

/** POST /webhook without a key, with the id of the automation under the names that it may go by. */
function call(t: TestContext, id: string): Promise<ApiResponse> {
  const [every, ...each] = bodiesUnder([id, NAMES]);
  const bodies = [{ automation_id: id, payload: {} }, { ...every, payload: {} }, ...each];
  const requests = bodies.map((body) => ({ body, key: null }));
  return tryUntilAccepted(t, 'triggerWebhook', requests, [400, 404, 415, 422]);
}

/** Ids of tasks that are new and known as jobs; others may have made tasks meanwhile. */
async function newJobs(t: TestContext, before: readonly string[]): Promise<string[]> {
  const fresh = (await listTaskIds(t)).filter((id) => !before.includes(id)).slice(0, 8);
  const jobs: string[] = [];
  for (const id of fresh) {
    const job = await t.send('getJob', { path: { job_id: id } });
    if (job.status >= 500 && job.status !== 503)
      t.fail('JOB-01', `GET /job/${id}: expected a job, or 404 if it is none, got ${summarize(job)}`, job);
    if (job.ok) jobs.push(id);
  }
  return jobs;
}
