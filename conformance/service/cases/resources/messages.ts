import { NAME_END } from '../../../common/interesting-values.js';
import { readField, toFields } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { CHEAP_TASK, FILE_NAME } from '../../operations/bodies.js';
import {
  createRequest,
  createRequestFactory,
  createResource,
  readResourceNames,
  sendInSomeForm,
} from '../../operations/requests.js';
import { ATTACHMENT_IDS } from '../../operations/resources.js';
import { collectLeaves, containsText, readId, readPayload } from '../../test-case/read-record.js';
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

export const messageCases: readonly TestCase[] = [attachment, message];
