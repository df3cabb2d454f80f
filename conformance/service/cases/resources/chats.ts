import { field } from '../../../conversation/json.js';
import { type ApiRequest, type ApiResponse, summarize } from '../../http-client/response.js';
import { requestFor } from '../../request-builders/requests.js';
import { TIMES } from '../../request-builders/resources.js';
import { idIn, listsIn, mentions, payloadOf, rowsOf } from '../../test-case/read-record.js';
import { carryOut, expectBoolean, mustFollow, readUntil } from '../../test-case/requests.js';
import type { TestContext } from '../../test-case/test-context.js';
import { isAbout, isNamed, type Lifecycle, type Made, operationsOn } from './lifecycle.js';

/** Chats that GET /chat gives when it is not told how many. Section "Limits". */
const USUAL_LIMIT = 256;

export const chats: Lifecycle = {
  ...operationsOn('chat'),
  read: 'getChat',
  changes: ['renameChat'],
  what: 'chat',
  about: {
    id: 'resources/chat',
    title: 'A task makes a chat that is listed, read, renamed, deleted and gone, and another one stays',
    covers: ['CHAT-04', 'CHAT-05', 'CHAT-07', 'LIMIT-03'],
    operations: ['getChat', 'renameChat', 'listMessages'],
    tasks: 2,
  },
  async change(t, one, other, listed) {
    await isLimited(t, one, listed);
    await isRead(t, one, other);
    await hasMessages(t, one, other);
    await isRenamed(t, one, other);
  },
  async afterRemoval(t, one, deleted) {
    const read = await t.send('getChat', requestFor(t, 'getChat', one.names));
    const message = `GET /chat/id after the chat was deleted: expected it to be gone, got ${summarize(read)}`;
    if (read.ok && isAbout(chats, read, one)) t.fail('CHAT-03', message, deleted, read);
    const renamed = await t.send('renameChat', renameRequest(t, one, `Renamed ${t.unique()}`));
    const changed = `POST /chat/id after the chat was deleted: expected 404, got ${summarize(renamed)}`;
    if (renamed.ok && isNamed(chats, one)) t.fail('CHAT-03', changed, deleted, renamed);
  },
};

async function isLimited(t: TestContext, { names, words }: Made, all: ApiResponse): Promise<void> {
  const unlimited = requestFor(t, 'listChats', names);
  const list = (limit: number) => ({ ...unlimited, query: { limit } });
  const usual = await t.send('listChats', list(USUAL_LIMIT));
  const again = await t.send('listChats', unlimited);
  const first = await carryOut(t, 'CHAT-01', 'listChats', list(1), mustFollow);
  // Which of several lists has the chats is seen where this one is.
  const isThere = (rows: readonly unknown[]) => rows.some((row) => mentions(row, words[0]!));
  const [path] = [...listsIn(payloadOf(all))].find(([, rows]) => isThere(rows)) ?? [];
  const [before, between, after, single] = [all, usual, again, first].map((response) =>
    path === undefined ? undefined : listsIn(payloadOf(response)).get(path),
  );
  if (!before || !between || !after || !single) return;
  const one = `GET /chat?limit=1 where there are ${before.length}: expected one chat, got ${single.length}`;
  t.expect('CHAT-01', single.length <= 1, one, all, first);
  // Other cases create and remove chats meanwhile: the ones that are listed before and after were there in between.
  const [listed, others, later] = [before, between, after].map(namesOf);
  const isLasting = (name: string) => !later!.has(name) || others!.has(name);
  const isUsual = before.length <= USUAL_LIMIT && [...listed!].every(isLasting);
  const message = `GET /chat without a limit: expected no more chats than with limit=${USUAL_LIMIT}, ${between.length}, got ${before.length}`;
  t.expect('LIMIT-03', isUsual, message, all, usual, again);
}

function namesOf(rows: readonly unknown[]): Set<string> {
  return new Set(rows.map((row) => idIn(row, TIMES) ?? JSON.stringify(row)));
}

async function isRead(t: TestContext, one: Made, other: Made): Promise<void> {
  for (const [mine, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    const read = await carryOut(t, 'CHAT-04', 'getChat', requestFor(t, 'getChat', mine.names), mustFollow);
    const [isShown, isOther] = [isAbout(chats, read, mine), isAbout(chats, read, theirs)];
    const isMine = isShown && !isOther;
    // A record that does not show which chat it is, and one of a time that may be something else, prove nothing.
    if (!isMine && !isNamed(chats, mine)) t.inconclusive(`no t names the chat: tried ${mine.id}`);
    if (!isShown && !isOther) continue;
    const message = `GET /chat/id?t=${mine.id}: expected the chat "${mine.words[0]!}", got ${summarize(read)}`;
    t.expect('CHAT-04', isMine, message, mine.created, read);
  }
  const request = requestFor(t, 'getChat', one.names);
  await carryOut(t, 'CHAT-04', 'getChat', { ...request, query: { ...request.query, msg: 0 } }, mustFollow);
}

async function hasMessages(t: TestContext, one: Made, other: Made): Promise<void> {
  const { 'chat-id': id } = one.names;
  if (id === undefined) return;
  const listed = await messages(t, String(id));
  mustFollow(t, 'CHAT-07', listed, `GET /chat/message with chat-id ${id} and no key`);
  const payload = payloadOf(listed);
  // Without a message that can be told to be of this chat nothing is shown.
  if (!mentions(payload, one.words[0]!) && !rowsOf(payload)?.length) return;
  const message = `GET /chat/message with chat-id ${id}: expected the messages of that chat alone, got ${summarize(listed)}`;
  t.expect('CHAT-07', !mentions(payload, other.words[0]!), message, listed);
}

export function messages(t: TestContext, chat: string): Promise<ApiResponse> {
  return t.send('listMessages', { headers: { 'chat-id': chat }, key: null });
}

function renameRequest(t: TestContext, { names }: Made, title: string): ApiRequest {
  const request = requestFor(t, 'renameChat', names);
  return { ...request, query: { ...request.query, title } };
}

/** Each title counts, not the first alone. */
async function isRenamed(t: TestContext, one: Made, other: Made): Promise<void> {
  const rename = (to: string) => carryOut(t, 'CHAT-05', 'renameChat', renameRequest(t, one, to), mustFollow);
  await rename(`Named ${t.unique()}`);
  const title = `Renamed ${t.unique()}`;
  const titleOf = (response: ApiResponse) => field(payloadOf(response), 'title');
  const before = await t.send('getChat', requestFor(t, 'getChat', other.names));
  const renamed = await rename(title);
  expectBoolean(t, 'CHAT-05', renamed, 'POST /chat/id');
  const shows = (response: ApiResponse) => response.text.includes(title);
  const after = await readUntil(t, () => t.send('getChat', requestFor(t, 'getChat', one.names)), shows);
  // A record without a title shows none.
  if (!shows(after) && titleOf(after) === undefined) return;
  const message = `GET /chat/id after the title was changed to "${title}": expected to find it, got ${summarize(after)}`;
  t.expect('CHAT-05', shows(after), message, renamed, after);
  const untouched = await t.send('getChat', requestFor(t, 'getChat', other.names));
  const changed = `the title of another chat changed too: ${summarize(untouched)}`;
  if (titleOf(untouched) !== titleOf(before)) t.fail('CHAT-05', changed, before, renamed, untouched);
}
