import { operations } from '../../../spec/generated/operations.js';
import type { Probe } from '../probe.js';
import { type Kit, said, withKit } from '../samples-kit.js';
import { rowsOf } from '../samples-read.js';
import * as things from '../samples-things.js';
import type { Answer } from '../talk.js';
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
      const within: Answer[] = [];
      for (const l of [L.minimum!, MOST]) {
        const answer = await kit.send('listTasks', { query: { l } });
        const message = `GET /task?l=${l} was expected to be accepted; it was answered with ${said(answer)}`;
        if (answer.status !== 403 && answer.status !== 429 && !answer.ok)
          return void probing.broke('LIMIT-02', message, answer);
        within.push(answer);
      }
      for (const l of [L.minimum! - 1, MOST + 1, -1]) {
        const answer = await kit.send('listTasks', { query: { l } });
        judgeRefusal(kit, answer, `GET /task?l=${l}`, ['LIMIT-02']);
      }
      const [one, many] = within as [Answer, Answer];
      if (sizeOf(many) > 1) keepsTo(kit, one, L.minimum!, `GET /task?l=${L.minimum}`);
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
      for (let n = there; n <= USUAL; n++) await stoppedSession(kit);
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

/** Stopped at once: only that it is listed is of use. */
async function stoppedSession(kit: Kit): Promise<void> {
  const id = await things.session(kit);
  await kit.send('deleteTask', { path: { task_id: id } });
}

const chats: Probe = {
  id: 'limits/listChats-limit',
  title: 'GET /chat keeps to the limit that it is given',
  covers: ['CHAT-01'],
  operations: ['listChats', 'createWorkspace', 'createChatTask', 'deleteChat', 'deleteTask'],
  tasks: 2,
  run: (probing) =>
    withKit(probing, async (kit) => {
      const { workspace } = await things.chat(kit);
      await things.chat(kit);
      const headers = { 'workspace-id': workspace };
      const all = await kit.send('listChats', { headers });
      if (sizeOf(all) < 2) return probing.inconclusive(`of two chats GET /chat lists ${sizeOf(all)}`);
      keepsTo(kit, await kit.send('listChats', { headers, query: { limit: 1 } }), 1, 'GET /chat?limit=1');
    }),
};

/** Chats start tasks: so many are made only where money does not matter. */
const usualChats: Probe = {
  id: 'limits/listChats-default',
  title: `GET /chat lists ${USUAL_CHATS} chats unless told otherwise`,
  covers: ['LIMIT-03'],
  operations: ['listChats', 'createWorkspace', 'createMessage', 'deleteChat', 'deleteTask'],
  tasks: USUAL_CHATS + 1,
  allow: 'billing',
  run: (probing) =>
    withKit(probing, async (kit) => {
      const headers = { 'workspace-id': await things.newWorkspace(kit) };
      for (let n = 0; n <= USUAL_CHATS; n++) {
        const answer = await kit.need(
          'createMessage',
          { headers, form: things.messageForm() },
          `${USUAL_CHATS + 1} chats are needed`,
        );
        things.removeChat(kit, headers['workspace-id'], answer);
      }
      const query = { limit: USUAL_CHATS + 1 };
      const all = await kit.send('listChats', { headers, query });
      if (sizeOf(all) <= USUAL_CHATS)
        return probing.inconclusive(`GET /chat lists ${sizeOf(all)} of ${USUAL_CHATS + 1} chats`);
      const untold = await kit.send('listChats', { headers });
      if (!untold.ok) return probing.inconclusive(`GET /chat was answered with ${said(untold)}`);
      probing.expect(
        'LIMIT-03',
        sizeOf(untold) === USUAL_CHATS,
        `GET /chat without a limit was expected to list ${USUAL_CHATS} of ${sizeOf(all)} chats; it lists ${sizeOf(untold)}`,
        all,
        untold,
      );
    }),
};

function keepsTo(kit: Kit, answer: Answer, most: number, what: string): void {
  if (!answer.ok) return;
  const size = sizeOf(answer);
  const requirement = answer.operation === 'listTasks' ? 'LIMIT-01' : 'CHAT-01';
  const message = `${what} was expected to list at most ${most}; it lists ${size}`;
  kit.probing.expect(requirement, size <= most, message, answer);
}

/** Members of a list; 0 where there is none. */
function sizeOf({ ok, body }: Answer): number {
  return ok ? (rowsOf(body)?.length ?? 0) : 0;
}

export const limitProbes: readonly Probe[] = [bounds, usual, chats, usualChats];
