import { asFields, field, show } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { FILE_NAME } from '../../request-builders/bodies.js';
import { create, requestFor } from '../../request-builders/requests.js';
import { ATTACHMENT_IDS, REQUEST_IDS, TIMES } from '../../request-builders/resources.js';
import { idIn, integerIn, mentions, payloadOf, recordsUnder } from '../../test-case/read-record.js';
import {
  carryOut,
  expectBoolean,
  expectRead,
  mustFollow,
  readUntil,
  shouldSucceed,
  tryUntilAccepted,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import { messages } from './chats.js';

const STATUSES = ['rejected', 'denied', 'approved', 'done'];

const attachment: TestCase = {
  id: 'resources/attachment',
  title: 'The file of a message is read by its header alone and changed',
  covers: ['CHAT-09', 'CHAT-10'],
  operations: ['createWorkspace', 'createMessage', 'listMessages', 'getAttachment', 'updateAttachment'],
  tasks: 1,
  async run(t) {
    const names = await create(t, 'attachment');
    const { 'attachment-id': id, t: time } = names;
    const sending = requestFor(t, 'updateAttachment', names);
    const keyless = { headers: { 'attachment-id': String(id) }, key: null };
    const before = await carryOut(t, 'CHAT-09', 'getAttachment', keyless, mustFollow);
    const own = idIn(before.r, ATTACHMENT_IDS);
    const isIt = own === String(id) || mentions(before.r, FILE_NAME);
    const expected = `GET /attachment without a key: expected the attachment "${id}" in r, got ${summarize(before)}`;
    if (isIt || own !== undefined || asFields(before.r) === undefined)
      t.expect('CHAT-09', isIt && asFields(before.r) !== undefined, expected, before);
    const fresh = `${t.unique()}.txt`;
    const changes = { name: fresh, content: `Changed to ${fresh}.` };
    const bodies = [
      changes,
      { ...changes, file_name: fresh, filename: fresh, text: changes.content, title: fresh },
      { name: fresh },
      { content: changes.content },
      { title: fresh },
      {},
    ];
    const requests = bodies.map((body) => ({ ...sending, body }));
    const updated = await tryUntilAccepted(t, 'updateAttachment', requests);
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
    const chat = await create(t, 'chat');
    const chatId = String(chat['chat-id'] ?? t.inconclusive('nothing names the chat'));
    const list = () => messages(t, chatId);
    const listed = await readUntil(t, list, (response) => requestIn(response) !== undefined);
    const asked = requestIn(listed);
    if (asked === undefined)
      t.inconclusive(
        `the assistant asks for nothing: no request with an id and a status in ${summarize(listed)}`,
      );
    const id = idIn(asked, REQUEST_IDS)!;
    const time = integerIn(asked, TIMES) ?? Number(chat.t);
    let status = '';
    let updated = listed;
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

export const messageCases: readonly TestCase[] = [attachment, request];
