import { type ApiResponse, summarize } from '../../http-client/response.js';
import { createRequest } from '../../operations/requests.js';
import { listTaskIds, requireDistinctJobs } from '../../operations/resources.js';
import { createUnknownId, readId, readPayload } from '../../test-case/read-record.js';
import {
  createBodies,
  readUntil,
  removeLater,
  requireOpenSuccess,
  tryUntilAccepted,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { createNamed } from './lifecycle.js';
import { automations } from './lifecycles.js';

export const webhookCase: TestCase = {
  id: 'resources/webhook',
  title: 'A webhook starts the automation that it names without a key, and the run is a job',
  covers: ['AUTO-03', 'AUTO-04', 'JOB-01', 'AUTH-04', 'ERROR-03'],
  operations: [
    'createWorkspace',
    'createAutomation',
    'createTask',
    'triggerWebhook',
    'deleteAutomation',
    'listTasks',
    'getJob',
    'getTask',
    'deleteTask',
  ],
  tasks: 6,
  async run(t) {
    const made = await createNamed(t, automations);
    await requireDistinctJobs(t);
    const before = await listTaskIds(t);
    const never = await triggerAutomation(t, createUnknownId(made.id));
    const called = await triggerAutomation(t, made.id);
    // An unknown name may be treated as a missing resource.
    const judged = { ...called, status: called.status === 404 ? 422 : called.status };
    requireOpenSuccess(t, 'AUTO-04', judged, 'POST /webhook without a key');
    const jobs = await findNewJobs(t, before);
    const isSeen = jobs.length > 0;
    if (never.ok && !isSeen)
      t.inconclusive('POST /webhook accepts any name, and nothing shows what it starts');
    const message = `POST /webhook for the automation "${made.id}": expected it to start, got ${summarize(called)}`;
    t.expect('AUTO-04', called.ok && (!never.ok || isSeen), message, made.created, never, called);
    const id = jobs[0] ?? readId(readPayload(called), ['job_id', 'jobId', 'job']);
    if (id !== undefined) await expectJob(t, id);
    if (id !== undefined && jobs.length === 1) {
      await triggerTwiceAtOnce(t, made.id);
      await expectJobAfterEnd(t, id);
    }
    await t.send('deleteAutomation', createRequest(t, 'deleteAutomation', made.names));
    const late = await triggerAutomation(t, made.id);
    const gone = `POST /webhook for the automation "${made.id}" after it was deleted: expected a refusal, as for an unknown one, got ${summarize(late)}`;
    if (!never.ok) t.expect('AUTO-03', !late.ok, gone, never, late);
    if (id === undefined)
      t.inconclusive('no run that was started is known as a job: where ids of jobs come from is open');
  },
};

/** Each of two concurrent calls has its own run, like two consecutive calls. */
async function triggerTwiceAtOnce(t: TestContext, id: string): Promise<void> {
  const before = await listTaskIds(t);
  const alone = await triggerAutomation(t, id);
  const isOfItsOwn = alone.ok && (await findNewJobs(t, before)).length === 1;
  // A service may allow one run of an automation at a time.
  if (!isOfItsOwn) return;
  const since = await listTaskIds(t);
  const [one, other] = await Promise.all([triggerAutomation(t, id), triggerAutomation(t, id)]);
  if (!one.ok || !other.ok) return;
  const jobs = await findNewJobs(t, since);
  const message = `POST /webhook twice concurrently with success: expected a run for each, as for consecutive calls, got ${jobs.length}`;
  t.expect('AUTO-04', jobs.length >= 2, message, alone, one, other);
}

/** After its end, the run is still the same job for a request without a key. */
async function expectJobAfterEnd(t: TestContext, job_id: string): Promise<void> {
  const stopped = await t.send('deleteTask', { path: { task_id: job_id } });
  if (!stopped.ok) return;
  const poll = () => t.send('getTask', { path: { task_id: job_id } });
  await readUntil(t, poll, (response) => response.status === 200);
  const keyed = await t.send('getJob', { path: { job_id } });
  const keyless = await t.send('getJob', { path: { job_id }, key: null });
  const message = `GET /job/${job_id} without a key after its run was stopped: expected a success as with a key, got ${summarize(keyless)}`;
  if (keyed.ok && keyless.status !== 429) t.expect('AUTH-04', keyless.ok, message, stopped, keyed, keyless);
}

/** With and without a key, the job is the same. */
async function expectJob(t: TestContext, job_id: string): Promise<void> {
  const keyed = await t.send('getJob', { path: { job_id } });
  const keyless = await t.send('getJob', { path: { job_id }, key: null });
  const other = await t.send('getJob', { path: { job_id: createUnknownId(job_id) }, key: null });
  if (!keyed.ok && !keyless.ok) t.inconclusive(`there is no job "${job_id}": ${summarize(keyless)}`);
  if (keyless.ok && other.ok && keyless.text === other.text)
    t.inconclusive(`GET /job/{job_id} has the same response for any job: ${summarize(other)}`);
  const message = `GET /job/${job_id} without a key: expected a success as with a key, got ${summarize(keyless)}`;
  t.expect('JOB-01', keyless.ok, message, keyed, keyless, other);
  const longer = await t.send('getJob', { path: { job_id: `${job_id}0` }, key: null });
  const isTaken = longer.ok && longer.text === keyless.text;
  const mistaken = `GET /job/${job_id}0: expected 404, as for other unknown ids, got the job "${job_id}": ${summarize(longer)}`;
  if (!other.ok) t.expect('ERROR-03', !isTaken, mistaken, keyless, other, longer);
}

const NAMES = ['automation_id', 'id', 'automation', 'token', 'automationId', 'webhook_token'];

/** POST /webhook without a key, with the id of the automation under all its possible field names. */
function triggerAutomation(t: TestContext, id: string): Promise<ApiResponse> {
  const [every, ...each] = createBodies([id, NAMES]);
  const bodies = [{ automation_id: id, payload: {} }, { ...every, payload: {} }, ...each];
  const requests = bodies.map((body) => ({ body, key: null }));
  return tryUntilAccepted(t, 'triggerWebhook', requests, [400, 404, 415, 422]);
}

/** Ids of new tasks that are jobs; other clients may have created tasks as well. */
async function findNewJobs(t: TestContext, before: readonly string[]): Promise<string[]> {
  const fresh = (await listTaskIds(t)).filter((id) => !before.includes(id)).slice(0, 8);
  const jobs: string[] = [];
  for (const id of fresh) {
    const job = await t.send('getJob', { path: { job_id: id } });
    if (job.status >= 500 && job.status !== 503)
      t.fail('JOB-01', `GET /job/${id}: expected a job, or 404 if it is none, got ${summarize(job)}`, job);
    if (!job.ok) continue;
    jobs.push(id);
    removeLater(t, `task ${id} of an automation`, 'deleteTask', { path: { task_id: id } });
  }
  return jobs;
}
