import type { RequirementId } from '../../../spec/generated/documents.js';
import { isObject } from '../../../spec/json-schema/schema.js';
import { TASK_STATUSES } from '../../../spec/vocabulary.js';
import { isText, toFields } from '../../conversation/json.js';
import {
  type ApiRequest,
  type ApiResponse,
  isTransient,
  NoResponse,
  summarize,
} from '../http-client/response.js';
import type { ServiceTarget } from '../http-client/target.js';
import { readTaskId } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

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
  for (let first: ApiResponse | undefined; ; await t.sleep(AGAIN_MS)) {
    const polled = await pollOnce();
    const forMs = t.now() - created.at;
    if (polled?.status === 404) {
      first ??= polled;
      if (forMs < LATEST_MS) continue;
    }
    if (first === undefined) return;
    t.target.lagMs = 2 * forMs;
    const message = `POST /task gave the id ${JSON.stringify(task_id)} in exchange ${created.seq}, and the response to GET /task/{task_id} was ${summarize(first)} for ${Math.round(forMs)} ms: a task has to be known once its creation has a response`;
    return t.fail('TASK-01', message, created, first);
  }
}

async function createNext(
  t: TestContext,
  ids: readonly string[],
): Promise<{ task_id: string; response: ApiResponse }> {
  const created = await createTask(t);
  const received = `the response to POST /task was ${summarize(created)}`;
  if (!created.ok) t.inconclusive(isKeyRefused(created) ? `the key is refused: ${received}` : received);
  const task_id = readRecord(created).id;
  const nameless = `the response to POST /task has no task with an id: ${summarize(created)}`;
  if (!isText(task_id)) return stopRun(t, nameless, created, 'TASK-14');
  if (ids.includes(task_id))
    stopRun(t, `POST /task gave two tasks the same id, ${JSON.stringify(task_id)}`, created, 'TASK-01');
  return { task_id, response: created };
}

/** A session, which is cheap; a one-shot task if the target creates no session (a check reports that). */
async function createTask(t: TestContext): Promise<ApiResponse> {
  const session = await t.send('createTask', { body: { task: null } });
  const isRefused = !session.ok && !isKeyRefused(session);
  const task = 'Open https://example.com and tell me its title.';
  const created = isRefused ? await t.send('createTask', { body: { task } }) : session;
  const task_id = readRecord(created).id;
  if (created.ok && isText(task_id))
    t.cleanup(`task ${task_id}`, () => t.send('deleteTask', { path: { task_id } }));
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

/** They need a key and change nothing, and most services have at least one of them. */
const PREFLIGHT_OPERATIONS = ['listTasks', 'getUsage'] as const;
const ABSENT: readonly number[] = [404, 405, 501];
/** Timeout for a request to another address, ms. */
const ELSEWHERE_MS = 3000;

const UNTRUSTED = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS)/;

/**
 * Checks before anything is created whether the target is this API: by one request, and by a second one if the first response
 * does not look like it. Ends the case with one sentence that says what to do.
 */
async function checkReachable(t: TestContext): Promise<void> {
  let first: ApiResponse | undefined;
  for (const operation of PREFLIGHT_OPERATIONS) {
    const response = await t.send(operation).catch(async (error) => {
      if (error instanceof NoResponse) return t.inconclusive(await explainNoResponse(t.target, error));
      throw error;
    });
    if (isApiResponse(response)) return;
    first ??= response;
    // Retries are already exhausted.
    if (isTransient(response)) break;
  }
  const isAbsent = ABSENT.includes(first!.status);
  const other = isAbsent ? await findOtherBase(t.target) : undefined;
  // A service may lack both operations and still have tasks.
  if (isAbsent && other === undefined && readTaskId(await createTask(t)) !== undefined) return;
  await explainFailure(t, first!, other);
}

/** The checks report other refusals and server errors. */
function isApiResponse(response: ApiResponse): boolean {
  const { status, ok, body } = response;
  if (ok) return isObject(body) || Array.isArray(body);
  return !isTransient(response) && ![401, 403, 404, 405].includes(status) && (status < 300 || status >= 400);
}

async function explainFailure(t: TestContext, response: ApiResponse, known?: string): Promise<never> {
  const { status, headers } = response;
  const received = `the response to GET ${t.target.baseUrl}/api/v1/task was ${summarize(response)}`;
  if (isKeyRefused(response)) return explainKey(t, response, received);
  if (isTransient(response)) {
    const after = headers['retry-after'];
    const wait =
      after === undefined ? 'Wait' : /^\d+$/.test(after) ? `Wait ${after} s` : `Wait until ${after}`;
    return t.inconclusive(
      status === 429
        ? `the service limits the rate from the first request on: ${received}. ${wait}, or use another key.`
        : `the service is not available: ${received}. ${wait}.`,
    );
  }
  const location = headers.location === undefined ? '' : `, to ${headers.location}`;
  const other = known ?? (await findOtherBase(t.target));
  const advice = other
    ? `The API is at ${other}: use that address.`
    : 'Give the address below which /api/v1 is.';
  return t.inconclusive(`there is no such API: ${received}${location}. ${advice}`);
}

/** Other common ways to send a key. */
const OTHER_KEY_FORMS: readonly [name: string, sending: (key: string) => ApiRequest][] = [
  ['the header "Authorization: Bearer KEY"', (key) => ({ headers: { authorization: `Bearer ${key}` } })],
  ['the header "Authorization: KEY"', (key) => ({ headers: { authorization: key } })],
  ['the header "x-api-key"', (key) => ({ headers: { 'x-api-key': key } })],
  ['a cookie', () => ({ key: 'main', keyIn: 'cookie' })],
];

async function explainKey(t: TestContext, refused: ApiResponse, received: string): Promise<never> {
  for (const [name, sending] of OTHER_KEY_FORMS) {
    const taken = await t.send('listTasks', { key: null, ...sending(t.target.keys.main) });
    if (!taken.ok) continue;
    const why = `the key is refused in the header "apikey" (${received}) and accepted in ${name}: an operation accepts it in the header "apikey"`;
    t.fail('AUTH-02', why, refused, taken);
    return t.inconclusive(`${why}.`);
  }
  return t.inconclusive(`the key is refused: ${received}. Check --api-key, or TASKDOUBLE_API_KEY.`);
}

async function explainNoResponse(target: ServiceTarget, { message, code = '' }: NoResponse): Promise<string> {
  const { host, hostname } = new URL(target.baseUrl);
  if (code === 'ECONNREFUSED')
    return `nothing listens at ${host} (ECONNREFUSED). Start the service, or correct the address.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the host name ${hostname} cannot be resolved (${code}). Correct the address, or check the network.`;
  if (UNTRUSTED.test(code))
    return `the TLS certificate of ${host} is not accepted (${code}). Name its authority in NODE_EXTRA_CA_CERTS, or correct the address.`;
  const swapped = swapScheme(target.baseUrl);
  if (await isReachable(target, swapped)) {
    const scheme = swapped.startsWith('https') ? 'https' : 'http';
    return `${host} speaks ${scheme}. Use ${swapped}.`;
  }
  return `${message}. Check that the service runs at ${target.baseUrl}.`;
}

function swapScheme(baseUrl: string): string {
  return baseUrl.replace(/^http(s?):/, (_, isSecure) => (isSecure ? 'http:' : 'https:'));
}

/** Searches for the API at addresses above or next to the given one. */
async function findOtherBase(target: ServiceTarget): Promise<string | undefined> {
  const { origin, pathname } = new URL(target.baseUrl);
  const parts = pathname.split('/').filter((part) => part !== '');
  const above = parts.map((_, at) => [origin, ...parts.slice(0, at)].join('/')).reverse();
  for (const base of [...above, swapScheme(target.baseUrl)]) {
    // The key is sent to the same host only.
    const request = requestTasks(target, base, { apikey: target.keys.main });
    const response = await request.catch(() => undefined);
    const text = await response?.text().catch(() => '');
    const isJson = text !== undefined && /^\s*\{/.test(text);
    if (isJson && (response!.ok || [401, 403, 429].includes(response!.status))) return base;
  }
  return undefined;
}

async function isReachable(target: ServiceTarget, base: string): Promise<boolean> {
  try {
    await requestTasks(target, base);
    return true;
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return UNTRUSTED.test(cause?.code ?? '');
  }
}

function requestTasks({ fetch }: ServiceTarget, base: string, headers = {}): Promise<Response> {
  const signal = AbortSignal.timeout(ELSEWHERE_MS);
  return fetch(`${base}/api/v1/task`, { headers, redirect: 'manual', signal });
}
