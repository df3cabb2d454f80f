import { asFields, field, show } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { messageForm, taskWith } from '../../request-builders/bodies.js';
import { ATTACHMENT_IDS, CHAT_IDS, REQUEST_IDS, TIMES } from '../../request-builders/resources.js';
import { inWorkspace, workspaceOf } from '../../request-builders/workspaces.js';
import { idIn, idsUnder, integerIn, mentions, payloadOf, recordsUnder } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import {
  carryOut,
  expectBoolean,
  expectRead,
  mustFollow,
  readUntil,
  shouldSucceed,
  tryBodies,
  tryUntilAccepted,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { chatIdOf, chats, isAboutChat, messages, requestTo } from './chats.js';
import { identify, type Made, make } from './lifecycle.js';

/** What the parts of a message may be called: the description does not say (open point `message.part-names`). */
const TEXT_PARTS = ['message', 'content', 'text', 'msg', 'prompt', 'body', 'task'];
const FILE_PARTS = ['files', 'file', 'attachments', 'attachment'];
/** What the status of a request may become. */
const STATUSES = ['rejected', 'denied', 'approved', 'done'];

interface WrittenMessage {
  chat: Made;
  /** Of the file that came with it. */
  filename: string;
}

/** POST /chat/message with a text and a file. */
async function write(t: TestContext): Promise<WrittenMessage> {
  const place = inWorkspace((await workspaceOf(t)).id);
  const word = t.unique();
  const filename = `${t.unique()}.txt`;
  const parts: (readonly [texts: readonly string[], files: readonly string[]])[] = [
    [TEXT_PARTS.slice(0, 1), FILE_PARTS.slice(0, 1)],
    [TEXT_PARTS, FILE_PARTS],
    ...TEXT_PARTS.flatMap((text) => FILE_PARTS.map((file) => [[text], [file]] as const)),
    ...TEXT_PARTS.map((text) => [[text], []] as const),
  ];
  const requests = parts.map(([texts, files]) => ({
    ...place,
    form: messageForm(texts, files, { text: taskWith(word), filename }),
  }));
  const created = await tryUntilAccepted(t, 'createMessage', requests);
  shouldSucceed(t, 'CHAT-08', created, 'POST /chat/message with a text and a file');
  return { chat: await identify(t, chats, created, word), filename };
}

/** Ends the case where nothing names the chat. */
function mustHaveId(t: TestContext, chat: Made): string {
  const why = `nothing names the chat in ${CHAT_IDS.join(', ')} of ${summarize(chat.created)}`;
  return chatIdOf(chat) ?? t.inconclusive(why);
}

const message: TestCase = {
  id: 'resources/message',
  title: 'A message makes a chat, and the chat shows it by its header alone',
  covers: ['CHAT-07', 'CHAT-08'],
  operations: ['createWorkspace', 'createMessage', 'listMessages', 'getChat', 'deleteChat'],
  tasks: 1,
  async run(t) {
    const { chat } = await write(t);
    const { created, words } = chat;
    const isChat = asFields(payloadOf(created)) !== undefined;
    t.expect('CHAT-08', isChat, `POST /chat/message: expected a chat, got ${summarize(created)}`, created);
    const isAbout = (response: ApiResponse) => isAboutChat(payloadOf(response), chat);
    const read = await readUntil(t, () => t.send('getChat', requestTo(chat)), isAbout);
    const shows = (response: ApiResponse) => mentions(payloadOf(response), words[0]!);
    if (!shows(read) && !shows(created)) t.inconclusive(`the message is not in its chat: ${summarize(read)}`);
    const id = mustHaveId(t, chat);
    const listed = await readUntil(t, () => messages(t, id), shows);
    mustFollow(t, 'CHAT-07', listed, 'GET /chat/message with its chat-id and no key');
    const missing = `GET /chat/message: expected the message "${words[0]!}", got ${summarize(listed)}`;
    t.expect('CHAT-07', shows(listed), missing, created, listed);
    const keyed = { headers: { 'chat-id': id }, query: { t: 0 } };
    await carryOut(t, 'CHAT-07', 'listMessages', keyed, mustFollow);
  },
};

const attachment: TestCase = {
  id: 'resources/attachment',
  title: 'The file of a message is read by its header alone and changed',
  covers: ['CHAT-09', 'CHAT-10'],
  operations: ['createWorkspace', 'createMessage', 'listMessages', 'getAttachment', 'updateAttachment'],
  tasks: 1,
  async run(t) {
    const { chat, filename } = await write(t);
    const summary = await attachmentOf(t, chat, filename);
    const id = idIn(summary, ATTACHMENT_IDS)!;
    const keyless = { headers: { 'attachment-id': id }, key: null };
    const before = await carryOut(t, 'CHAT-09', 'getAttachment', keyless, mustFollow);
    const isIt = asFields(before.r) !== undefined && (mentions(before.r, id) || mentions(before.r, filename));
    const expected = `GET /attachment without a key: expected the attachment "${id}" in r, got ${summarize(before)}`;
    t.expect('CHAT-09', isIt, expected, before);
    const time = integerIn(before.r, TIMES) ?? integerIn(summary, TIMES) ?? Number(chat.id);
    const fresh = `${t.unique()}.txt`;
    const changes = { name: fresh, content: `Changed to ${fresh}.` };
    const sending = { headers: { 'workspace-id': chat.workspace!, 'attachment-id': id }, query: { t: time } };
    const updated = await tryBodies(t, 'updateAttachment', sending, [
      changes,
      { ...changes, file_name: fresh, filename: fresh, text: changes.content, title: fresh },
      { name: fresh },
      { content: changes.content },
      { title: fresh },
      {},
    ]);
    if (updated.status === 404)
      t.inconclusive(`no t names the attachment: tried ${time}, got ${summarize(updated)}`);
    shouldSucceed(t, 'CHAT-10', updated, 'POST /attachment');
    expectBoolean(t, 'CHAT-10', updated, 'POST /attachment');
    // Which fields may be changed is open; where it has both and keeps both, it was not changed at all.
    const hasBoth = ['name', 'content'].every((name) => typeof field(before.r, name) === 'string');
    if (updated.r !== true || !hasBoth) return;
    const shows = (response: ApiResponse) => mentions(payloadOf(response), fresh);
    const found = `GET /attachment after its name was changed to "${fresh}" and its content too: expected to find that`;
    const read = () => t.send('getAttachment', keyless);
    await expectRead(t, 'CHAT-10', read, shows, found, before, updated);
  },
};

async function attachmentOf(t: TestContext, chat: Made, filename: string): Promise<unknown> {
  const responses = [chat.created];
  const id = chatIdOf(chat);
  if (id !== undefined) responses.push(await messages(t, id));
  for (const response of responses) {
    const payload = payloadOf(response);
    const all = recordsUnder(payload, /attachment|file/i).filter((each) => idIn(each, ATTACHMENT_IDS));
    const named = all.find((record) => mentions(record, filename));
    const found = named ?? idsUnder(payload, /attachment/i, filename)[0] ?? all[0];
    if (found !== undefined) return found;
  }
  return t.inconclusive(
    `no attachment with an id (${ATTACHMENT_IDS.join(', ')}) in a list of attachments or files: ${summarize(responses.at(-1)!)}`,
  );
}

/** The first request with a status, or the one with this id. */
export function requestIn(response: ApiResponse, id?: string): Readonly<Record<string, unknown>> | undefined {
  return recordsUnder(payloadOf(response), /request|call|approval/i).find((record) => {
    const own = idIn(record, REQUEST_IDS);
    return own !== undefined && (id === undefined ? typeof field(record, 'status') === 'string' : own === id);
  });
}

const request: TestCase = {
  id: 'resources/chat-request',
  title: 'What the assistant asks for is answered, and the answer is remembered',
  covers: ['CHAT-06'],
  operations: ['createWorkspace', 'createChatTask', 'listMessages', 'updateRequest'],
  tasks: 1,
  async run(t) {
    const chat = await make(t, chats);
    const chatId = mustHaveId(t, chat);
    const list = () => messages(t, chatId);
    const listed = await readUntil(t, list, (response) => requestIn(response) !== undefined);
    const asked = requestIn(listed);
    if (asked === undefined)
      t.inconclusive(
        `the assistant asks for nothing: no request with an id and a status in ${summarize(listed)}`,
      );
    const id = idIn(asked, REQUEST_IDS)!;
    const time = integerIn(asked, TIMES) ?? Number(chat.id);
    let status = '';
    let updated = chat.created;
    for (status of STATUSES) {
      const query = { id, t: time, status };
      updated = await t.send('updateRequest', { headers: { 'chat-id': chatId }, query });
      if (![400, 415, 422].includes(updated.status)) break;
    }
    if (updated.status === 404)
      t.inconclusive(`no t names the request: tried ${time}, got ${summarize(updated)}`);
    shouldSucceed(t, 'CHAT-06', updated, 'PUT /request/id');
    const statusIn = (response: ApiResponse) =>
      String(field(requestIn(response, id), 'status')).toLowerCase();
    const isAnswered = (response: ApiResponse) => statusIn(response) === status;
    const first = isAnswered(updated) ? updated : await list();
    const after = isAnswered(first) ? first : await readUntil(t, list, isAnswered);
    // What follows from the response may have changed it again.
    const was = statusIn(listed);
    const isAsBefore = statusIn(first) === was || statusIn(after) === was;
    if (!isAnswered(after) && !isAsBefore)
      t.inconclusive(`the request has another status by now: ${summarize(after)}`);
    const expected = `PUT /request/id with status=${status}: expected the request to have it, got ${show(statusIn(after))}`;
    t.expect('CHAT-06', isAnswered(after), expected, listed, updated, first, after);
    const kept = await list();
    const forgotten = `GET /chat/message after the status of a request was set: it is as before, ${summarize(kept)}`;
    if (statusIn(kept) === was) t.fail('CHAT-06', forgotten, updated, kept);
  },
};

export const messageCases: readonly TestCase[] = [message, attachment, request];
