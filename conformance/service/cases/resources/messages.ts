import { readField, show, toFields } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { FILE_NAME } from '../../operations/bodies.js';
import { createRequest, createResource } from '../../operations/requests.js';
import { ATTACHMENT_IDS, REQUEST_IDS, TIMES } from '../../operations/resources.js';
import {
  collectRecords,
  containsText,
  readId,
  readInteger,
  readPayload,
} from '../../test-case/read-record.js';
import {
  expectRead,
  readUntil,
  requireFollowUp,
  requireOpenSuccess,
  sendAndCheck,
  tryUntilAccepted,
} from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import { listMessages } from './chats.js';

const STATUSES = ['rejected', 'denied', 'approved', 'done'];

const attachment: TestCase = {
  id: 'resources/attachment',
  title: 'The file of a message is read by its header alone and changed',
  covers: ['CHAT-09', 'CHAT-10'],
  operations: ['createWorkspace', 'createMessage', 'listMessages', 'getAttachment', 'updateAttachment'],
  tasks: 1,
  async run(t) {
    const names = await createResource(t, 'attachment');
    const { 'attachment-id': id, t: time } = names;
    const sending = createRequest(t, 'updateAttachment', names);
    const keyless = { headers: { 'attachment-id': String(id) }, key: null };
    const before = await sendAndCheck(t, 'CHAT-09', 'getAttachment', keyless, requireFollowUp);
    const own = readId(before.r, ATTACHMENT_IDS);
    const isIt = own === String(id) || containsText(before.r, FILE_NAME);
    const expected = `GET /attachment without a key: expected the attachment "${id}" in r, got ${summarize(before)}`;
    if (isIt || own !== undefined || toFields(before.r) === undefined)
      t.expect('CHAT-09', isIt && toFields(before.r) !== undefined, expected, before);
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
    requireOpenSuccess(t, 'CHAT-10', updated, 'POST /attachment');
    // Which fields may be changed is open; an attachment that has both and keeps both was not changed.
    const hasBoth = ['name', 'content'].every((name) => typeof readField(before.r, name) === 'string');
    if (updated.r !== true || !hasBoth) return;
    const isShown = (response: ApiResponse) => containsText(readPayload(response), fresh);
    const found = `GET /attachment after its name was changed to "${fresh}" and its content too: expected to find that`;
    const readAttachment = () => t.send('getAttachment', keyless);
    await expectRead(t, 'CHAT-10', readAttachment, isShown, found, before, updated);
  },
};

/** The first request with a status, or the one with this id. */
function findRequest(response: ApiResponse, id?: string): Readonly<Record<string, unknown>> | undefined {
  return collectRecords(readPayload(response), /request|call|approval/i).find((record) => {
    const own = readId(record, REQUEST_IDS);
    return (
      own !== undefined && (id === undefined ? typeof readField(record, 'status') === 'string' : own === id)
    );
  });
}

const request: TestCase = {
  id: 'resources/chat-request',
  title: 'A request of the assistant gets a status, and the status is kept',
  covers: ['CHAT-06'],
  operations: ['createWorkspace', 'createChatTask', 'listMessages', 'updateRequest'],
  tasks: 1,
  async run(t) {
    const chat = await createResource(t, 'chat');
    const chatId = String(chat['chat-id'] ?? t.inconclusive('nothing names the chat'));
    const readMessages = () => listMessages(t, chatId);
    const listed = await readUntil(t, readMessages, (response) => findRequest(response) !== undefined);
    const found = findRequest(listed);
    if (found === undefined)
      t.inconclusive(`the assistant makes no request: none with an id and a status in ${summarize(listed)}`);
    const id = readId(found, REQUEST_IDS)!;
    const time = readInteger(found, TIMES) ?? Number(chat.t);
    let status = '';
    let updated = listed;
    for (status of STATUSES) {
      const query = { id, t: time, status };
      updated = await t.send('updateRequest', { headers: { 'chat-id': chatId }, query });
      if (![400, 415, 422].includes(updated.status)) break;
    }
    if (updated.status === 404)
      t.inconclusive(`no t names the request: tried ${time}, got ${summarize(updated)}`);
    requireOpenSuccess(t, 'CHAT-06', updated, 'PUT /request/id');
    const readRequestStatus = (response: ApiResponse) =>
      String(readField(findRequest(response, id), 'status')).toLowerCase();
    const hasStatus = (response: ApiResponse) => readRequestStatus(response) === status;
    const first = hasStatus(updated) ? updated : await readMessages();
    const after = hasStatus(first) ? first : await readUntil(t, readMessages, hasStatus);
    // The agent may have changed it again since the response.
    const was = readRequestStatus(listed);
    const isAsBefore = readRequestStatus(first) === was || readRequestStatus(after) === was;
    if (!hasStatus(after) && !isAsBefore)
      t.inconclusive(`the request has another status by now: ${summarize(after)}`);
    const expected = `PUT /request/id with status=${status}: expected the request to have it, got ${show(readRequestStatus(after))}`;
    t.expect('CHAT-06', hasStatus(after), expected, listed, updated, first, after);
    const kept = await readMessages();
    const forgotten = `GET /chat/message after the status of a request was set: it is as before, ${summarize(kept)}`;
    if (readRequestStatus(kept) === was) t.fail('CHAT-06', forgotten, updated, kept);
  },
};

export const messageCases: readonly TestCase[] = [attachment, request];
