import { readField, show } from '../../../conversation/json.js';
import { type ApiRequest, type ApiResponse, summarize } from '../../http-client/response.js';
import { attempt, createRequest, createResource } from '../../operations/requests.js';
import { REQUEST_IDS, type ResourceNames, TIMES } from '../../operations/resources.js';
import {
  collectMembers,
  collectRecords,
  collectValues,
  readId,
  readInteger,
  readPayload,
} from '../../test-case/read-record.js';
import { readUntil, requireOpenSuccess } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { listMessages } from './chats.js';

const STATUSES = ['rejected', 'denied', 'approved', 'done'];

type Request = Readonly<Record<string, unknown>>;

/** Records with an id and a status. */
function collectRequests(response: ApiResponse) {
  return collectRecords(readPayload(response), /request|call|approval/i).filter(isDecidable);
}

/** The requests, or the messages if those have a status: a request may be a message of its own. */
function collectDecidable(response: ApiResponse): readonly Request[] {
  const requests = collectRequests(response);
  return requests.length > 0 ? requests : collectMembers(readPayload(response)).filter(isDecidable);
}

function isDecidable(record: unknown): record is Request {
  return readId(record, REQUEST_IDS) !== undefined && typeof readField(record, 'status') === 'string';
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
async function setStatus(
  t: TestContext,
  chat: ResourceNames,
  found: Request,
  listed: ApiResponse,
  statuses: readonly string[] = STATUSES,
) {
  const id = readId(found, REQUEST_IDS)!;
  const times = listTimes(found, chat, listed);
  const headers = { 'chat-id': String(chat['chat-id']) };
  let status = '';
  let sending: ApiRequest = { headers };
  let updated = listed;
  for (const time of times)
    for (status of statuses) {
      sending = { headers, query: { id, t: time, status } };
      updated = await t.send('updateRequest', sending);
      if (updated.status === 404) break;
      if (![400, 415, 422].includes(updated.status)) return { updated, status, times, sending };
    }
  return { updated, status, times, sending };
}

function readLowerStatus(found: Request | undefined): string {
  return String(readField(found, 'status')).toLowerCase();
}

function readStatus(response: ApiResponse, id: string): string {
  return readLowerStatus(findRequest(response, id));
}

/** The request of a later message gets a status, and the first one does not get the same. Returns the messages then. */
async function expectOthersKept(
  t: TestContext,
  chat: ResourceNames,
  only: ApiResponse,
  readMessages: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const known = collectDecidable(only).map((each) => readId(each, REQUEST_IDS)!);
  if (known.length === 0) return only;
  const valid = createRequest(t, 'createChatTask', chat);
  // What `t` selects is not stated: the chat goes on if its messages show that.
  const more = await attempt(t, 'createChatTask', valid, { query: { ...valid.query, t: chat.t! } });
  if (!more.ok) return only;
  // Those of one message may be decided together.
  const findOther = (response: ApiResponse) =>
    collectDecidable(response).find((each) => !known.includes(readId(each, REQUEST_IDS)!));
  const both = await readUntil(t, readMessages, (response) => findOther(response) !== undefined);
  const other = findOther(both);
  if (other === undefined) return both.ok ? both : only;
  const { updated, status } = await setStatus(t, chat, other, both);
  const after = await readMessages();
  const hasStatus = (response: ApiResponse, id: string) =>
    collectDecidable(response).some(
      (each) => readId(each, REQUEST_IDS) === id && readLowerStatus(each) === status,
    );
  const own = readId(other, REQUEST_IDS)!;
  const changed = known.find((id) => hasStatus(after, id) && !hasStatus(both, id));
  const message = `PUT /request/id of "${own}" with status=${status}: expected the other request "${changed}" not to get it, got ${summarize(after)}`;
  if (updated.ok && changed !== undefined) t.fail('CHAT-06', message, both, updated, after);
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

/** A verdict, other words for it, and how a status begins that contradicts it. */
const VERDICTS = [
  { status: 'rejected', others: ['reject', 'denied'], contradiction: /^(approv|accept|allow)/ },
  // Something else may deny what was approved.
  {
    status: 'approved',
    others: ['approve', 'accepted'],
    contradiction: /^(reject|den|declin)/,
    mayFollow: true,
  },
];

/** Sets a status of a request in a new chat. */
async function decideNew(t: TestContext, statuses: readonly string[]) {
  const chat = await createResource(t, 'chat');
  const chatId = String(chat['chat-id'] ?? t.inconclusive('nothing names the chat'));
  const readMessages = () => listMessages(t, chatId);
  const listed = await readUntil(t, readMessages, (response) => findRequest(response) !== undefined);
  const found = findRequest(listed) ?? t.inconclusive('the assistant makes no request');
  const id = readId(found, REQUEST_IDS)!;
  const { updated, status } = await setStatus(t, chat, found, listed, statuses);
  const hasStatus = (response: ApiResponse) => readStatus(response, id) === status;
  const after = updated.ok ? await readUntil(t, readMessages, hasStatus) : updated;
  const was = readStatus(listed, id);
  return { status, updated, hadStatus: hasStatus(updated), was, shown: readStatus(after, id), after };
}

const verdicts: TestCase = {
  id: 'resources/chat-request-verdicts',
  title: 'A request that is rejected is not shown as approved, nor one that is approved as rejected',
  covers: ['CHAT-06'],
  operations: ['createWorkspace', 'createChatTask', 'listMessages', 'updateRequest'],
  tasks: 6,
  async run(t) {
    // A service that ignores unknown words may have another word, and something else may decide a request in between.
    for (const { status: verdict, others, contradiction, mayFollow } of VERDICTS)
      for (const statuses of [[verdict], ...others.map((each) => [each, verdict])]) {
        const { status, updated, hadStatus, was, shown, after } = await decideNew(t, statuses);
        if (!updated.ok || contradiction.test(was) || (hadStatus && mayFollow && shown !== status)) break;
        const isContradicted = contradiction.test(shown);
        const isLast = statuses[0] === others.at(-1);
        const message = `PUT /request/id with status=${status}: expected the request not to become ${show(shown)}, as other requests do with ${[verdict, ...others].join(', ')}`;
        if (isContradicted ? isLast : shown === status)
          t.expect('CHAT-06', !isContradicted, message, updated, after);
        if (!isContradicted) break;
      }
  },
};

export const chatRequestCases: readonly TestCase[] = [request, verdicts];
