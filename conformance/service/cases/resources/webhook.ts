import { asFields, field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { idIn, leavesOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { removeLater, shouldSucceed, tryUntilAccepted } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { type Made, make } from './lifecycle.js';
import { automations } from './lifecycles.js';

const webhook: TestCase = {
  id: 'resources/webhook',
  title: 'A webhook sets off the automation that it names without a key, and what it runs is a job',
  covers: ['AUTO-04', 'JOB-01'],
  operations: ['createWorkspace', 'createAutomation', 'triggerWebhook', 'listTasks', 'getJob'],
  tasks: 2,
  async run(t: TestContext) {
    const made = await make(t, automations);
    const before = await taskIds(t);
    const namings = namesOf(made);
    const never = await call(t, namings, unlike);
    const called = await call(t, namings);
    shouldSucceed(
      t,
      'AUTO-04',
      { ...called, status: called.status === 404 ? 422 : called.status },
      'POST /webhook without a key',
    );
    const runs = await newJobs(t, before);
    for (const { id } of runs)
      removeLater(t, `task ${id} of an automation`, 'deleteTask', { path: { task_id: id } });
    const isSeen = runs.length > 0;
    if (never.ok && !isSeen)
      t.inconclusive('POST /webhook takes any name, and nothing shows what it sets off');
    t.expect(
      'AUTO-04',
      called.ok && (!never.ok || isSeen),
      `POST /webhook for the automation "${made.id}": expected it to be set off, got ${summarize(called)}`,
      made.created,
      never,
      called,
    );
    const [run] = runs;
    const id = run?.id ?? idIn(asFields(called.body) ?? {}, ['job_id', 'jobId', 'job']);
    if (id === undefined)
      t.inconclusive('nothing that was set off is known as a job: where ids of jobs come from is open');
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
  t.expect(
    'JOB-01',
    keyless.ok,
    `GET /job/${job_id} without a key: expected it to be answered as with one, got ${summarize(keyless)}`,
    keyed,
    keyless,
    other,
  );
}

/** What may tell the webhook which automation to set off: its id or something that the record calls a token. */
function namesOf({ id, record }: Made): string[] {
  const tokens = leavesOf(record).filter(
    ({ name, value }) => /token|secret|hook/i.test(name) && typeof value === 'string',
  );
  return [id, ...tokens.map(({ value }) => String(value))];
}

/** POST /webhook without a key, under the names that the automation may go by. */
function call(
  t: TestContext,
  names: readonly string[],
  change: (name: string) => string = (name) => name,
): Promise<ApiResponse> {
  const bodies = names.map(change).flatMap((name) => [
    { automation_id: name, payload: {} },
    { automation_id: name },
    {
      id: name,
      automation_id: name,
      automationId: name,
      automation: name,
      token: name,
      webhook_token: name,
      payload: {},
    },
    { id: name },
    { automation: name },
    { token: name },
  ]);
  const tries = bodies.map((body) => async () => {
    const response = await t.send('triggerWebhook', { body, key: null });
    // A name that is not known may be one of another kind.
    return response.status === 404 ? { ...response, status: 422 } : response;
  });
  return tryUntilAccepted(tries);
}

async function taskIds(t: TestContext): Promise<Set<string>> {
  const { r } = await t.send('listTasks', { query: { l: 128 } });
  return new Set(Array.isArray(r) ? r.map((task) => String(field(task, 'id'))) : []);
}

/** Tasks that are new and known as jobs; others may have made tasks meanwhile. */
async function newJobs(t: TestContext, before: ReadonlySet<string>): Promise<{ id: string }[]> {
  const fresh = [...(await taskIds(t))].filter((id) => !before.has(id)).slice(0, 8);
  const jobs: { id: string }[] = [];
  for (const id of fresh) {
    const job = await t.send('getJob', { path: { job_id: id } });
    if (job.status >= 500 && job.status !== 503)
      t.fail('JOB-01', `GET /job/${id}: expected a job, or 404 if it is none, got ${summarize(job)}`, job);
    if (job.ok) jobs.push({ id });
  }
  return jobs;
}

export const webhookCases: readonly TestCase[] = [webhook];
