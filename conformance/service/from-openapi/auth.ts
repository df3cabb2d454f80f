import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Operation } from '../../../spec/generated/operations.js';
import type { Probe } from '../cases/test-case.js';
import type { Answer } from '../http-client/response.js';
import { samplers } from '../request-builders/index.js';
import { type Kit, said, withKit } from '../request-builders/tracker.js';
import { attempt, costs, everyOperation, nameOf, twin } from './attempt.js';

/** For each operation: what becomes of the same request with the key, without it, with a wrong one, with it in a cookie. */
export const authProbes: readonly Probe[] = everyOperation.map((operation) => {
  const { id, auth } = operation;
  const isNamed = hasSelector(operation);
  const covers: RequirementId[] =
    auth === 'none'
      ? ['AUTH-04']
      : ['AUTH-02', 'AUTH-03', 'AUTH-05', 'AUTH-06', ...(isNamed ? (['AUTH-07'] as const) : [])];
  return {
    id: `auth/${id}`,
    title:
      auth === 'none'
        ? `${nameOf(id)} does its work without a key`
        : `${nameOf(id)} takes the key from the header and from the cookie, and nobody without it`,
    covers,
    ...costs(id, 3),
    run: (probing) =>
      withKit(probing, (kit) => (auth === 'none' ? open(kit, operation) : keyed(kit, operation))),
  };
});

function hasSelector({ params }: Operation): boolean {
  return params.some((parameter) => parameter.in === 'header');
}

async function keyed(kit: Kit, operation: Operation): Promise<void> {
  const { probing } = kit;
  const { id } = operation;
  const name = nameOf(id);
  const { first, next } = await twin(kit, id, (answer) => {
    // Other operations take this key, or nothing would be judged.
    const message = `${name} with the key in the header "apikey" was expected to succeed; it was answered with ${said(answer)}`;
    if (answer.status === 401) probing.broke('AUTH-02', message, answer);
  });
  const bare = await attempt(kit, id, next(), { key: null });
  const wrong = await attempt(kit, id, next(), { key: { value: `invalid-${probing.unique()}` } });
  const isRefused = judge(kit, 'AUTH-05', bare, `${name} without a key`);
  judge(kit, 'AUTH-06', wrong, `${name} with a key that nobody has`);
  if (hasSelector(operation))
    judge(kit, 'AUTH-07', bare, `${name} with the headers that select, without a key`);
  if (!isRefused) return;
  // Both are shown only by the difference to the request without it.
  probing.expect('AUTH-02', true, '', first, bare);
  const cookie = await attempt(kit, id, next(), { keyIn: 'cookie' });
  if (cookie.ok) probing.expect('AUTH-03', true, '', cookie, bare);
  else if (cookie.status !== 429) await compare(kit, operation, cookie, next);
}

/** True when it was refused. Whichever status says so: the answer is not given by the API. */
function judge(kit: Kit, requirement: RequirementId, answer: Answer, what: string): boolean {
  const { status } = answer;
  if (status === 429 || (status >= 300 && status < 400)) return false;
  const isRefused = status >= 400 && status < 500;
  kit.probing.expect(
    requirement,
    isRefused,
    `${what} was expected to be refused, such as with 401 or 403; it was answered with ${said(answer)}`,
    answer,
  );
  return isRefused;
}

/** The key in the cookie did not do: it is the cookie if the same goes well with the header, now as before. */
async function compare(
  kit: Kit,
  { id }: Operation,
  cookie: Answer,
  next: () => Parameters<typeof attempt>[2],
): Promise<void> {
  const again = await attempt(kit, id, next());
  if (!again.ok) return;
  kit.probing.broke(
    'AUTH-03',
    `${nameOf(id)} succeeds with the key in the header and was expected to with the same key in the cookie "apikey"; it was answered with ${said(cookie)}`,
    cookie,
    again,
  );
}

/** Nobody's key is asked for. */
async function open(kit: Kit, { id }: Operation): Promise<void> {
  const { probing } = kit;
  const sampler = samplers[id];
  const complaint = (answer: Answer) =>
    `${nameOf(id)} needs no key; without one it was answered with ${said(answer)}`;
  const isClosed = ({ status }: Answer) => status === 401 || status === 403;
  // Also for something that is not there, a key must make no difference.
  const stranger = sampler.stranger!(kit);
  const unknown = await attempt(kit, id, stranger);
  const unknownBare = await attempt(kit, id, stranger, { key: null });
  if (isClosed(unknownBare) && !isClosed(unknown)) {
    probing.broke('AUTH-04', complaint(unknownBare), unknownBare, unknown);
    return;
  }
  const { first, next } = await twin(kit, id);
  const bare = await attempt(kit, id, next(), { key: null });
  if (bare.ok) {
    if (unknown.ok) return probing.inconclusive('what is not there is answered in the same way');
    probing.expect('AUTH-04', true, '', bare, unknown, first);
    return;
  }
  const again = await attempt(kit, id, next());
  if (again.ok) probing.broke('AUTH-04', complaint(bare), bare, again);
}
