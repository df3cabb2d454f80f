import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Operation } from '../../../spec/generated/operations.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import { attempt, createUnknownRequest } from '../operations/requests.js';
import { describeRequest } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { createDerivedCase, establishBaseline, everyOperation } from './derived-case.js';

/** For each operation: the same request with the key in the header, in a cookie, without a key, and with a wrong one. */
export const authCases: readonly TestCase[] = everyOperation.map((operation) => {
  const id = `auth/${operation.id}` as const;
  if (operation.auth === 'none') {
    const title = 'succeeds without a key';
    const about = { id, title, covers: ['AUTH-04'], successes: 3 } as const;
    return createDerivedCase(operation, about, (t) => sendWithoutKey(t, operation));
  }
  const title = 'accepts the key in the header and in the cookie, and refuses a request without it';
  const selector = hasSelector(operation) ? (['AUTH-07'] as const) : [];
  const covers: RequirementId[] = ['AUTH-02', 'AUTH-03', 'AUTH-05', 'AUTH-06', ...selector];
  return createDerivedCase(operation, { id, title, covers, successes: 3 }, (t) => sendWithKey(t, operation));
});

function hasSelector({ params }: Operation): boolean {
  return params.some((parameter) => parameter.in === 'header');
}

async function sendWithKey(t: TestContext, operation: Operation): Promise<void> {
  const { id } = operation;
  const name = describeRequest(id);
  const { first, next } = await establishBaseline(t, id, (response) => {
    // Other operations accept this key; otherwise the run would have ended.
    const message = `${name} with the key in the header "apikey": expected it to succeed, got ${summarize(response)}`;
    if (response.status === 401) t.fail('AUTH-02', message, response);
  });
  const bare = await attempt(t, id, next(), { key: null });
  const wrong = await attempt(t, id, next(), { key: { value: `invalid-${t.unique()}` } });
  const isRefused = judgeRefused(t, 'AUTH-05', bare, `${name} without a key`);
  judgeRefused(t, 'AUTH-06', wrong, `${name} with a key that does not exist`);
  if (hasSelector(operation))
    judgeRefused(t, 'AUTH-07', bare, `${name} with the headers that select, without a key`);
  if (!isRefused) return;
  // Only the difference to the request without a key shows both.
  t.expect('AUTH-02', true, '', first, bare);
  const cookie = await attempt(t, id, next(), { keyIn: 'cookie' });
  if (cookie.ok) t.expect('AUTH-03', true, '', cookie, bare);
  if (cookie.ok && operation.method === 'GET') {
    await sendAmongCookies(t, operation, next());
    await sendWithBoth(t, operation, next());
  }
  if (cookie.ok || cookie.status === 429) return;
  // A refusal concerns the cookie only if the header still works.
  const again = await attempt(t, id, next());
  const message = `${name} with the key in the cookie "apikey": expected it to succeed as with the header, got ${summarize(cookie)}`;
  if (again.ok) t.fail('AUTH-03', message, cookie, again);
}

/** The cookie is the last one, as a browser may send it; that it is accepted alone is known. */
async function sendAmongCookies(t: TestContext, { id }: Operation, request: ApiRequest): Promise<void> {
  const headers = { ...request.headers, cookie: 'theme=dark; lang=en' };
  const among = await attempt(t, id, request, { headers, keyIn: 'cookie' });
  if (among.status === 429) return;
  const alone = among.ok ? among : await attempt(t, id, request, { keyIn: 'cookie' });
  if (!alone.ok) return;
  const message = `${describeRequest(id)} with the key in the cookie "apikey" after two other cookies: expected it to succeed as with that cookie alone, got ${summarize(among)}`;
  t.expect('AUTH-03', among.ok, message, among, alone);
}

/** The same key in the header and in the cookie. */
async function sendWithBoth(t: TestContext, { id }: Operation, request: ApiRequest): Promise<void> {
  const cookie = `apikey=${encodeURIComponent(t.target.keys.main)}`;
  const both = await attempt(t, id, request, { headers: { ...request.headers, cookie } });
  const again = await attempt(t, id, request);
  if (!again.ok || both.status === 429) return;
  const message = `${describeRequest(id)} with the key in the header and in the cookie "apikey": expected it to succeed as with either alone, got ${summarize(both)}`;
  t.expect('AUTH-03', both.ok, message, both, again);
}

/** Checks that the request was refused. Any refusal is accepted: the API states no status. */
function judgeRefused(
  t: TestContext,
  requirement: RequirementId,
  response: ApiResponse,
  what: string,
): boolean {
  const { status } = response;
  if (status === 429 || (status >= 300 && status < 400)) return false;
  const message = `${what}: expected a refusal such as 401 or 403, got ${summarize(response)}`;
  return t.expect(requirement, status >= 400 && status < 500, message, response);
}

async function sendWithoutKey(t: TestContext, { id }: Operation): Promise<void> {
  const formatMessage = (response: ApiResponse) =>
    `${describeRequest(id)} without a key, which it does not require: expected it to succeed, got ${summarize(response)}`;
  const isClosed = ({ status }: ApiResponse) => status === 401 || status === 403;
  // A resource that does not exist must not make the key optional.
  const stranger = createUnknownRequest(t, id);
  const unknown = await attempt(t, id, stranger);
  const unknownBare = await attempt(t, id, stranger, { key: null });
  if (isClosed(unknownBare) && !isClosed(unknown))
    return t.fail('AUTH-04', formatMessage(unknownBare), unknownBare, unknown);
  const { first, next } = await establishBaseline(t, id);
  const bare = await attempt(t, id, next(), { key: null });
  if (bare.ok && unknown.ok) t.inconclusive('a request for what does not exist has the same response');
  if (bare.ok) return void t.expect('AUTH-04', true, '', bare, unknown, first);
  const again = await attempt(t, id, next());
  if (again.ok) t.fail('AUTH-04', formatMessage(bare), bare, again);
}
