import { asFields, field, show } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { idIn, idsUnder, integerIn, mentions, payloadOf, recordsUnder } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import {
  mustFollow,
  readUntil,
  shouldSucceed,
  tryBodies,
  tryUntilAccepted,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { CHAT_IDS, CHAT_TIMES, chatIdOf, chats, isAboutChat, messages } from './chats.js';
import { identify, type Made, make } from './lifecycle.js';
import { inWorkspace, workspaceOf } from './workspaces.js';

/** What the parts of a message may be called: the description does not say (open point `message.part-names`). */
const TEXT_PARTS = ['message', 'content', 'text', 'msg', 'prompt', 'body', 'task'];
const FILE_PARTS = ['files', 'file', 'attachments', 'attachment'];
const ATTACHMENT_IDS = ['id', 'attachment_id', 'attachmentId', 'uuid', 'key'];
const REQUEST_IDS = ['id', 'request_id', 'requestId', 'uuid'];

interface WrittenMessage {
  chat: Made;
  /** Of the file that came with it. */
  filename: string;
}

/** POST /chat/message with a text and a file. */
async function write(t: TestContext): Promise<WrittenMessage> {
  const workspace = (await workspaceOf(t)).id;
  const word = t.unique();
  const filename = `${t.unique()}.txt`;
  const text = `Open https://example.com and tell me its title (${word}).`;
  const forms = [
    ...TEXT_PARTS.slice(0, 1).map((part) => () => formOf([part], text, FILE_PARTS.slice(0, 1), filename)),
    () => formOf(TEXT_PARTS, text, FILE_PARTS, filename),
    ...TEXT_PARTS.flatMap((part) => FILE_PARTS.map((file) => () => formOf([part], text, [file], filename))),
    ...TEXT_PARTS.map((part) => () => formOf([part], text, [], filename)),
  ];
  const created = await tryUntilAccepted(
    forms.map((form) => () => t.send('createMessage', { ...inWorkspace(workspace), form: form() })),
  );
  shouldSucceed(t, 'CHAT-08', created, 'POST /chat/message with a text and a file');
  return { chat: await identify(t, chats, created, word), filename };
}

function formOf(
  texts: readonly string[],
  text: string,
  files: readonly string[],
  filename: string,
): FormData {
  const form = new FormData();
  for (const part of texts) form.set(part, text);
  for (const part of files)
    form.set(part, new Blob(['One line of text.\n'], { type: 'text/plain' }), filename);
  return form;
}

const message: TestCase = {
  id: 'resources/message',
  title: 'A message makes a chat, and the chat shows it by its header alone',
  covers: ['CHAT-07', 'CHAT-08'],
  operations: ['createWorkspace', 'createMessage', 'listMessages', 'getChat', 'deleteChat'],
  tasks: 1,
  async run(t: TestContext) {
    const { chat } = await write(t);
    t.expect(
      'CHAT-08',
      asFields(payloadOf(chat.created)) !== undefined,
      `POST /chat/message: expected a chat, got ${summarize(chat.created)}`,
      chat.created,
    );
    const shows = (response: ApiResponse) => mentions(payloadOf(response), chat.words[0]!);
    const read = await readUntil(
      t,
      () => t.send('getChat', { ...inWorkspace(chat.workspace!), query: { t: chat.id } }),
      (response) => isAboutChat(payloadOf(response), chat),
    );
    if (!shows(read) && !shows(chat.created))
      t.inconclusive(`the message is not in its chat: ${summarize(read)}`);
    if (chatIdOf(chat) === undefined)
      t.inconclusive(`nothing names the chat in ${CHAT_IDS.join(', ')} of ${summarize(chat.created)}`);
    const listed = await readUntil(t, () => messages(t, chatIdOf(chat)!), shows);
    mustFollow(t, 'CHAT-07', listed, 'GET /chat/message with its chat-id and no key');
    t.expect(
      'CHAT-07',
      shows(listed),
      `GET /chat/message: expected the message "${chat.words[0]!}", got ${summarize(listed)}`,
      chat.created,
      listed,
    );
    const known = await t.send('listMessages', { headers: { 'chat-id': chatIdOf(chat)! }, query: { t: 0 } });
    mustFollow(t, 'CHAT-07', known, 'GET /chat/message?t=0 with a key');
  },
};

const attachment: TestCase = {
  id: 'resources/attachment',
  title: 'The file of a message is read by its header alone and changed',
  covers: ['CHAT-09', 'CHAT-10'],
  operations: ['createWorkspace', 'createMessage', 'listMessages', 'getAttachment', 'updateAttachment'],
  tasks: 1,
  async run(t: TestContext) {
    const { chat, filename } = await write(t);
    const summary = await attachmentOf(t, chat, filename);
    const id = idIn(summary, ATTACHMENT_IDS)!;
    const read = (key: null | undefined = null) =>
      t.send('getAttachment', { headers: { 'attachment-id': id }, ...(key === null ? { key } : {}) });
    const before = await read();
    mustFollow(t, 'CHAT-09', before, 'GET /attachment with its attachment-id and no key');
    t.expect(
      'CHAT-09',
      asFields(before.r) !== undefined && (mentions(before.r, id) || mentions(before.r, filename)),
      `GET /attachment: expected the attachment "${id}" in r, got ${summarize(before)}`,
      before,
    );
    const time = integerIn(before.r, CHAT_TIMES) ?? integerIn(summary, CHAT_TIMES) ?? Number(chat.id);
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
    t.expect(
      'CHAT-10',
      typeof updated.r === 'boolean',
      `POST /attachment: expected r to be true or false, got ${summarize(updated)}`,
      updated,
    );
    const shows = (response: ApiResponse) => mentions(payloadOf(response), fresh);
    const after = await readUntil(t, () => read(), shows);
    // Which fields may be changed is open; where it has both and keeps both, it was not changed at all.
    const has = (name: string) => typeof field(before.r, name) === 'string';
    if (updated.r === true && has('name') && has('content') && !shows(after)) {
      t.fail(
        'CHAT-10',
        `GET /attachment after its name was changed to "${fresh}" and its content too: expected to find that, got ${summarize(after)}`,
        before,
        updated,
        after,
      );
    }
  },
};

async function attachmentOf(t: TestContext, chat: Made, filename: string): Promise<unknown> {
  const isOne = (record: unknown) => idIn(record, ATTACHMENT_IDS) !== undefined;
  const find = (response: ApiResponse) => {
    const all = recordsUnder(payloadOf(response), /attachment|file/i).filter(isOne);
    const named = all.find((record) => mentions(record, filename));
    return named ?? idsUnder(payloadOf(response), /attachment/i, filename)[0] ?? all[0];
  };
  const responses = [chat.created];
  if (chatIdOf(chat) !== undefined) responses.push(await messages(t, chatIdOf(chat)!));
  for (const response of responses) {
    const found = find(response);
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
  title:
    'What the assistant asks for is answered, the answer is remembered, and the data of the call can be read',
  covers: ['CHAT-06'],
  operations: ['createWorkspace', 'createChatTask', 'listMessages', 'updateRequest'],
  tasks: 1,
  async run(t: TestContext) {
    const chat = await make(t, chats);
    if (chatIdOf(chat) === undefined)
      t.inconclusive(`nothing names the chat in ${CHAT_IDS.join(', ')} of ${summarize(chat.created)}`);
    const list = () => messages(t, chatIdOf(chat)!);
    const listed = await readUntil(t, list, (response) => requestIn(response) !== undefined);
    const asked = requestIn(listed);
    if (asked === undefined)
      t.inconclusive(
        `the assistant asks for nothing: no request with an id and a status in ${summarize(listed)}`,
      );
    const id = idIn(asked, REQUEST_IDS)!;
    const time = integerIn(asked, CHAT_TIMES) ?? Number(chat.id);
    const put = (status: string) =>
      t.send('updateRequest', { headers: { 'chat-id': chatIdOf(chat)! }, query: { id, t: time, status } });
    let status = '';
    const updated = await tryUntilAccepted(
      ['rejected', 'denied', 'approved', 'done'].map((each) => () => {
        status = each;
        return put(each);
      }),
    );
    if (updated.status === 404)
      t.inconclusive(`no t names the request: tried ${time}, got ${summarize(updated)}`);
    shouldSucceed(t, 'CHAT-06', updated, 'PUT /request/id');
    const statusIn = (response: ApiResponse) => field(requestIn(response, id), 'status');
    const shows = (response: ApiResponse) => String(statusIn(response)).toLowerCase() === status;
    const first = shows(updated) ? updated : await list();
    const after = shows(first) ? first : await readUntil(t, list, shows);
    // What follows from the response may have changed it again.
    const isAsBefore =
      statusIn(first) === field(asked, 'status') || statusIn(after) === field(asked, 'status');
    if (!shows(after) && !isAsBefore)
      t.inconclusive(`the request has another status by now: ${summarize(after)}`);
    t.expect(
      'CHAT-06',
      shows(after),
      `PUT /request/id with status=${status}: expected the request to have it, got ${show(statusIn(after))}`,
      listed,
      updated,
      first,
      after,
    );
    const kept = await list();
    if (statusIn(kept) !== undefined && statusIn(kept) === field(asked, 'status')) {
      const message = `GET /chat/message after the status of a request was set to ${status}: it is as before, ${summarize(kept)}`;
      t.fail('CHAT-06', message, updated, kept);
    }
  },
};

export const messageCases: readonly TestCase[] = [message, attachment, request];
