import { NAME_END } from '../../../common/interesting-values.js';
import { readField } from '../../../conversation/json.js';
import { type ApiRequest, type ApiResponse, summarize } from '../../http-client/response.js';
import { attempt, createRequest } from '../../operations/requests.js';
import { TIMES } from '../../operations/resources.js';
import { getSharedWorkspace } from '../../operations/shared-workspaces.js';
import { collectLists, containsText, readId, readPayload, readRows } from '../../test-case/read-record.js';
import { readUntil, requireFollowUp, sendAndCheck } from '../../test-case/requests.js';
import type { TestContext } from '../../test-case/test-context.js';
import { type CreatedResource, isAbout, isNamed, type Lifecycle, readOperations } from './lifecycle.js';

/** Default limit of GET /chat. Section "Limits". */
const USUAL_LIMIT = 256;

export const chats: Lifecycle = {
  ...readOperations('chat'),
  read: 'getChat',
  changes: ['renameChat'],
  what: 'chat',
  about: {
    id: 'resources/chat',
    title: 'A task creates a chat that is listed, read, renamed and deleted, and another one stays',
    covers: ['CHAT-04', 'CHAT-05', 'CHAT-07', 'LIMIT-03'],
    operations: ['getChat', 'renameChat', 'listMessages'],
    tasks: 3,
  },
  async change(t, one, other, listed) {
    await expectLimit(t, one, listed);
    await expectSelectedFirst(t, [one, other], createRequest(t, 'listChats', one.names));
    await expectLimitedWithin(t, one, listed);
    await expectReadable(t, one, other);
    await expectMessages(t, one, other);
    await expectRenamed(t, one, other, listed);
  },
  async afterRemoval(t, one, deleted) {
    const read = await t.send('getChat', createRequest(t, 'getChat', one.names));
    const message = `GET /chat/id after the chat was deleted: expected it to be gone, got ${summarize(read)}`;
    if (read.ok && isAbout(chats, read, one)) t.fail('CHAT-03', message, deleted, read);
    const renamed = await t.send('renameChat', createRenameRequest(t, one, `Renamed ${t.unique()}`));
    const changed = `POST /chat/id after the chat was deleted: expected 404, got ${summarize(renamed)}`;
    if (renamed.ok && isNamed(chats, one)) t.fail('CHAT-03', changed, deleted, renamed);
    const { 'chat-id': id } = one.names;
    if (id === undefined) return;
    const messages = await listMessages(t, String(id));
    const left = `GET /chat/message after the chat was deleted: expected none of its messages, got ${summarize(messages)}`;
    if (messages.ok && containsText(readPayload(messages), one.words[0]!))
      t.fail('CHAT-03', left, deleted, messages);
  },
};

async function expectLimit(t: TestContext, chat: CreatedResource, all: ApiResponse): Promise<void> {
  const { names, words } = chat;
  const unlimited = createRequest(t, 'listChats', names);
  const toRequest = (limit: number) => ({ ...unlimited, query: { limit } });
  const usual = await t.send('listChats', toRequest(USUAL_LIMIT));
  const again = await t.send('listChats', unlimited);
  const first = await sendAndCheck(t, 'CHAT-01', 'listChats', toRequest(1), requireFollowUp);
  // Of several lists, the one with this chat is the list of chats.
  const hasChat = (rows: readonly unknown[]) => rows.some((row) => containsText(row, words[0]!));
  const [path] = [...collectLists(readPayload(all))].find(([, rows]) => hasChat(rows)) ?? [];
  const [before, between, after, single] = [all, usual, again, first].map((response) =>
    path === undefined ? undefined : collectLists(readPayload(response)).get(path),
  );
  if (!before || !between || !after || !single) return;
  const one = `GET /chat?limit=1 where there are ${before.length}: expected one chat, got ${single.length}`;
  t.expect('CHAT-01', single.length <= 1, one, all, first);
  // Other cases create and remove chats concurrently: those listed before and after existed in between.
  const [listed, others, later] = [before, between, after].map(collectNames);
  const isLasting = (name: string) => !later!.has(name) || others!.has(name);
  const isUsual = before.length <= USUAL_LIMIT && [...listed!].every(isLasting);
  const message = `GET /chat without a limit: expected no more chats than with limit=${USUAL_LIMIT}, ${between.length}, got ${before.length}`;
  t.expect('LIMIT-03', isUsual, message, all, usual, again);
}

/** What `t` selects is open (`task.list-t`), but `limit` limits that and nothing else. */
async function expectSelectedFirst(
  t: TestContext,
  [one, other]: readonly CreatedResource[],
  request: ApiRequest,
): Promise<void> {
  const time = other!.names.t;
  if (time === undefined) return;
  const selected = await t.send('listChats', { ...request, query: { t: time } });
  const [next] = readRows(readPayload(selected)) ?? [];
  // The chat right before the other one.
  if (!selected.ok || !containsText(next, one!.words[0]!)) return;
  const first = await t.send('listChats', { ...request, query: { t: time, limit: 1 } });
  const message = `GET /chat with t=${time} and limit=1: expected the first chat of those that t=${time} selects, got none`;
  if (first.ok && readRows(readPayload(first))?.length === 0) t.fail('CHAT-01', message, selected, first);
}

/** A newer chat of another workspace is no chat of this one: the limit does not count it. */
async function expectLimitedWithin(
  t: TestContext,
  { names }: CreatedResource,
  all: ApiResponse,
): Promise<void> {
  const elsewhere = { 'workspace-id': (await getSharedWorkspace(t, 'second')).id };
  const word = t.unique();
  const source = { unique: () => word, now: () => t.now() };
  const valid = createRequest(t, 'createChatTask', elsewhere, undefined, source);
  const made = await attempt(t, 'createChatTask', valid, { mayBeRefused: true });
  if (!made.ok) return;
  const request = createRequest(t, 'listChats', names);
  const first = await t.send('listChats', { ...request, query: { limit: 1 } });
  const rows = readRows(readPayload(first));
  const isOwn = rows?.length !== 0 && !containsText(rows, word);
  const message = `GET /chat?limit=1 with a newer chat in another workspace: expected one of the chats of this workspace, got ${summarize(first)}`;
  if (first.ok && !isOwn) t.fail('CHAT-01', message, all, made, first);
}

function collectNames(rows: readonly unknown[]): Set<string> {
  return new Set(rows.map((row) => readId(row, TIMES) ?? JSON.stringify(row)));
}

async function expectReadable(t: TestContext, one: CreatedResource, other: CreatedResource): Promise<void> {
  for (const [mine, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    const read = await sendAndCheck(
      t,
      'CHAT-04',
      'getChat',
      createRequest(t, 'getChat', mine.names),
      requireFollowUp,
    );
    const [isShown, isOther] = [isAbout(chats, read, mine), isAbout(chats, read, theirs)];
    const isMine = isShown && !isOther;
    // A record without an id, or with a time that may have another meaning, proves nothing.
    if (!isMine && !isNamed(chats, mine)) t.inconclusive(`no t names the chat: tried ${mine.id}`);
    if (!isShown && !isOther) continue;
    const message = `GET /chat/id?t=${mine.id}: expected the chat "${mine.words[0]!}", got ${summarize(read)}`;
    t.expect('CHAT-04', isMine, message, mine.created, read);
  }
  const request = createRequest(t, 'getChat', one.names);
  await sendAndCheck(
    t,
    'CHAT-04',
    'getChat',
    { ...request, query: { ...request.query, msg: 0 } },
    requireFollowUp,
  );
}

async function expectMessages(t: TestContext, one: CreatedResource, other: CreatedResource): Promise<void> {
  const { 'chat-id': id } = one.names;
  if (id === undefined) return;
  const listed = await listMessages(t, String(id));
  requireFollowUp(t, 'CHAT-07', listed, `GET /chat/message with chat-id ${id} and no key`);
  const payload = readPayload(listed);
  // Without a message that belongs to this chat for certain, the response is no evidence.
  if (!containsText(payload, one.words[0]!) && !readRows(payload)?.length) return;
  const message = `GET /chat/message with chat-id ${id}: expected the messages of that chat alone, got ${summarize(listed)}`;
  t.expect('CHAT-07', !containsText(payload, other.words[0]!), message, listed);
}

export function listMessages(t: TestContext, chat: string): Promise<ApiResponse> {
  return t.send('listMessages', { headers: { 'chat-id': chat }, key: null });
}

function createRenameRequest(t: TestContext, { names }: CreatedResource, title: string): ApiRequest {
  const request = createRequest(t, 'renameChat', names);
  return { ...request, query: { ...request.query, title } };
}

/** Each title counts, not only the first. */
async function expectRenamed(
  t: TestContext,
  one: CreatedResource,
  other: CreatedResource,
  listed: ApiResponse,
): Promise<void> {
  const rename = (to: string) =>
    sendAndCheck(t, 'CHAT-05', 'renameChat', createRenameRequest(t, one, to), requireFollowUp);
  await rename(`Named ${t.unique()}`);
  const readTitle = (response: ApiResponse) => readField(readPayload(response), 'title');
  const before = await t.send('getChat', createRequest(t, 'getChat', other.names));
  let title = `Renamed ${t.unique()}${NAME_END}`;
  let renamed = await t.send('renameChat', { ...createRenameRequest(t, one, title), mayBeRefused: true });
  // The bounds of titles are not stated.
  if (!renamed.ok) {
    if (renamed.status !== 500) title = `Renamed ${t.unique()}`;
    renamed = await rename(title);
  }
  const hasTitle = (response: ApiResponse) => containsText(readPayload(response), title);
  const after = await readUntil(t, () => t.send('getChat', createRequest(t, 'getChat', one.names)), hasTitle);
  // The record may have no title.
  if (!hasTitle(after) && readTitle(after) === undefined) return;
  const message = `GET /chat/id after the title was changed to "${title}": expected to find it, got ${summarize(after)}`;
  t.expect('CHAT-05', hasTitle(after), message, renamed, after);
  await expectTitleListed(t, one, title, listed, renamed);
  const { query: _, ...untitled } = createRenameRequest(t, one, title);
  const refused = await t.send('renameChat', { ...untitled, query: { t: one.id }, mayBeRefused: true });
  const kept = refused.ok ? after : await t.send('getChat', createRequest(t, 'getChat', one.names));
  const lost = `GET /chat/id after a change without a title was refused: expected the title "${title}", got ${summarize(kept)}`;
  if (hasTitle(after) && kept.ok && !hasTitle(kept)) t.fail('CHAT-05', lost, refused, kept);
  const untouched = await t.send('getChat', createRequest(t, 'getChat', other.names));
  const changed = `the title of another chat changed too: ${summarize(untouched)}`;
  if (readTitle(untouched) !== readTitle(before)) t.fail('CHAT-05', changed, before, renamed, untouched);
}

/** A list that shows the first title of a chat shows each later one. */
async function expectTitleListed(
  t: TestContext,
  { names, created }: CreatedResource,
  title: string,
  listed: ApiResponse,
  renamed: ApiResponse,
): Promise<void> {
  const findRow = (response: ApiResponse) =>
    readRows(readPayload(response))?.find((row) => readId(row, TIMES) === String(names.t));
  const first = readField(findRow(listed), 'title');
  if (typeof first !== 'string' || first !== readField(readPayload(created), 'title')) return;
  const readList = () => t.send('listChats', createRequest(t, 'listChats', names));
  const hasTitle = (response: ApiResponse) => readField(findRow(response), 'title') === title;
  const after = await readUntil(t, readList, (response) => !response.ok || hasTitle(response));
  const message = `GET /chat after the title was changed to "${title}": expected it in the row of the chat, got ${summarize(after)}`;
  if (after.ok && findRow(after) !== undefined) t.expect('CHAT-05', hasTitle(after), message, renamed, after);
}
