import { asFields, field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { rowsOf } from '../../request-builders/read.js';
import { mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { eventually, mustFollow } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { type Chat, isAbout, makeChat } from './create-chat.js';
import { inWorkspace, workspaceOf } from './workspaces.js';

/** Chats that GET /chat gives when it is not told how many. Section "Limits". */
const USUAL_LIMIT = 256;

const chat: TestCase = {
  id: 'resources/chat',
  title: 'A task makes a chat that is listed, read, renamed, deleted and gone, and another one stays',
  covers: ['CHAT-01', 'CHAT-02', 'CHAT-03', 'CHAT-04', 'CHAT-05', 'CHAT-07', 'LIMIT-03'],
  operations: [
    'createWorkspace',
    'createChatTask',
    'listChats',
    'getChat',
    'renameChat',
    'deleteChat',
    'listMessages',
  ],
  tasks: 2,
  async run(t: TestContext) {
    const workspace = (await workspaceOf(t)).id;
    const one = await makeChat(t, workspace);
    const other = await makeChat(t, workspace);
    t.expect(
      'CHAT-02',
      one.t !== other.t &&
        asFields(payloadOf(one.created)) !== undefined &&
        !isAbout(payloadOf(one.created), other),
      `POST /task/zero twice: expected a chat of its own each time, got ${summarize(one.created)} and ${summarize(other.created)}`,
      one.created,
      other.created,
    );
    await isListed(t, one, other);
    await isRead(t, one, other);
    await hasMessages(t, one, other);
    await isRenamed(t, one, other);
    await isDeleted(t, one, other);
  },
};

function list(t: TestContext, workspace: string, limit?: number): Promise<ApiResponse> {
  return t.send('listChats', { ...inWorkspace(workspace), query: { limit } });
}

async function isListed(t: TestContext, one: Chat, other: Chat): Promise<void> {
  const both = (response: ApiResponse) =>
    isAbout(payloadOf(response), one) && isAbout(payloadOf(response), other);
  const all = await eventually(t, () => list(t, one.workspace), both);
  mustFollow(t, 'CHAT-01', all, 'GET /chat');
  t.expect(
    'CHAT-01',
    both(all),
    `GET /chat: expected both chats that were just made, got ${summarize(all)}`,
    all,
  );
  const elsewhere = await list(t, (await workspaceOf(t, 'second')).id);
  if (elsewhere.ok && isAbout(payloadOf(elsewhere), one)) {
    const message = `GET /chat of another workspace: expected none of the chats of this one, got ${summarize(elsewhere)}`;
    t.fail('CHAT-01', message, all, elsewhere);
  }
  const usual = await list(t, one.workspace, USUAL_LIMIT);
  const first = await list(t, one.workspace, 1);
  mustFollow(t, 'CHAT-01', first, 'GET /chat?limit=1');
  const [whole, same, single] = [all, usual, first].map((response) => rowsOf(payloadOf(response))?.length);
  if (whole === undefined || same === undefined || single === undefined) return;
  t.expect(
    'CHAT-01',
    single <= 1,
    `GET /chat?limit=1 where there are ${whole}: expected one chat, got ${single}`,
    all,
    first,
  );
  // Others may make chats in between, but no fewer can there be.
  t.expect(
    'LIMIT-03',
    whole <= USUAL_LIMIT && same >= Math.min(whole, USUAL_LIMIT),
    `GET /chat without a limit: expected no more chats than with limit=${USUAL_LIMIT}, ${same}, got ${whole}`,
    all,
    usual,
  );
}

async function isRead(t: TestContext, one: Chat, other: Chat): Promise<void> {
  for (const [mine, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    const read = await get(t, mine);
    mustFollow(t, 'CHAT-04', read, `GET /chat/id?t=${mine.t}`);
    t.expect(
      'CHAT-04',
      isAbout(payloadOf(read), mine) && !isAbout(payloadOf(read), theirs),
      `GET /chat/id?t=${mine.t}: expected the chat "${mine.word}", got ${summarize(read)}`,
      mine.created,
      read,
    );
  }
  const since = await t.send('getChat', { ...inWorkspace(one.workspace), query: { t: one.t, msg: 0 } });
  mustFollow(t, 'CHAT-04', since, `GET /chat/id?t=${one.t}&msg=0`);
}

function get(t: TestContext, chat: Chat): Promise<ApiResponse> {
  return t.send('getChat', { ...inWorkspace(chat.workspace), query: { t: chat.t } });
}

async function hasMessages(t: TestContext, one: Chat, other: Chat): Promise<void> {
  if (one.id === undefined) return;
  const listed = await messages(t, one.id);
  mustFollow(t, 'CHAT-07', listed, `GET /chat/message with chat-id ${one.id} and no key`);
  const payload = payloadOf(listed);
  // Without a message that can be told to be of this chat nothing is shown.
  if (!mentions(payload, one.word) && !rowsOf(payload)?.length) return;
  t.expect(
    'CHAT-07',
    !mentions(payload, other.word),
    `GET /chat/message with chat-id ${one.id}: expected the messages of that chat alone, got ${summarize(listed)}`,
    listed,
  );
}

export function messages(t: TestContext, chat: string): Promise<ApiResponse> {
  return t.send('listMessages', { headers: { 'chat-id': chat }, key: null });
}

async function isRenamed(t: TestContext, one: Chat, other: Chat): Promise<void> {
  const title = `Renamed ${t.unique()}`;
  const before = await get(t, other);
  const renamed = await t.send('renameChat', { ...inWorkspace(one.workspace), query: { t: one.t, title } });
  mustFollow(t, 'CHAT-05', renamed, `POST /chat/id?t=${one.t}`);
  t.expect(
    'CHAT-05',
    typeof renamed.r === 'boolean',
    `POST /chat/id: expected r to be true or false, got ${summarize(renamed)}`,
    renamed,
  );
  const shows = (response: ApiResponse) => response.text.includes(title);
  const after = await eventually(t, () => get(t, one), shows);
  // A record without a title shows none.
  if (!shows(after) && titleOf(after) === undefined) return;
  t.expect(
    'CHAT-05',
    shows(after),
    `GET /chat/id after the title was changed to "${title}": expected to find it, got ${summarize(after)}`,
    renamed,
    after,
  );
  const untouched = await get(t, other);
  if (titleOf(untouched) !== titleOf(before))
    t.fail(
      'CHAT-05',
      `the title of another chat changed too: ${summarize(untouched)}`,
      before,
      renamed,
      untouched,
    );
}

function titleOf(response: ApiResponse): unknown {
  return field(payloadOf(response), 'title');
}

async function isDeleted(t: TestContext, one: Chat, other: Chat): Promise<void> {
  const deleted = await t.send('deleteChat', { ...inWorkspace(one.workspace), query: { t: one.t } });
  mustFollow(t, 'CHAT-03', deleted, `DELETE /chat/id?t=${one.t}`);
  t.expect(
    'CHAT-03',
    typeof deleted.r === 'boolean',
    `DELETE /chat/id: expected r to be true or false, got ${summarize(deleted)}`,
    deleted,
  );
  const isThere = (response: ApiResponse) => isAbout(payloadOf(response), one);
  const after = await eventually(
    t,
    () => list(t, one.workspace),
    (response) => !isThere(response),
  );
  const isKept = isAbout(payloadOf(after), other);
  if (
    t.expect(
      'CHAT-03',
      after.ok && !isThere(after) && isKept,
      `GET /chat after the chat "${one.word}" was deleted: expected it to be gone and "${other.word}" to be there, got ${summarize(after)}`,
      deleted,
      after,
    )
  )
    one.gone();
  const read = await get(t, one);
  if (read.ok && isThere(read))
    t.fail(
      'CHAT-03',
      `GET /chat/id after the chat was deleted: expected it to be gone, got ${summarize(read)}`,
      deleted,
      read,
    );
}

export const chatCases: readonly TestCase[] = [chat];
