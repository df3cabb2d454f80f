import { APPS, connectionKey } from '../engine/apps.js';
import { type Chat, messageKey } from '../engine/chats.js';
import { takeTime } from '../engine/records.js';
import type { Ago, Furnishing } from './furnishing.js';

export interface GivenWorkspace {
  id?: string;
  name: string;
  shared?: boolean;
  ago?: Ago;
  /** Names of apps that are connected. */
  apps?: string[];
  sops?: { title: string; content: string; ago?: Ago }[];
  automations?: {
    id?: string;
    name: string;
    task: string;
    enabled?: boolean;
    webhook_token?: string;
    ago?: Ago;
  }[];
  chats?: GivenChat[];
}

/** A chat that has come to rest: no task is at work on it. */
export interface GivenChat {
  id?: string;
  title: string;
  ago?: Ago;
  messages?: GivenMessage[];
}

export interface GivenMessage {
  role: 'user' | 'assistant';
  content: string;
  ago?: Ago;
  /** What the assistant asked the user to agree to. */
  requests?: { id?: string; status: string; tool?: string; input?: Record<string, unknown> }[];
  attachments?: { id?: string; name: string; type?: string; content: string }[];
}

export function furnishWorkspaces(furnishing: Furnishing, given: readonly GivenWorkspace[]): void {
  const { records } = furnishing;
  for (const { id: own, name, shared = false, ago, ...inside } of given) {
    const id = furnishing.id(own);
    records.workspaces.set(id, { id, name, shared, created_at: furnishing.at(ago) });
    for (const app of inside.apps ?? []) connect(furnishing, id, app);
    for (const { title, content, ago: since } of inside.sops ?? []) {
      const t = takeTime(records, 'sops', furnishing.at(since));
      records.sops.set(String(t), { t, workspace: id, title, content });
    }
    for (const automation of inside.automations ?? []) {
      const { name: called, task, enabled = true } = automation;
      const key = furnishing.id(automation.id);
      const webhook_token = furnishing.id(automation.webhook_token);
      const created_at = furnishing.at(automation.ago);
      const added = { id: key, workspace: id, name: called, task, enabled, webhook_token, created_at };
      records.automations.set(key, added);
    }
    for (const chat of inside.chats ?? []) addChat(furnishing, id, chat);
  }
}

function connect({ records, organisation }: Furnishing, workspace: string, name: string): void {
  const app = APPS.find((each) => each.name === name);
  if (!app) return;
  const { protocol } = app;
  const connected_at = organisation.world.now;
  records.appConnections.set(connectionKey(workspace, name), {
    app: name,
    workspace,
    protocol,
    config: null,
    connected_at,
  });
}

function addChat(furnishing: Furnishing, workspace: string, given: GivenChat): void {
  const { records } = furnishing;
  const t = takeTime(records, 'chats', furnishing.at(given.ago));
  const id = furnishing.id(given.id);
  const chat: Chat = { id, t, workspace, title: given.title, task_id: '', messages: [] };
  records.chats.set(id, chat);
  for (const message of given.messages ?? []) addMessage(furnishing, chat, message, given.ago);
}

function addMessage(furnishing: Furnishing, chat: Chat, given: GivenMessage, chatAgo: Ago | undefined): void {
  const { records } = furnishing;
  const { role, content } = given;
  const t = takeTime(records, 'messages', furnishing.at(given.ago ?? chatAgo));
  chat.messages.push(t);
  const requests = (given.requests ?? []).map(({ id: own, status, tool = 'browser', input = {} }) => {
    const id = furnishing.id(own);
    records.requests.set(id, { id, chat: chat.id, t, status, tool, input });
    return id;
  });
  const attachments = (given.attachments ?? []).map(
    ({ id: own, name, type = 'text/plain', content: text }) => {
      const id = furnishing.id(own);
      const at = takeTime(records, 'attachments', t);
      const { workspace } = chat;
      records.attachments.set(id, { id, t: at, chat: chat.id, workspace, name, type, content: text });
      return id;
    },
  );
  const message = { t, chat: chat.id, role, content, task_id: null, requests, attachments };
  records.messages.set(messageKey(chat.id, t), message);
}
