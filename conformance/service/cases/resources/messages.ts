import { NAME_END } from '../../../common/interesting-values.js';
import { readField, show, toFields } from '../../../conversation/json.js';
import { type ApiRequest, type ApiResponse, summarize } from '../../http-client/response.js';
import { CHEAP_TASK, FILE_NAME } from '../../operations/bodies.js';
import {
  attempt,
  createRequest,
  createRequestFactory,
  createResource,
  readResourceNames,
  sendInSomeForm,
} from '../../operations/requests.js';
import { ATTACHMENT_IDS, REQUEST_IDS, type ResourceNames, TIMES } from '../../operations/resources.js';
import {
  collectLeaves,
  collectMembers,
  collectRecords,
  collectValues,
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
import type { TestContext } from '../../test-case/test-context.js';
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

type Request = Readonly<Record<string, unknown>>;

/** Records with an id and a status. */
function collectRequests(response: ApiResponse) {
  return collectRecords(readPayload(response), /request|call|approval/i).filter(
    (record) => readId(record, REQUEST_IDS) !== undefined && typeof readField(record, 'status') === 'string',
  );
}

/** The first request, or the one with this id. */
function findRequest(response: ApiResponse, id?: string): Request | undefined {
  return collectRequests(response).find((record) => id === undefined || readId(record, REQUEST_IDS) === id);
}

/** Times that may be the `t` of a request, which is not stated: its own, that of its message, that of the chat. */
function listTimes(found: Request, chat: ResourceNames, listed: ApiResponse): number[] {
  const id = readId(found, REQUEST_IDS)!;
  const around = collectMembers(readPayload(listed)).find((row) => collectValues(row).has(id));
  const times = [readInteger(found, TIMES), readInteger(around, TIMES), Number(chat.t)];
  return [...new Set(times.filter((time) => time !== undefined))];
}

/** Sets the first status that is accepted: which ones there are is not stated. */
async function setStatus(t: TestContext, chat: ResourceNames, found: Request, listed: ApiResponse) {
  const id = readId(found, REQUEST_IDS)!;
  const times = listTimes(found, chat, listed);
  const headers = { 'chat-id': String(chat['chat-id']) };
  let status = '';
  let sending: ApiRequest = { headers };
  let updated = listed;
  for (const time of times)
    for (status of STATUSES) {
      sending = { headers, query: { id, t: time, status } };
      updated = await t.send('updateRequest', sending);
      if (updated.status === 404) break;
      if (![400, 415, 422].includes(updated.status)) return { updated, status, times, sending };
    }
  return { updated, status, times, sending };
}

function readStatus(response: ApiResponse, id: string): string {
  const found = findRequest(response, id);
  return String(found && readField(found, 'status')).toLowerCase();
}

/** The request of a later message gets a status, and the first one does not get the same. Returns the messages then. */
async function expectOthersKept(
  t: TestContext,
  chat: ResourceNames,
  only: ApiResponse,
  readMessages: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const known = collectRequests(only).map((each) => readId(each, REQUEST_IDS)!);
  const [first] = known;
  if (first === undefined) return only;
  const valid = createRequest(t, 'createChatTask', chat);
  // What `t` selects is not stated: the chat goes on if its messages show that.
  const more = await attempt(t, 'createChatTask', valid, { query: { ...valid.query, t: chat.t! } });
  if (!more.ok) return only;
  // Those of one message may be decided together.
  const findOther = (response: ApiResponse) =>
    collectRequests(response).find((each) => !known.includes(readId(each, REQUEST_IDS)!));
  const both = await readUntil(t, readMessages, (response) => findOther(response) !== undefined);
  const other = findOther(both);
  const was = readStatus(both, first);
  if (other === undefined) return both.ok ? both : only;
  const { updated, status } = await setStatus(t, chat, other, both);
  const after = await readMessages();
  const isKept = readStatus(after, first) !== status || was === status;
  const message = `PUT /request/id of "${readId(other, REQUEST_IDS)}" with status=${status}: expected the other request "${first}" not to get it, got ${summarize(after)}`;
  if (updated.ok && !isKept) t.fail('CHAT-06', message, both, updated, after);
  return after.ok ? after : only;
}

const request: TestCase = {
  id: 'resources/chat-request',
  title: 'A request of the assistant gets a status and keeps it, and another one does not get it',
  covers: ['CHAT-06'],
  operations: ['createWorkspace', 'createChatTask', 'listMessages', 'updateRequest'],
  tasks: 2,
  async run(t) {
    const chat = await createResource(t, 'chat');
    const chatId = String(chat['chat-id'] ?? t.inconclusive('nothing names the chat'));
    const readMessages = () => listMessages(t, chatId);
    const isThere = (response: ApiResponse) => findRequest(response) !== undefined;
    const only = await readUntil(t, readMessages, isThere);
    const listed = await expectOthersKept(t, chat, only, readMessages);
    const found =
      findRequest(listed) ??
      t.inconclusive(`the assistant makes no request: none with an id and a status in ${summarize(listed)}`);
    const id = readId(found, REQUEST_IDS)!;
    const { updated, status, times, sending } = await setStatus(t, chat, found, listed);
    if (updated.status === 404)
      t.inconclusive(`no t names the request: tried ${times.join(', ')}, got ${summarize(updated)}`);
    requireOpenSuccess(t, 'CHAT-06', updated, 'PUT /request/id');
    const readRequestStatus = (response: ApiResponse) => readStatus(response, id);
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
    if (was !== status && readRequestStatus(kept) === was) t.fail('CHAT-06', forgotten, updated, kept);
    // Some services accept any status.
    const unknown = { ...sending, query: { ...sending.query, status: t.unique() } };
    const refused = await t.send('updateRequest', { ...unknown, mayBeRefused: true });
    const left = await readMessages();
    const applied = `GET /chat/message after the status ${show(unknown.query.status)} was refused: expected the request not to have it, got ${summarize(left)}`;
    if (!refused.ok && readRequestStatus(left) === unknown.query.status)
      t.fail('CHAT-06', applied, refused, left);
  },
};

const message: TestCase = {
  id: 'resources/message-text',
  title: 'A message of several lines and many kinds of characters is shown as completely as a plain one',
  covers: ['CHAT-08'],
  operations: ['createWorkspace', 'createMessage', 'listMessages', 'deleteChat', 'deleteTask'],
  tasks: 2,
  async run(t) {
    const next = await createRequestFactory(t, 'createMessage');
    const send = async (text: string) => {
      const isShown = (response: ApiResponse) =>
        collectLeaves(readPayload(response)).some(({ value }) => normalizeLines(value) === text);
      const { request: sent, response } = await sendInSomeForm(t, 'createMessage', (form, source) => {
        const valid = next(form, source);
        const parts = new FormData();
        for (const [name, part] of valid.form ?? [])
          if (typeof part !== 'string') parts.append(name, part, part.name);
          else parts.append(name, part === CHEAP_TASK ? text : part);
        return { ...valid, form: parts };
      });
      requireOpenSuccess(t, 'CHAT-08', response, 'POST /chat/message');
      const { 'chat-id': chat } = readResourceNames('message', response, sent);
      if (isShown(response) || chat === undefined) return { isShown: isShown(response), response };
      const listed = await readUntil(t, () => listMessages(t, String(chat)), isShown);
      return { isShown: isShown(listed), response: listed };
    };
    const word = t.unique();
    const single = await send(`${CHEAP_TASK} (${word}a)`);
    if (!single.isShown)
      t.inconclusive(`a message is not shown as it was sent: ${summarize(single.response)}`);
    const several = await send(`${CHEAP_TASK}\n\n  (${word}b)\n- done${NAME_END}`);
    const expected = `POST /chat/message with a text of four lines and many kinds of characters: expected a message with all of them, as with the line of another one, got ${summarize(several.response)}`;
    t.expect('CHAT-08', several.isShown, expected, single.response, several.response);
  },
};

/** A form has CRLF for each line break. */
function normalizeLines(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value;
}

export const messageCases: readonly TestCase[] = [attachment, request, message];
