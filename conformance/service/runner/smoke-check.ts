import type { RequirementId } from '../../../spec/generated/documents.js';
import { TASK_STATUSES } from '../../../spec/vocabulary.js';
import { toFields } from '../../conversation/json.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { checkReachable } from './preflight.js';

/** A poll without a response after this time is taken for a long poll, ms. */
const HELD_MS = 1500;
/** Time limit for a new task to become known to polls, ms. */
const LATEST_MS = 10_000;
/** Pause between two polls for an unknown task, ms. */
const AGAIN_MS = 100;

/**
 * Absence alone proves nothing: the target first has to create two tasks with different ids and to distinguish them in polls. A
 * server that sends the same response to every request cannot; then nothing else is tested.
 */
export const smokeCheck: TestCase = {
  id: 'polling/first-tasks',
  title: 'Two tasks are created and distinguished, a precondition of all other checks',
  covers: [],
  operations: ['listTasks', 'createTask', 'getTask', 'deleteTask'],
  tasks: 2,
  async run(t) {
    await checkReachable(t);
    const created = new Map<string, ApiResponse>();
    while (created.size < 2) {
      const { task_id, response } = await createNext(t, [...created.keys()]);
      created.set(task_id, response);
      // A service that does not know a task right after its creation breaks a requirement; the run continues.
      await awaitKnown(t, task_id, response);
    }
    const ids = [...created.keys()];
    const polls = Promise.all(ids.map((task_id) => pollTask(t, task_id)));
    // They are awaited below.
    polls.catch(() => {});
    await t.until(polls, HELD_MS);
    // A long poll lasts until there is news, for example the end of the task.
    for (const task_id of ids) await t.send('deleteTask', { path: { task_id } });
    for (const polled of await polls) {
      const { id, status } = readRecord(polled);
      const isTask = ids.includes(String(id)) || TASK_STATUSES.some((each) => each === status);
      const why = `the response to GET /task/{id} for a new task was ${summarize(polled)}`;
      if (!polled.ok || !isTask) stopRun(t, why, polled, 'TASK-16');
    }
  },
};

/** `broken`: the requirements that a success breaks: the target responds as a service, but not as one of this API. */
function stopRun(t: TestContext, why: string, response: ApiResponse, broken: RequirementId): never {
  if (response.ok) t.fail(broken, why, response);
  return t.inconclusive(why);
}

/** Polls a new task until it is known. A delay breaks a rule. */
async function awaitKnown(t: TestContext, task_id: string, created: ApiResponse): Promise<void> {
  let first: ApiResponse | undefined;
  // A pending long poll shows that the task is known.
  const pollOnce = async () => {
    const polled = pollTask(t, task_id);
    polled.catch(() => {});
    let response: ApiResponse | undefined;
    for (let waitedMs = 0; !response && waitedMs < HELD_MS; waitedMs += AGAIN_MS) {
      await t.until(polled, AGAIN_MS);
      response = await Promise.race([polled, undefined]);
    }
    return response;
  };
  for (;;) {
    const polled = await pollOnce();
    const isUnknown = polled?.status === 404;
    const forMs = t.now() - created.at;
    if (isUnknown) first ??= polled;
    if (isUnknown && forMs < LATEST_MS) {
      await t.sleep(AGAIN_MS);
      continue;
    }
    if (first === undefined) return;
    t.target.lagMs = 2 * forMs;
    const message = `POST /task gave the id ${JSON.stringify(task_id)} in exchange ${created.seq}, and the response to GET /task/{task_id} was ${summarize(first)} for ${Math.round(forMs)} ms: a task has to be known once its creation has a response`;
    t.fail('TASK-01', message, created, first);
    return;
  }
}

async function createNext(
  t: TestContext,
  ids: readonly string[],
): Promise<{ task_id: string; response: ApiResponse }> {
  const created = await createTask(t);
  const received = `the response to POST /task was ${summarize(created)}`;
  if (isKeyRefused(created)) t.inconclusive(`the key is refused: ${received}`);
  if (!created.ok) t.inconclusive(received);
  const task_id = readRecord(created).id;
  if (typeof task_id !== 'string' || task_id === '')
    return stopRun(
      t,
      `the response to POST /task has no task with an id: ${summarize(created)}`,
      created,
      'TASK-14',
    );
  if (ids.includes(task_id))
    stopRun(t, `POST /task gave two tasks the same id, ${JSON.stringify(task_id)}`, created, 'TASK-01');
  t.cleanup(`task ${task_id}`, () => t.send('deleteTask', { path: { task_id } }));
  return { task_id, response: created };
}

/** A session, which is cheap; a one-shot task if the target creates no session (a check reports that). */
async function createTask(t: TestContext): Promise<ApiResponse> {
  const session = await t.send('createTask', { body: { task: null } });
  if (session.ok || isKeyRefused(session)) return session;
  const task = 'Open https://example.com and tell me its title.';
  const created = await t.send('createTask', { body: { task } });
  return created.ok ? created : session;
}

function isKeyRefused({ status }: ApiResponse): boolean {
  return status === 401 || status === 403;
}

/** If a poll without the optional `event_t` is refused, one with it can still distinguish tasks. */
async function pollTask(t: TestContext, task_id: string): Promise<ApiResponse> {
  const bare = await t.send('getTask', { path: { task_id } });
  return bare.status === 400 || bare.status === 422
    ? t.send('getTask', { path: { task_id }, query: { event_t: 0 } })
    : bare;
}

function readRecord({ r, body }: ApiResponse): Readonly<Record<string, unknown>> {
  return toFields(r ?? body) ?? {};
}
