import { operations } from '../../../spec/generated/operations.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import { create } from '../request-builders/requests.js';
import { CHAT_IDS, type Names, TIMES } from '../request-builders/resources.js';
import { createWorkspace, inWorkspace } from '../request-builders/workspaces.js';
import { trackResources } from '../runner/cleanup.js';
import { idIn, membersOf, payloadOf } from '../test-case/read-record.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { judgeRefusal, REFUSAL_COVERS } from './derived-case.js';

const L = operations.listTasks.params.find(({ name }) => name === 'l')!;
const [LEAST_TASKS, MAX_TASKS, DEFAULT_TASKS] = [L.minimum!, L.maximum!, Number(L.default)];
const DEFAULT_CHATS = Number(operations.listChats.params.find(({ name }) => name === 'limit')!.default);

/** Requests under way at a time where many resources are created. */
const CONCURRENCY = 16;

export const limitCases: readonly TestCase[] = [
  // `l` is the one parameter that has bounds.
  {
    id: 'limits/listTasks-l',
    title: `GET /task takes an l from ${LEAST_TASKS} to ${MAX_TASKS}, and no other`,
    covers: ['LIMIT-02', 'LIMIT-01', ...REFUSAL_COVERS],
    operations: ['listTasks', 'createTask', 'deleteTask'],
    tasks: 2,
    run: judgeBoundsOfTasks,
  },
  {
    id: 'limits/listTasks-default',
    title: `GET /task lists ${DEFAULT_TASKS} tasks without l`,
    covers: ['LIMIT-01'],
    operations: ['listTasks', 'createTask', 'deleteTask'],
    tasks: DEFAULT_TASKS + 1,
    run: judgeDefaultOfTasks,
  },
  {
    id: 'limits/listChats-limit',
    title: 'GET /chat lists no more chats than its limit',
    covers: ['CHAT-01'],
    operations: ['listChats', 'createWorkspace', 'createChatTask', 'deleteChat', 'deleteTask'],
    tasks: 2,
    run: judgeLimitOfChats,
  },
  // Each chat starts a task: so many are created only where money does not matter.
  {
    id: 'limits/listChats-default',
    title: `GET /chat lists ${DEFAULT_CHATS} chats without a limit`,
    covers: ['LIMIT-03'],
    operations: ['listChats', 'createWorkspace', 'createMessage', 'deleteChat', 'deleteTask'],
    tasks: DEFAULT_CHATS + 1,
    allow: 'billing',
    run: (t) => trackResources(t, judgeDefaultOfChats, CONCURRENCY),
  },
];

/** Ends the case where the list is refused. */
async function list(t: TestContext, operation: 'listTasks' | 'listChats', request: ApiRequest = {}) {
  const response = await t.send(operation, request);
  const what = operations[operation].path;
  return response.ok ? response : t.inconclusive(`GET ${what}: expected a list, got ${summarize(response)}`);
}

async function judgeBoundsOfTasks(t: TestContext): Promise<void> {
  // With two there is something to leave out.
  await create(t, 'session');
  await create(t, 'session');
  const plain = await list(t, 'listTasks');
  const within: ApiResponse[] = [];
  for (const l of [LEAST_TASKS, MAX_TASKS]) {
    const response = await t.send('listTasks', { query: { l } });
    const message = `GET /task?l=${l}: expected it to be accepted, got ${summarize(response)}`;
    if (response.status !== 403 && response.status !== 429 && !response.ok)
      return t.fail('LIMIT-02', message, plain, response);
    within.push(response);
  }
  for (const l of [LEAST_TASKS - 1, MAX_TASKS + 1, -1])
    judgeRefusal(t, await t.send('listTasks', { query: { l }, mayBeRefused: true }), `GET /task?l=${l}`, [
      'LIMIT-02',
    ]);
  const [one, many] = within as [ApiResponse, ApiResponse];
  if (sizeOf(many) < 2 || !one.ok) return;
  const message = `GET /task?l=${LEAST_TASKS}: expected ${LEAST_TASKS} of ${sizeOf(many)} tasks, got ${sizeOf(one)}`;
  t.expect('LIMIT-01', sizeOf(one) <= LEAST_TASKS, message, many, one);
}

async function judgeDefaultOfTasks(t: TestContext): Promise<void> {
  const query = { l: DEFAULT_TASKS + 1 };
  const existing = sizeOf(await t.send('listTasks', { query }));
  // Each is stopped before the next starts.
  for (let n = existing; n <= DEFAULT_TASKS; n++)
    await trackResources(t, async (each) => void (await create(each, 'task')));
  const all = await t.send('listTasks', { query });
  if (sizeOf(all) <= DEFAULT_TASKS)
    return t.inconclusive(`GET /task?l=${query.l}: expected as many tasks, got ${sizeOf(all)}`);
  const explicit = await list(t, 'listTasks', { query: { l: DEFAULT_TASKS } });
  const implicit = await list(t, 'listTasks');
  const size = sizeOf(implicit);
  const message = `GET /task without l: expected ${DEFAULT_TASKS} tasks of more, as with l=${DEFAULT_TASKS}, got ${size}`;
  const holds = size <= DEFAULT_TASKS && size === sizeOf(explicit);
  t.expect('LIMIT-01', holds, message, all, explicit, implicit);
}

async function judgeLimitOfChats(t: TestContext): Promise<void> {
  const chats = [await create(t, 'chat'), await create(t, 'chat')];
  const { headers } = inWorkspace(String(chats[0]!['workspace-id']));
  const all = await t.send('listChats', { headers });
  if (countOf(all, chats) < 2) return t.inconclusive('GET /chat does not list two new chats');
  const one = await t.send('listChats', { headers, query: { limit: 1 } });
  const message = 'GET /chat?limit=1: expected one chat, got two';
  if (one.ok) t.expect('CHAT-01', countOf(one, chats) < 2, message, all, one);
}

async function judgeDefaultOfChats(t: TestContext): Promise<void> {
  const { headers } = inWorkspace((await createWorkspace(t)).id);
  const createChat = () => create(t, 'message', headers);
  // The first finds the form that is accepted.
  const chats = [await createChat()];
  while (chats.length <= DEFAULT_CHATS) {
    const missing = Math.min(CONCURRENCY, DEFAULT_CHATS + 1 - chats.length);
    const creations = Array.from({ length: missing }, createChat);
    // Also where one fails: what the others create has to be known before it is removed.
    await Promise.allSettled(creations);
    chats.push(...(await Promise.all(creations)));
  }
  const all = await t.send('listChats', { headers, query: { limit: chats.length } });
  if (countOf(all, chats) < chats.length)
    return t.inconclusive(`GET /chat lists ${countOf(all, chats)} of ${chats.length} chats`);
  const implicit = await list(t, 'listChats', { headers });
  const count = countOf(implicit, chats);
  const message = `GET /chat without a limit: expected ${DEFAULT_CHATS} of ${chats.length} chats, got ${count}`;
  t.expect('LIMIT-03', count === DEFAULT_CHATS, message, all, implicit);
}

/** How many of the chats a response lists. */
function countOf(response: ApiResponse, chats: readonly Names[]): number {
  const rows = response.ok ? membersOf(payloadOf(response)) : [];
  const names = (id: 'chat-id' | 't') =>
    new Set(chats.flatMap((chat) => (chat[id] === undefined ? [] : String(chat[id]))));
  const [ids, times] = [names('chat-id'), names('t')];
  const isOne = (row: unknown) =>
    ids.has(idIn(row, CHAT_IDS) ?? '') || (ids.size === 0 && times.has(idIn(row, TIMES) ?? ''));
  return rows.filter(isOne).length;
}

/** Members of the list; 0 where there is none. */
function sizeOf({ ok, r }: ApiResponse): number {
  return ok && Array.isArray(r) ? r.length : 0;
}
