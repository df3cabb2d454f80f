import { operations } from '../../../spec/generated/operations.js';
import type { Probe } from '../cases/test-case.js';
import type { Answer } from '../http-client/response.js';
import { valuesIn } from '../request-builders/read.js';
import * as things from '../request-builders/things.js';
import { type Kit, said, withKit } from '../request-builders/tracker.js';
import { judgeRefusal, REFUSAL_COVERS } from './refusal.js';

const L = operations.listTasks.params.find(({ name }) => name === 'l')!;
const MOST = L.maximum!;
const USUAL = Number(L.default);
const USUAL_CHATS = Number(operations.listChats.params.find(({ name }) => name === 'limit')!.default);

/** Bounds from both sides. `l` is the one parameter that has them. */
const bounds: Probe = {
  id: 'limits/listTasks-l',
  title: `GET /task takes an l from ${L.minimum} to ${MOST}, and no other`,
  covers: ['LIMIT-02', 'LIMIT-01', ...REFUSAL_COVERS],
  operations: ['listTasks', 'createTask', 'deleteTask'],
  tasks: 2,
  run: (probing) =>
    withKit(probing, async (kit) => {
      // With two there is something to leave out.
      await things.session(kit);
      await things.session(kit);
      const plain = await kit.send('listTasks');
      if (!plain.ok) return probing.inconclusive(`GET /task was answered with ${said(plain)}`);
      const within: Answer[] = [];
      for (const l of [L.minimum!, MOST]) {
        const answer = await kit.send('listTasks', { query: { l } });
        const message = `GET /task?l=${l} was expected to be accepted; it was answered with ${said(answer)}`;
        if (answer.status !== 403 && answer.status !== 429 && !answer.ok)
          return void probing.broke('LIMIT-02', message, plain, answer);
        within.push(answer);
      }
      for (const l of [L.minimum! - 1, MOST + 1, -1]) {
        const answer = await kit.send('listTasks', { query: { l } });
        judgeRefusal(kit, answer, `GET /task?l=${l}`, ['LIMIT-02']);
      }
      const [one, many] = within as [Answer, Answer];
      if (sizeOf(many) < 2 || !one.ok) return;
      const message = `GET /task?l=${L.minimum} was expected to list ${L.minimum} of ${sizeOf(many)} tasks; it lists ${sizeOf(one)}`;
      probing.expect('LIMIT-01', sizeOf(one) <= L.minimum!, message, many, one);
    }),
};

const usual: Probe = {
  id: 'limits/listTasks-default',
  title: `GET /task lists ${USUAL} tasks unless told otherwise`,
  covers: ['LIMIT-01'],
  operations: ['listTasks', 'createTask', 'deleteTask'],
  tasks: USUAL + 1,
  run: (probing) =>
    withKit(probing, async (kit) => {
      const query = { l: USUAL + 1 };
      const there = sizeOf(await kit.send('listTasks', { query }));
      for (let n = there; n <= USUAL; n++) await things.briefSession(kit);
      const all = await kit.send('listTasks', { query });
      if (sizeOf(all) <= USUAL)
        return probing.inconclusive(`GET /task?l=${USUAL + 1} lists ${sizeOf(all)} of ${USUAL + 1} tasks`);
      const told = await kit.send('listTasks', { query: { l: USUAL } });
      const untold = await kit.send('listTasks');
      if (!untold.ok || !told.ok) return probing.inconclusive(`GET /task was answered with ${said(untold)}`);
      const expected = sizeOf(told);
      probing.expect(
        'LIMIT-01',
        sizeOf(untold) <= USUAL && sizeOf(untold) === expected,
        `GET /task without l was expected to list ${USUAL} tasks, as with l=${USUAL}, of which there are more; it lists ${sizeOf(untold)}`,
        all,
        told,
        untold,
      );
    }),
};

const chats: Probe = {
  id: 'limits/listChats-limit',
  title: 'GET /chat keeps to the limit that it is given',
  covers: ['CHAT-01'],
  operations: ['listChats', 'createWorkspace', 'createChatTask', 'deleteChat', 'deleteTask'],
  tasks: 2,
  run: (probing) =>
    withKit(probing, async (kit) => {
      const made = [await things.chat(kit), await things.chat(kit)];
      const headers = { 'workspace-id': made[0]!.workspace };
      const all = await kit.send('listChats', { headers });
      if (countOf(all, made) < 2) return probing.inconclusive('GET /chat does not list two new chats');
      const one = await kit.send('listChats', { headers, query: { limit: 1 } });
      const message = 'GET /chat?limit=1 was expected to list one chat; it lists two';
      if (one.ok) probing.expect('CHAT-01', countOf(one, made) < 2, message, all, one);
    }),
};

/** Requests under way at a time where many things are made. */
const AT_ONCE = 16;

/** Chats start tasks: so many are made only where money does not matter. */
const usualChats: Probe = {
  id: 'limits/listChats-default',
  title: `GET /chat lists ${USUAL_CHATS} chats unless told otherwise`,
  covers: ['LIMIT-03'],
  operations: ['listChats', 'createWorkspace', 'createMessage', 'deleteChat', 'deleteTask'],
  tasks: USUAL_CHATS + 1,
  allow: 'billing',
  run: (probing) => withKit(probing, usualNumber, AT_ONCE),
};

async function usualNumber(kit: Kit): Promise<void> {
  const { probing } = kit;
  const workspace = await things.newWorkspace(kit);
  const chat = () => things.chatBy('createMessage', kit, workspace);
  // The first finds out how.
  const made = [await chat()];
  while (made.length <= USUAL_CHATS) {
    const lacking = USUAL_CHATS + 1 - made.length;
    made.push(...(await together(Array.from({ length: Math.min(AT_ONCE, lacking) }, chat))));
  }
  const headers = { 'workspace-id': workspace };
  const all = await kit.send('listChats', { headers, query: { limit: made.length } });
  if (countOf(all, made) < made.length)
    return probing.inconclusive(`GET /chat lists ${countOf(all, made)} of ${made.length} chats`);
  const untold = await kit.send('listChats', { headers });
  if (!untold.ok) return probing.inconclusive(`GET /chat was answered with ${said(untold)}`);
  const count = countOf(untold, made);
  const message = `GET /chat without a limit was expected to list ${USUAL_CHATS} of ${made.length} chats; it lists ${count}`;
  probing.expect('LIMIT-03', count === USUAL_CHATS, message, all, untold);
}

/** Waits for all, also where one fails: what the others make has to be known before it is taken away. */
async function together<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** How many of the chats an answer names, whatever its fields are called. */
function countOf({ ok, body }: Answer, chats: readonly things.Chat[]): number {
  if (!ok) return 0;
  const values = valuesIn(body);
  return chats.filter(({ id, t }) => values.has(String(id ?? t))).length;
}

/** Members of the list; 0 where there is none. */
function sizeOf({ ok, r }: Answer): number {
  return ok && Array.isArray(r) ? r.length : 0;
}

export const limitProbes: readonly Probe[] = [bounds, usual, chats, usualChats];
