import { quote } from '../../spec/show.js';
import type { Organisation } from '../engine/organisation.js';
import {
  addChat,
  addUserMessage,
  collectChatContext,
  findChat,
  formatMessageKey,
  removeChat,
  respondToRequest,
  viewChat,
  viewMessages,
} from '../engine/resources/chats.js';
import type { Attachment, Chat } from '../engine/resources/records.js';
import { findToolData } from '../engine/tasks/tool-data.js';
import { decodeText, toBase64 } from '../exchange/body.js';
import { ApiError, createInputError, createNotFoundError } from '../exchange/errors.js';
import type { Handlers, RequestContext } from '../pipeline/context.js';
import { checkSize, truncateFilename } from './files.js';
import { startTask } from './start-task.js';
import { describeWorkspace, requireWorkspace } from './workspaces.js';

/** Section "Workspaces, chats, messages". A chat is identified by its workspace and its creation time `t` in ms. */
export const chatHandlers = {
  listChats({ organisation, query: { t, limit }, header }) {
    const { id } = requireWorkspace(organisation, header['workspace-id']);
    if (limit < 1 && organisation.dialect['chat.limit-not-positive'] === 'refused') {
      const msg = `Expected at least 1, got ${limit}.`;
      throw createInputError(['query', 'limit'], msg, 'greater_than_equal');
    }
    const chats = organisation.records.chats.list().filter((chat) => {
      return chat.workspace === id && (t === undefined || chat.t < t);
    });
    return {
      chats: chats
        .reverse()
        .slice(0, Math.max(0, limit))
        .map((chat) => viewChat(organisation, chat)),
    };
  },

  createChatTask(context) {
    const { organisation, query, header, body } = context;
    const chat = continueChat(context, header['workspace-id'], query.t, {
      content: body.task,
      request: { task: body.task, url: body.url ?? null, metadata: { task_type: query.task_type } },
      attachments: [],
    });
    if (typeof body.title === 'string') chat.title = body.title;
    return viewChat(organisation, chat);
  },

  getChat({ organisation, query: { t, msg }, header }) {
    return viewChat(organisation, requireChat(organisation, header['workspace-id'], t), msg);
  },

  renameChat({ organisation, query: { t, title }, header }) {
    const chat = requireChat(organisation, header['workspace-id'], t);
    if (title !== undefined) chat.title = title;
    return { r: true };
  },

  deleteChat({ organisation, query: { t }, header }) {
    removeChat(organisation.records, requireChat(organisation, header['workspace-id'], t));
    return { r: true };
  },

  listMessages({ query, header, owner }) {
    const id = header['chat-id'];
    const organisation = owner(({ records }) => records.chats.has(id));
    const chat = organisation?.records.chats.get(id);
    if (!organisation || !chat) throw createNotFoundError('chat', id, '');
    return { messages: viewMessages(organisation, chat, query.t) };
  },

  createMessage(context) {
    const { organisation, query, header, parts } = context;
    for (const file of parts.files) checkSize(organisation, file);
    const attachments = parts.files.map(({ filename, type, bytes }) => {
      return { name: truncateFilename(filename), type, content: encodeContent(type, bytes) };
    });
    checkAttachmentLimit(organisation, countCharacters(attachments));
    const content = parts.texts.message!;
    const chat = continueChat(context, header['workspace-id'], query.t, {
      content,
      request: { task: content },
      attachments,
    });
    return viewChat(organisation, chat);
  },

  updateRequest({ organisation, query: { id, t, status }, header }) {
    const { records } = organisation;
    const chat = records.chats.get(header['chat-id']);
    if (!chat) throw createNotFoundError('chat', header['chat-id']);
    const inChat = `chat ${quote(chat.id)}`;
    const message = records.messages.get(formatMessageKey(chat.id, t));
    if (!message) throw createNotFoundError('message', t, `in ${inChat}`);
    const request = records.requests.get(id);
    if (!request || !message.requests.includes(id))
      throw createNotFoundError('request', id, `in the message with t=${t} of ${inChat}`);
    const isAccepted = respondToRequest(organisation, message, request, status);
    if (!isAccepted && organisation.dialect['request.of-finished-task'] !== '200') {
      const detail = `The request is ${request.status} and its task is over: the status cannot be changed to ${quote(status)} any more.`;
      throw new ApiError(400, detail);
    }
    return { messages: viewMessages(organisation, chat) };
  },

  getAttachment({ header, owner }) {
    const attachmentId = header['attachment-id'];
    const attachment = owner(({ records }) => records.attachments.has(attachmentId))?.records.attachments.get(
      attachmentId,
    );
    if (!attachment) throw createNotFoundError('attachment', attachmentId, '');
    const { id, t, name, type, content } = attachment;
    return { r: { id, t, name, type, content } };
  },

  updateAttachment({ organisation, query: { t }, header, body }) {
    const workspace = requireWorkspace(organisation, header['workspace-id']);
    const attachment = organisation.records.attachments.get(header['attachment-id']);
    if (!attachment || attachment.workspace !== workspace.id)
      throw createNotFoundError('attachment', header['attachment-id'], describeWorkspace(workspace));
    if (attachment.t !== t) {
      const detail = `Attachment "${attachment.id}" was not created at t=${t}: t is its own creation time in ms.`;
      throw new ApiError(404, detail);
    }
    const { name, content } = body;
    if (typeof content === 'string') {
      checkAttachmentLimit(organisation, content.length - attachment.content.length);
      attachment.content = content;
    }
    if (typeof name === 'string') attachment.name = name;
    return { r: true };
  },

  getToolData({ path: { tool, id }, owner }) {
    const organisation = owner((each) => findToolData(each, tool, id) !== undefined);
    const data = organisation && findToolData(organisation, tool, id);
    if (!data) throw createNotFoundError('call', id, `of tool ${quote(tool)}`);
    return data;
  },
} satisfies Partial<Handlers>;

interface ChatInput {
  content: string;
  request: Readonly<Record<string, unknown>>;
  attachments: Pick<Attachment, 'name' | 'type' | 'content'>[];
}

/** Adds the input to the chat created at `t` (ms), or to a new chat without `t`. All checks precede all changes. */
function continueChat(
  context: RequestContext,
  workspaceId: string,
  t: number | undefined,
  input: ChatInput,
): Chat {
  const { organisation } = context;
  const { records } = organisation;
  const workspace = requireWorkspace(organisation, workspaceId);
  const existing = t === undefined ? undefined : requireChat(organisation, workspaceId, t);
  if (!existing) records.chats.reserve(1);
  records.messages.reserve(2);
  records.requests.reserve(1);
  records.attachments.reserve(input.attachments.length);
  const names = input.attachments.map(({ name }) => name);
  const chatContext = collectChatContext(records, workspace.id, existing?.id, names);
  const waitsForApproval = organisation.dialect['request.approval'] !== 'not-needed';
  const task = startTask(context, { ...input.request, ...chatContext }, { waitsForApproval });
  const chat = existing ?? addChat(organisation, workspace.id, input.content.slice(0, LONGEST_TITLE));
  const userMessage = { content: input.content, task, attachments: input.attachments };
  const request = addUserMessage(organisation, chat, userMessage);
  if (waitsForApproval && task.scenario === null)
    context.note(`waits until request ${request} is approved (PUT /request/id)`);
  return chat;
}

/** Title of a chat without a given title: its first characters, up to this number. */
const LONGEST_TITLE = 60;

function requireChat(organisation: Organisation, workspaceId: string, t: number): Chat {
  const workspace = requireWorkspace(organisation, workspaceId);
  const chat = findChat(organisation.records, workspace.id, t);
  if (!chat) throw createNotFoundError('chat', t, describeWorkspace(workspace));
  return chat;
}

/** Characters kept in all attachments of one organisation. */
export const MOST_ATTACHMENT_TEXT = 64 * 1024 * 1024;

/** Throws ApiError 413 if `more` characters of content exceed the limit of the organisation. */
function checkAttachmentLimit({ records }: Organisation, more: number): void {
  if (more <= 0 || countCharacters(records.attachments.list()) + more <= MOST_ATTACHMENT_TEXT) return;
  const detail = `The attachments of an organisation hold at most ${MOST_ATTACHMENT_TEXT} characters: delete chats first.`;
  throw new ApiError(413, detail);
}

function countCharacters(attachments: readonly Pick<Attachment, 'content'>[]): number {
  return attachments.reduce((sum, { content }) => sum + content.length, 0);
}

/** Content as the API shows it: plain text for a text type with valid UTF-8, base64 for anything else. */
function encodeContent(type: string, bytes: Uint8Array): string {
  const isText = /^(text\/|application\/(json|xml|yaml|javascript)\b|[^;]*\+(json|xml)\b)/i.test(type);
  return (isText ? decodeText(bytes) : undefined) ?? toBase64(bytes);
}
