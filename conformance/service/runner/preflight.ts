import { isObject } from '../../../spec/json-schema/schema.js';
import {
  type ApiRequest,
  type ApiResponse,
  isTransient,
  NoResponse,
  summarize,
} from '../http-client/response.js';
import type { ServiceTarget } from '../http-client/target.js';
import { readTaskId } from '../test-case/read-task.js';
import type { TestContext } from '../test-case/test-context.js';

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
export async function checkReachable(t: TestContext): Promise<void> {
  let first: ApiResponse | undefined;
  for (const operation of PREFLIGHT_OPERATIONS) {
    const response = await sendPreflight(t, operation);
    if (isApiResponse(response)) return;
    first ??= response;
    // Retries are already exhausted.
    if (isTransient(response)) break;
  }
  const isAbsent = ABSENT.includes(first!.status);
  const other = isAbsent ? await findOtherBase(t.target) : undefined;
  if (isAbsent && other === undefined && (await createsTasks(t))) return;
  await explainFailure(t, first!, other);
}

/** A service may lack both operations and still have tasks. */
async function createsTasks(t: TestContext): Promise<boolean> {
  const created = await t.send('createTask', { body: { task: t.text('one-shot') } });
  const task_id = readTaskId(created);
  if (task_id === undefined) return false;
  t.cleanup(`task ${task_id}`, () => t.send('deleteTask', { path: { task_id } }));
  return true;
}

async function sendPreflight(
  t: TestContext,
  operation: (typeof PREFLIGHT_OPERATIONS)[number],
): Promise<ApiResponse> {
  try {
    return await t.send(operation);
  } catch (error) {
    if (error instanceof NoResponse) return t.inconclusive(await explainNoResponse(t.target, error));
    throw error;
  }
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
  if (status === 401 || status === 403) return explainKey(t, response, received);
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
    const response = await requestTasks(target, `${base}/api/v1/task`);
    const text = await response?.text().catch(() => '');
    const isJson = text !== undefined && /^\s*\{/.test(text);
    if (isJson && (response!.ok || [401, 403, 429].includes(response!.status))) return base;
  }
  return undefined;
}

async function isReachable(target: ServiceTarget, base: string): Promise<boolean> {
  try {
    await target.fetch(`${base}/api/v1/task`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ELSEWHERE_MS),
    });
    return true;
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return UNTRUSTED.test(cause?.code ?? '');
  }
}

/** The key is sent to the same host only. */
function requestTasks({ fetch, keys }: ServiceTarget, url: string): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(ELSEWHERE_MS);
  return fetch(url, { headers: { apikey: keys.main }, redirect: 'manual', signal }).catch(() => undefined);
}
