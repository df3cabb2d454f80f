import { messages } from '../cases/resources/chats.js';
import { type Chat, makeChat } from '../cases/resources/create-chat.js';
import { requestIn } from '../cases/resources/messages.js';
import { workspaceOf } from '../cases/resources/workspaces.js';
import type { ApiResponse } from '../http-client/response.js';
import { idIn, integerIn, payloadOf } from '../test-case/read-record.js';
import { summarize } from '../test-case/read-task.js';
import { eventually } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { observe, observeStatus, textIn } from './observe.js';

/** How long the task of an approved request may take, ms. */
const UNTIL_OVER_MS = 20_000;

/** `request.approval`, `request.of-finished-task`: of two chats alike, one is approved. */
export const approval: TestCase = {
  id: 'resources/point-approval',
  title:
    'Whether the task of a chat waits for an approval, and whether its request can be changed afterwards',
  covers: ['CHAT-06'],
  operations: ['createWorkspace', 'createChatTask', 'listMessages', 'updateRequest', 'getTask'],
  tasks: 2,
  async run(t) {
    const workspace = (await workspaceOf(t)).id;
    const approved = await askedIn(t, await makeChat(t, workspace));
    const silent = await askedIn(t, await makeChat(t, workspace));
    const begun = t.now();
    const answer = await approved.put('approved');
    if (!answer.ok) t.inconclusive(`PUT /request/id?status=approved is answered with ${summarize(answer)}`);
    t.expect('CHAT-06', true, '', answer);
    if (!(await untilOver(t, approved.task, UNTIL_OVER_MS))) return;
    // A task without an approval gets the same time again.
    const rest = Math.max(1000, 2 * (t.now() - begun));
    const isOver = await untilOver(t, silent.task, rest);
    observe(t, 'request.approval', isOver ? 'not-needed' : 'waits', answer);
    observeStatus(t, 'request.of-finished-task', await approved.put('rejected'));
  },
};

/** The request that the assistant makes in a chat, and the task that may wait for it. */
async function askedIn(t: TestContext, chat: Chat) {
  const task = idIn((payloadOf(chat.created) as object | null) ?? {}, ['task_id', 'taskId']);
  if (chat.id === undefined || task === undefined)
    return t.inconclusive(`nothing names the chat and its task: ${summarize(chat.created)}`);
  const header = { 'chat-id': chat.id };
  const listed = await eventually(
    t,
    () => messages(t, header['chat-id']),
    (each) => requestIn(each) !== undefined,
  );
  const request = requestIn(listed);
  const id = idIn(request, ['id']);
  const time = integerIn(request, ['t']);
  if (id === undefined || time === undefined)
    return t.inconclusive(`the assistant asks for nothing that has an id and a t: ${summarize(listed)}`);
  const put = (status: string): Promise<ApiResponse> =>
    t.send('updateRequest', { headers: header, query: { id, t: time, status } });
  return { task, put };
}

async function untilOver(t: TestContext, task_id: string, at_most_ms: number): Promise<boolean> {
  const until = t.now() + at_most_ms;
  for (;;) {
    const status = textIn(await t.send('getTask', { path: { task_id } }), 'status');
    if (status === 'done' || status === 'failed' || status === 'cancelled') return true;
    if (t.now() >= until) return false;
    await t.sleep(2 * t.settings.pollIntervalMs);
  }
}
