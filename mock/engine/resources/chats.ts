import type { Schemas } from '../../../spec/types.js';
import { isTerminal } from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import { APPROVAL_GATE } from '../tasks/improvise.js';
import { cancel, settle } from '../tasks/lifecycle.js';
import type { Task } from '../tasks/task.js';
import {
  type Attachment,
  allocateTime,
  type Chat,
  type ChatRequest,
  type Message,
  type Records,
} from './records.js';

const CHAT_TOOL = 'browser';

interface UserMessage {
  content: string;
  task: Task;
  attachments: Pick<Attachment, 'name' | 'type' | 'content'>[];
}

export function formatMessageKey(chat: string, t: number): string {
  return `${chat}/${t}`;
}

export function findChat({ chats }: Records, workspace: string, t: number): Chat | undefined {
  return chats.list().find((chat) => chat.t === t && chat.workspace === workspace);
}

export function addChat(organisation: Organisation, workspace: string, title: string): Chat {
  const { records } = organisation;
  const t = allocateTime(records, 'chats', organisation.now);
  const id = organisation.random.uuid();
  return records.chats.add(id, { id, t, workspace, title, task_id: '', messages: [] });
}

/** Adds the user's message and the response, which requests one tool call. Returns the id of that request. */
export function addUserMessage(
  organisation: Organisation,
  chat: Chat,
  { content, task, attachments }: UserMessage,
): string {
  const { records } = organisation;
  const userMessage = addMessage(organisation, chat, { role: 'user', content, task_id: null });
  for (const attachment of attachments) {
    const id = organisation.random.uuid();
    const t = allocateTime(records, 'attachments', organisation.now);
    records.attachments.set(id, { id, t, chat: chat.id, workspace: chat.workspace, ...attachment });
    userMessage.attachments.push(id);
  }
  const response = addMessage(organisation, chat, { role: 'assistant', content: '', task_id: task.id });
  const id = organisation.random.uuid();
  const input = { task: content };
  records.requests.set(id, { id, chat: chat.id, t: response.t, status: 'pending', tool: CHAT_TOOL, input });
  response.requests.push(id);
  chat.task_id = task.id;
  return id;
}

function addMessage(
  organisation: Organisation,
  chat: Chat,
  message: Pick<Message, 'role' | 'content' | 'task_id'>,
): Message {
  const { records } = organisation;
  const t = allocateTime(records, 'messages', organisation.now);
  chat.messages.push(t);
  const added = { t, chat: chat.id, ...message, requests: [], attachments: [] };
  return records.messages.add(formatMessageKey(chat.id, t), added);
}

/** Removes the chat with its content. Its tasks remain. */
export function removeChat({ chats, messages, requests, attachments }: Records, chat: Chat): void {
  for (const t of chat.messages) {
    const message = messages.get(formatMessageKey(chat.id, t));
    for (const id of message?.requests ?? []) requests.delete(id);
    for (const id of message?.attachments ?? []) attachments.delete(id);
    messages.delete(formatMessageKey(chat.id, t));
  }
  chats.delete(chat.id);
}

/** The chat as the API shows it, with the messages created after `after` (ms). */
export function viewChat(organisation: Organisation, chat: Chat, after = 0): Schemas['ChatResponse'] {
  const task = organisation.tasks.get(chat.task_id);
  return {
    id: chat.id,
    t: chat.t,
    title: chat.title,
    status: task && !isTerminal(task.status) ? 'running' : 'idle',
    task_id: task?.id ?? null,
    messages: viewMessages(organisation, chat, after),
  };
}

export function viewMessages(organisation: Organisation, chat: Chat, after = 0): Schemas['Message'][] {
  const shown: Schemas['Message'][] = [];
  for (const t of chat.messages) {
    const message = t > after ? organisation.records.messages.get(formatMessageKey(chat.id, t)) : undefined;
    if (message) shown.push(viewMessage(organisation, message));
  }
  return shown;
}

function viewMessage(organisation: Organisation, message: Message): Schemas['Message'] {
  const { requests, attachments } = organisation.records;
  reportOutcome(organisation, message);
  return {
    t: message.t,
    role: message.role,
    content: message.content,
    requests: message.requests.flatMap((id) => {
      const request = requests.get(id);
      return request
        ? [{ id, t: request.t, status: request.status, tool: request.tool, input: request.input }]
        : [];
    }),
    attachments: message.attachments.flatMap((id) => {
      const attachment = attachments.get(id);
      return attachment ? [{ id, t: attachment.t, name: attachment.name, type: attachment.type }] : [];
    }),
  };
}

/**
 * A response is empty while its task runs. Then the outcome is written into it once, so that it outlives the
 * task. A request that is still open at that point is approved if the task succeeded, else rejected.
 */
export function reportOutcome(organisation: Organisation, message: Message): void {
  const { records } = organisation;
  if (message.task_id === null) return;
  const task = organisation.tasks.get(message.task_id);
  if (task && !isTerminal(task.status)) return;
  for (const id of message.requests) {
    const request = records.requests.get(id);
    if (request && classifyStatus(request.status) === 'open')
      request.status = task?.status === 'done' ? 'approved' : 'rejected';
  }
  message.content = task ? formatOutcome(task) : 'The task is not there any more.';
  message.task_id = null;
}

function formatOutcome(task: Task): string {
  settle(task);
  const { status, output } = task;
  const text = typeof output === 'string' ? output : output === null ? '' : JSON.stringify(output);
  return text === '' && status !== 'done' ? `The task was not finished: ${status}.` : text;
}

/** Any text can be the status of a request (open point `request.statuses`); words for yes and no are recognized. */
export function classifyStatus(status: string): 'yes' | 'no' | 'open' {
  if (/^(approv|accept|allow|done)/i.test(status)) return 'yes';
  if (/^(reject|den[iy]|declin|refus|fail)/i.test(status)) return 'no';
  return 'open';
}

/**
 * Sets the status of a request in `message`; false if the task is over and the status would change. A yes
 * resumes the task. A no cancels the task, because it cannot continue without the tool.
 */
export function respondToRequest(
  organisation: Organisation,
  message: Message,
  request: ChatRequest,
  status: string,
): boolean {
  reportOutcome(organisation, message);
  const task = message.task_id === null ? undefined : organisation.tasks.get(message.task_id);
  // A request from fixtures may be open without a task.
  if (!task && classifyStatus(request.status) !== 'open' && request.status !== status) return false;
  request.status = status;
  const decision = task && classifyStatus(status);
  if (decision === 'yes') organisation.openGate(APPROVAL_GATE, task);
  if (decision === 'no') {
    cancel(task!);
    message.content = `The task was cancelled: the use of the ${request.tool} was not allowed.`;
    message.task_id = null;
  }
  return true;
}

/** Context of a chat's task besides its text. It is part of the task's request, visible to scenarios and the admin API. */
interface ChatContext {
  /** Titles of the SOPs (standard operating procedures) of the workspace, oldest first. */
  sops: string[];
  /** Names of the files in the chat, oldest first. */
  attachments: string[];
}

/** Limit for each kind; the newest are used. */
const MOST_GIVEN = 8;
const LONGEST_NAME = 80;

/** `files`: names of the files of the new message. `chat`: its id, if it already exists. */
export function collectChatContext(
  { sops, attachments }: Records,
  workspace: string,
  chat: string | undefined,
  files: readonly string[],
): ChatContext {
  const titles = sops.list().flatMap((sop) => (sop.workspace === workspace ? [sop.title] : []));
  const names = attachments.list().flatMap((file) => (file.chat === chat ? [file.name] : []));
  return { sops: keepNewest(titles), attachments: keepNewest([...names, ...files]) };
}

function keepNewest(names: readonly string[]): string[] {
  return names.slice(-MOST_GIVEN).map((name) => name.slice(0, LONGEST_NAME));
}

/** Text about the context for an improvised output; empty for a task without context. */
export function mentionContext({ sops, attachments }: Partial<Record<keyof ChatContext, unknown>>): string {
  return mention('It follows the SOP', sops) + mention('It uses the attachment', attachments);
}

function mention(text: string, names: unknown): string {
  if (!Array.isArray(names) || names.length === 0) return '';
  return ` ${text}${names.length > 1 ? 's' : ''} ${names.map((name) => `"${name}"`).join(', ')}.`;
}
