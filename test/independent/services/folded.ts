import { advanceLedger } from './folded/agent.js';
import { type Choices, readChoices } from './folded/choices.js';
import { type Answer, type Call, type House, notFound, Refusal, type Route } from './folded/http.js';
import { type Fields, type Json, Ledger } from './folded/ledger.js';
import { resourceRoutes } from './folded/resources.js';
import { isFields } from './folded/schema.js';
import { taskRoutes } from './folded/tasks.js';
import { workspaceRoutes } from './folded/workspaces.js';

export { faults, variations } from './folded/choices.js';

export interface FoldedSettings {
  /** Epoch milliseconds, virtual. */
  now(): number;
  variation?: string;
  fault?: string;
}

const prefix = '/api/v1';
const routes: Route[] = [...workspaceRoutes, ...taskRoutes, ...resourceRoutes];
const month = 30 * 24 * 3_600_000;

function openLedger(key: string, plan: string, credits: number, now: number): Ledger {
  const ledger = new Ledger(key);
  ledger.put(now, 'org', 'self', { id: `org of ${key}`, name: `Organisation ${key}`, plan });
  ledger.append({ kind: 'balance', at: now, change: credits });
  const id = `proxy 1/${key}`;
  ledger.put(now, 'proxies', id, {
    id,
    host: 'proxy.example.net',
    auto_renew: true,
    expires_at: now + month,
  });
  return ledger;
}

/** Ids that go into headers hold only what a header may hold; the others need escaping in a path. */
function idMaker(choices: Choices): (what: string) => string {
  let count = 0;
  return (what) => {
    count += 1;
    if (choices.varies('plain-ids')) return `${what}${count.toString(36).padStart(6, '0')}`;
    if (choices.varies('integer-ids')) return String(41_000_000_000 + count * 7919);
    if (what === 'header') return `w ${count}/?#[&=%2F]+;:,~ !'()*`;
    return `${what} #${count}/?&=%41+;ü✓ ${`part-${count}.`.repeat(20)}`;
  };
}

function splitPath(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** The path is matched before it is decoded: an id may hold an escaped slash. */
function matchRoute(method: string, path: string): { route: Route; params: string[] } {
  const parts = path.startsWith(`${prefix}/`) ? splitPath(path.slice(prefix.length)) : undefined;
  const onPath = routes.filter((route) => {
    const wanted = route.path.split('/');
    return wanted.length === parts?.length && wanted.every((part, i) => part === '*' || part === parts[i]);
  });
  const fixed = (route: Route) => route.path.split('/').filter((part) => part !== '*').length;
  const route = onPath.filter((one) => one.method === method).sort((a, b) => fixed(b) - fixed(a))[0];
  if (!parts || onPath.length === 0) throw notFound('path');
  if (!route) throw new Refusal(405, 'This method is not allowed here.');
  return { route, params: parts.filter((_, i) => route.path.split('/')[i] === '*') };
}

function cookieKey(headers: Headers): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(/;\s*/);
  return pairs
    .find((pair) => pair.startsWith('apikey='))
    ?.slice('apikey='.length)
    .replaceAll('"', '');
}

function findLedger(house: House, headers: Headers): Ledger {
  const { choices, seenOnce } = house;
  const refusal = new Refusal(
    choices.varies('unknown-key-403') ? 403 : 401,
    'The API key is missing or not known.',
  );
  const header = headers.get('apikey');
  const cookie = cookieKey(headers);
  const both = header !== null && cookie !== undefined;
  if (both && header !== cookie && choices.varies('disagreeing-cookie-refused')) throw refusal;
  if (both && choices.fault('cookie-beside-header')) throw refusal;
  if (header === null && choices.fault('cookie-once') && seenOnce.has('cookie')) throw refusal;
  if (header === null) seenOnce.add('cookie');
  const ledger = house.ledgers.find((one) => one.key === (header ?? cookie));
  if (!ledger) throw refusal;
  return ledger;
}

async function readJson(request: Request): Promise<Json> {
  try {
    return (await request.json()) as Json;
  } catch {
    throw new Refusal(422, [{ loc: ['body'], msg: 'the body is not JSON', type: 'json_invalid' }]);
  }
}

async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw new Refusal(422, [{ loc: ['body'], msg: 'the body is not a form', type: 'form_invalid' }]);
  }
}

function encodeAnswer(call: Pick<Call, 'house'>, { status = 200, body }: Answer): Response {
  if (body === undefined) return new Response(null, { status });
  const beside = call.house.choices.varies('envelope-extras') && isFields(body);
  return Response.json(beside ? { ...body, service: 'folded', more: null } : body, { status });
}

function encodeRefusal({ choices }: House, { status, detail, headers }: Refusal): Response {
  const first = Array.isArray(detail) ? (detail[0] as Fields)['msg'] : detail;
  const told = choices.varies('text-of-422') ? first! : detail;
  return Response.json(choices.fault('message-not-detail') ? { message: told } : { detail: told }, {
    status,
    headers,
  });
}

/** Counts polls of one task that are in progress together. */
async function besidePolls<T>(house: House, key: string, run: (shared: boolean) => Promise<T>): Promise<T> {
  const count = house.pollsAtOnce.get(key) ?? 0;
  house.pollsAtOnce.set(key, count + 1);
  try {
    return await run(count > 0);
  } finally {
    house.pollsAtOnce.set(key, house.pollsAtOnce.get(key)! - 1);
  }
}

async function answer(house: House, now: () => number, request: Request, url: URL, shared: boolean) {
  const { route, params } = matchRoute(request.method, url.pathname);
  const open = route.open && !(house.choices.fault('webhook-with-key') && route.path === '/webhook');
  const ledger = open ? house.ledgers[0]! : findLedger(house, request.headers);
  const body = route.reads === 'json' ? await readJson(request) : undefined;
  const form = route.reads === 'form' ? await readForm(request) : undefined;
  await Promise.resolve();
  const time = Math.floor(now());
  advanceAll(house, time);
  return route.run({
    house,
    ledger,
    now: time,
    params,
    query: url.searchParams,
    headers: request.headers,
    body,
    form,
    sharedPoll: shared,
  });
}

function advanceAll(house: House, now: number): void {
  for (const ledger of house.ledgers) {
    const newestSession = () =>
      [...ledger.state.tasks.values()].findLast((one) => one.session && one.status === 'running')?.id;
    advanceLedger(ledger, now, { choices: house.choices, makeId: house.makeId, newestSession });
  }
}

export function createService(settings: FoldedSettings): { fetch(request: Request): Promise<Response> } {
  const choices = readChoices(settings.variation, settings.fault);
  const start = Math.floor(settings.now());
  const house: House = {
    choices,
    ledgers: [
      openLedger('main-key', 'growth', 1_000_000, start),
      openLedger('other-key', 'growth', 1_000_000, start),
      openLedger('free-key', 'free', 500, start),
      openLedger('exhausted-key', 'growth', 0, start),
    ],
    makeId: idMaker(choices),
    refusedReplies: new Set(),
    pollTimes: new Map(),
    pollsAtOnce: new Map(),
    seenOnce: new Set(),
  };
  return {
    fetch: (request) => {
      const url = new URL(request.url);
      return besidePolls(house, `${request.method} ${url.pathname}`, async (shared) => {
        try {
          return encodeAnswer({ house }, await answer(house, settings.now, request, url, shared));
        } catch (error) {
          if (error instanceof Refusal) return encodeRefusal(house, error);
          throw error;
        }
      });
    },
  };
}
