import type { Organisation } from '../engine/organisation.js';
import type { Attachment } from '../engine/resources/attachments.js';
import { chatContext } from '../engine/resources/chat-context.js';
import { addChat, addTurn, type Chat, findChat, removeChat, viewChat } from '../engine/resources/chats.js';
import { type Table, TableFull } from '../engine/resources/table.js';
import { InvalidInput, notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { type Start, startTask } from './start-task.js';
import { findWorkspace, inWorkspace } from './workspaces.js';

type ChatOperations = 'listChats' | 'createChatTask' | 'getChat' | 'renameChat' | 'deleteChat';

/** Section "Workspaces, chats, messages". A chat is named by its workspace and its creation time `t` in ms. */
export const chatHandlers: Pick<Handlers, ChatOperations> = {
  listChats({ organisation, query: { t, limit }, header }) {
    const { id } = findWorkspace(organisation, header['workspace-id']);
    if (limit < 1 && organisation.world.setup.dialect['chat.limit-not-positive'] === 'refused') {
      const msg = `Expected at least 1, got ${limit}.`;
      throw new InvalidInput([{ loc: ['query', 'limit'], msg, type: 'greater_than_equal' }]);
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
    return viewChat(organisation, chatAt(organisation, header['workspace-id'], t), msg);
  },

  renameChat({ organisation, query: { t, title }, header }) {
    const chat = chatAt(organisation, header['workspace-id'], t);
    if (title !== undefined) chat.title = title;
    return { r: true };
  },

  deleteChat({ organisation, query: { t }, header }) {
    removeChat(organisation.records, chatAt(organisation, header['workspace-id'], t));
    return { r: true };
  },
};

/** What is said in a chat: by a task or by a message with files. */
interface Said {
  content: string;
  /** The task that answers it. */
  request: Readonly<Record<string, unknown>>;
  attachments: Pick<Attachment, 'name' | 'type' | 'content'>[];
}

/**
 * Says something in the chat created at `t` (ms), or in a new one where `t` is left out. Everything that may be refused
 * is looked at before anything is made.
 */
export function continueChat(start: Start, workspaceId: string, t: number | undefined, said: Said): Chat {
  const { organisation } = start;
  const { records } = organisation;
  const workspace = findWorkspace(organisation, workspaceId);
  const existing = t === undefined ? undefined : chatAt(organisation, workspaceId, t);
  if (!existing) reserve(records.chats, 1);
  reserve(records.messages, 2);
  reserve(records.requests, 1);
  reserve(records.attachments, said.attachments.length);
  const names = said.attachments.map(({ name }) => name);
  const context = chatContext(records, workspace.id, existing?.id, names);
  const waitsForApproval = organisation.world.setup.dialect['request.approval'] !== 'not-needed';
  const task = startTask(start, { ...said.request, ...context }, { waitsForApproval });
  const chat = existing ?? addChat(organisation, workspace.id, said.content.slice(0, LONGEST_TITLE));
  const turn = { content: said.content, task, attachments: said.attachments };
  const request = addTurn(organisation, chat, turn);
  if (waitsForApproval && task.scenario === null)
    start.note(`waits until request ${request} is approved (PUT /request/id)`);
  return chat;
}

/** A chat that was given no title is called after its first words, so many characters of them. */
const LONGEST_TITLE = 60;

function chatAt(organisation: Organisation, workspaceId: string, t: number): Chat {
  const workspace = findWorkspace(organisation, workspaceId);
  const chat = findChat(organisation.records, workspace.id, t);
  if (!chat) throw notFound('chat', t, inWorkspace(workspace));
  return chat;
}

function reserve(table: Table<unknown>, count: number): void {
  if (table.size + count > table.limit) throw new TableFull(table.kind, table.limit);
}
