import { operations } from '../../../spec/generated/operations.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import { createResource } from '../operations/requests.js';
import { CHAT_IDS, type ResourceNames, TIMES } from '../operations/resources.js';
import { createWorkspace, selectWorkspace } from '../operations/shared-workspaces.js';
import { trackResources } from '../runner/cleanup.js';
import { collectMembers, readId, readPayload } from '../test-case/read-record.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { judgeRefusal, REFUSAL_COVERS } from './derived-case.js';

const L = operations.listTasks.params.find(({ name }) => name === 'l')!;
const [LEAST_TASKS, MAX_TASKS, DEFAULT_TASKS] = [L.minimum!, L.maximum!, Number(L.default)];
const DEFAULT_CHATS = Number(operations.listChats.params.find(({ name }) => name === 'limit')!.default);

/** Concurrent requests when many resources are created. */
const CONCURRENCY = 16;

export const limitCases: readonly TestCase[] = [
  // `l` is the only parameter with bounds.
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
  // Each chat starts a task: so many are created only if cost does not matter.
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

/** Ends the case if the list is refused. */
async function readList(t: TestContext, operation: 'listTasks' | 'listChats', request: ApiRequest = {}) {
  const response = await t.send(operation, request);
  const what = operations[operation].path;
  return response.ok ? response : t.inconclusive(`GET ${what}: expected a list, got ${summarize(response)}`);
}

async function judgeBoundsOfTasks(t: TestContext): Promise<void> {
  // With two tasks, `l` can leave one out.
  await createResource(t, 'session');
  await createResource(t, 'session');
  const plain = await readList(t, 'listTasks');
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
  if (countRows(many) < 2 || !one.ok) return;
  const message = `GET /task?l=${LEAST_TASKS}: expected ${LEAST_TASKS} of ${countRows(many)} tasks, got ${countRows(one)}`;
  t.expect('LIMIT-01', countRows(one) <= LEAST_TASKS, message, many, one);
}

async function judgeDefaultOfTasks(t: TestContext): Promise<void> {
  const query = { l: DEFAULT_TASKS + 1 };
  const existing = countRows(await t.send('listTasks', { query }));
  // Each session is stopped before the next one starts.
  for (let n = existing; n <= DEFAULT_TASKS; n++)
    await trackResources(t, async (each) => void (await createResource(each, 'task')));
  const all = await t.send('listTasks', { query });
  if (countRows(all) <= DEFAULT_TASKS)
    return t.inconclusive(`GET /task?l=${query.l}: expected as many tasks, got ${countRows(all)}`);
  const explicit = await readList(t, 'listTasks', { query: { l: DEFAULT_TASKS } });
  const implicit = await readList(t, 'listTasks');
  const size = countRows(implicit);
  const message = `GET /task without l: expected ${DEFAULT_TASKS} tasks of more, as with l=${DEFAULT_TASKS}, got ${size}`;
  const holds = size <= DEFAULT_TASKS && size === countRows(explicit);
  t.expect('LIMIT-01', holds, message, all, explicit, implicit);
}

async function judgeLimitOfChats(t: TestContext): Promise<void> {
  const chats = [await createResource(t, 'chat'), await createResource(t, 'chat')];
  const { headers } = selectWorkspace(String(chats[0]!['workspace-id']));
  const all = await t.send('listChats', { headers });
  if (countListed(all, chats) < 2) return t.inconclusive('GET /chat does not list two new chats');
  const one = await t.send('listChats', { headers, query: { limit: 1 } });
  const message = 'GET /chat?limit=1: expected one chat, got two';
  if (one.ok) t.expect('CHAT-01', countListed(one, chats) < 2, message, all, one);
}

async function judgeDefaultOfChats(t: TestContext): Promise<void> {
  const { headers } = selectWorkspace((await createWorkspace(t)).id);
  const createChat = () => createResource(t, 'message', headers);
  // The first request finds the accepted form.
  const chats = [await createChat()];
  while (chats.length <= DEFAULT_CHATS) {
    const missing = Math.min(CONCURRENCY, DEFAULT_CHATS + 1 - chats.length);
    const creations = Array.from({ length: missing }, createChat);
    // Waits for all, also after a failure: every created chat has to be known before the cleanup.
    await Promise.allSettled(creations);
    chats.push(...(await Promise.all(creations)));
  }
  const all = await t.send('listChats', { headers, query: { limit: chats.length } });
  if (countListed(all, chats) < chats.length)
    return t.inconclusive(`GET /chat lists ${countListed(all, chats)} of ${chats.length} chats`);
  const implicit = await readList(t, 'listChats', { headers });
  const count = countListed(implicit, chats);
  const message = `GET /chat without a limit: expected ${DEFAULT_CHATS} of ${chats.length} chats, got ${count}`;
  t.expect('LIMIT-03', count === DEFAULT_CHATS, message, all, implicit);
}

function countListed(response: ApiResponse, chats: readonly ResourceNames[]): number {
  const rows = response.ok ? collectMembers(readPayload(response)) : [];
  const collectNames = (id: 'chat-id' | 't') =>
    new Set(chats.flatMap((chat) => (chat[id] === undefined ? [] : String(chat[id]))));
  const [ids, times] = [collectNames('chat-id'), collectNames('t')];
  const isListedChat = (row: unknown) =>
    ids.has(readId(row, CHAT_IDS) ?? '') || (ids.size === 0 && times.has(readId(row, TIMES) ?? ''));
  return rows.filter(isListedChat).length;
}

/** Number of list entries; 0 without a list. */
function countRows({ ok, r }: ApiResponse): number {
  return ok && Array.isArray(r) ? r.length : 0;
}
