import {
  type Answer,
  bare,
  bodyFields,
  type Call,
  extras,
  headerText,
  inR,
  inRCreated,
  invalid,
  noBody,
  notFound,
  queryBoolean,
  queryInteger,
  queryText,
  type Route,
  refuseWithoutCredits,
  requiredInteger,
  sortList,
} from './http.js';
import type { Fields, Ledger } from './ledger.js';

const appNames = ['calendar', 'mailbox', 'tables'];

function findWorkspace(call: Call): Fields {
  const id = headerText(call, 'workspace-id');
  const owners = call.house.choices.fault('foreign-workspace-listed') ? call.house.ledgers : [call.ledger];
  for (const one of owners) {
    const found = one.shelf('workspaces').get(id);
    if (found) {
      call.ledger = one;
      return found;
    }
  }
  throw notFound('workspace');
}

/** Entries of a workspace on a shelf, oldest first. */
function entriesOf(call: Call, shelf: string, workspace: Fields): Fields[] {
  return [...call.ledger.shelf(shelf).values()].filter((one) => one['workspace_id'] === workspace['id']);
}

function afterT(call: Call, entries: Fields[]): Fields[] {
  const t = queryInteger(call, 't');
  const upper = call.house.choices.varies('t-is-upper-bound');
  return entries.filter((one) => t === undefined || (upper ? Number(one['t']) < t : Number(one['t']) > t));
}

function findByT(call: Call, shelf: string, workspace: Fields, what: string): Fields {
  const t = requiredInteger(call, 't');
  const found = entriesOf(call, shelf, workspace).find((one) => one['t'] === t);
  if (!found) throw notFound(what);
  return found;
}

/** A time that no other entry of the shelf has: t tells entries apart. */
function freeTime(call: Call, shelf: string): number {
  const times = [...call.ledger.shelf(shelf).values()].map((one) => Number(one['t']));
  return Math.max(call.now, ...times.map((one) => one + 1));
}

function createWorkspace(call: Call): Answer {
  const name = call.params[0]!;
  const shared = queryBoolean(call, 'shared') ?? call.house.choices.fault('shared-by-default');
  const id = call.house.makeId('header');
  const value = { id, name, shared, ...extras(call, { made_at: call.now }) };
  return bare(call, call.ledger.put(call.now, 'workspaces', id, value));
}

function viewWorkspace(call: Call): Answer {
  const workspace = findWorkspace(call);
  const count = (shelf: string) => entriesOf(call, shelf, workspace).length;
  return bare(call, { ...workspace, ...extras(call, { chats: count('chats'), sops: count('sops') }) });
}

function listChats(call: Call): Answer {
  const workspace = findWorkspace(call);
  const limit = queryInteger(call, 'limit') ?? 256;
  if (limit < 0) throw invalid('query', 'limit', 'is below 0');
  const chats = afterT(call, entriesOf(call, 'chats', workspace));
  return bare(call, { chats: sortList(call, chats.slice(Math.max(0, chats.length - limit))) });
}

function messagesOf(ledger: Ledger, chat: string): Fields[] {
  return [...ledger.shelf('messages').values()].filter((one) => one['chat_id'] === chat);
}

function addMessage(call: Call, chat: Fields, value: Fields): Fields {
  const id = call.house.makeId('message');
  const t = freeTime(call, 'messages');
  return call.ledger.put(call.now, 'messages', id, { id, t, chat_id: chat['id']!, ...value });
}

function openChat(call: Call, workspace: Fields, title: string): Fields {
  if (call.query.has('t')) return findByT(call, 'chats', workspace, 'chat');
  const id = call.house.makeId('header');
  const value = { id, t: freeTime(call, 'chats'), title, workspace_id: workspace['id']! };
  return call.ledger.put(call.now, 'chats', id, value);
}

function viewChat(call: Call, chat: Fields, from = 0): Answer {
  const messages = messagesOf(call.ledger, String(chat['id'])).filter((one) => Number(one['t']) >= from);
  return bare(call, { ...chat, messages: sortList(call, messages) });
}

function startChatTask(call: Call): Answer {
  const body = bodyFields(call);
  const type = call.query.get('task_type') ?? 'task';
  queryInteger(call, 't');
  if (type !== 'task' && type !== 'chat') throw invalid('query', 'task_type', 'is task or chat');
  const workspace = findWorkspace(call);
  refuseWithoutCredits(call);
  const chat = openChat(
    call,
    workspace,
    typeof body['task'] === 'string' ? body['task'].slice(0, 40) : 'Task',
  );
  addMessage(call, chat, { from: 'user', content: body });
  addMessage(call, chat, { from: 'service', request: 'may the task start?', status: 'open' });
  return viewChat(call, chat);
}

function deleteChat(call: Call): Answer {
  requiredInteger(call, 't');
  const chat = findByT(call, 'chats', findWorkspace(call), 'chat');
  for (const one of messagesOf(call.ledger, String(chat['id']))) {
    call.ledger.append({ kind: 'drop', at: call.now, shelf: 'messages', id: String(one['id']) });
  }
  call.ledger.append({ kind: 'drop', at: call.now, shelf: 'chats', id: String(chat['id']) });
  return inR(true);
}

function readChat(call: Call): Answer {
  requiredInteger(call, 't');
  const from = queryInteger(call, 'msg') ?? 0;
  return viewChat(call, findByT(call, 'chats', findWorkspace(call), 'chat'), from);
}

function titleChat(call: Call): Answer {
  requiredInteger(call, 't');
  const chat = findByT(call, 'chats', findWorkspace(call), 'chat');
  const title = call.query.get('title');
  const kept = call.house.choices.fault('title-kept') && chat['titled'] === true;
  if (title !== null && !kept) {
    call.ledger.put(call.now, 'chats', String(chat['id']), { ...chat, title, titled: true });
  }
  return inR(true);
}

function answerRequest(call: Call): Answer {
  const id = queryText(call, 'id');
  const t = requiredInteger(call, 't');
  const status = queryText(call, 'status');
  const chat = headerText(call, 'chat-id');
  const message = call.ledger.shelf('messages').get(id);
  if (!message || message['t'] !== t || message['chat_id'] !== chat || !('request' in message))
    throw notFound('request');
  call.ledger.put(call.now, 'messages', id, { ...message, status });
  return bare(call, { messages: sortList(call, messagesOf(call.ledger, chat)) });
}

function listMessages(call: Call): Answer {
  const id = headerText(call, 'chat-id');
  queryInteger(call, 't');
  const owner = call.house.ledgers.find((one) => one.shelf('chats').has(id));
  if (!owner) throw notFound('chat');
  return bare(call, { messages: sortList(call, afterT(call, messagesOf(owner, id))) });
}

function sendMessage(call: Call): Answer {
  queryInteger(call, 't');
  const workspace = findWorkspace(call);
  const texts: string[] = [];
  const attachments: string[] = [];
  call.form?.forEach((value) => {
    if (typeof value === 'string') {
      texts.push(value);
      return;
    }
    const id = call.house.makeId('header');
    const entry = { id, name: value.name, bytes: value.size, workspace_id: workspace['id']! };
    call.ledger.put(call.now, 'attachments', id, entry);
    attachments.push(id);
  });
  if (texts.length + attachments.length === 0) throw invalid('body', 'form', 'is empty');
  const chat = openChat(call, workspace, texts[0]?.slice(0, 40) ?? 'Message');
  addMessage(call, chat, { from: 'user', content: texts.join('\n'), attachments });
  return viewChat(call, chat);
}

function readAttachment(call: Call): Answer {
  const id = headerText(call, 'attachment-id');
  const found = call.house.ledgers
    .map((one) => one.shelf('attachments').get(id))
    .find((one) => one !== undefined);
  if (!found) throw notFound('attachment');
  return inR(found);
}

function updateAttachment(call: Call): Answer {
  const id = headerText(call, 'attachment-id');
  const body = bodyFields(call);
  const t = requiredInteger(call, 't');
  const workspace = findWorkspace(call);
  const found = call.ledger.shelf('attachments').get(id);
  if (found?.['workspace_id'] !== workspace['id']) throw notFound('attachment');
  call.ledger.put(call.now, 'attachments', id, { ...found!, content: body, t });
  return inR(true);
}

function readToolCall(call: Call): Answer {
  const [tool, id] = call.params;
  for (const ledger of call.house.ledgers) {
    for (const task of ledger.state.tasks.values()) {
      const found = task.calls.find((one) => one.id === id && one.tool === tool);
      if (found)
        return bare(call, {
          tool: found.tool,
          id: found.id,
          input: found.input,
          reply: found.reply?.output ?? null,
        });
    }
  }
  throw notFound('tool call');
}

function connectApp(call: Call): Answer {
  const app = call.params[0]!;
  bodyFields(call);
  const workspace = findWorkspace(call);
  if (!appNames.includes(app)) throw notFound('app');
  const job = call.house.makeId('job');
  call.ledger.put(call.now, 'jobs', job, { id: job });
  call.ledger.put(call.now, 'connections', `${workspace['id']} ${app}`, {
    app,
    workspace_id: workspace['id']!,
  });
  return inRCreated(call, { app, connected: true, job_id: job });
}

function viewSops(call: Call, workspace: Fields): Answer {
  return bare(call, { sops: sortList(call, entriesOf(call, 'sops', workspace)) });
}

function saveSop(call: Call): Answer {
  const body = bodyFields(call);
  const asked = queryInteger(call, 't') ?? 0;
  const workspace = findWorkspace(call);
  const known = asked === 0 ? undefined : findByT(call, 'sops', workspace, 'SOP');
  const id = known ? String(known['id']) : call.house.makeId('sop');
  const t = known ? asked : freeTime(call, 'sops');
  call.ledger.put(call.now, 'sops', id, { id, t, workspace_id: workspace['id']!, content: body });
  return viewSops(call, workspace);
}

function deleteSop(call: Call): Answer {
  requiredInteger(call, 't');
  const sop = findByT(call, 'sops', findWorkspace(call), 'SOP');
  call.ledger.append({ kind: 'drop', at: call.now, shelf: 'sops', id: String(sop['id']) });
  return noBody(call);
}

function createAutomation(call: Call): Answer {
  const body = bodyFields(call);
  const workspace = findWorkspace(call);
  const id = call.house.makeId('automation');
  const value = { id, workspace_id: workspace['id']!, runs: 0, definition: body };
  return inRCreated(call, call.ledger.put(call.now, 'automations', id, value));
}

function deleteAutomation(call: Call): Answer {
  const id = queryText(call, 'id');
  const workspace = findWorkspace(call);
  if (call.ledger.shelf('automations').get(id)?.['workspace_id'] !== workspace['id'])
    throw notFound('automation');
  call.ledger.append({ kind: 'drop', at: call.now, shelf: 'automations', id });
  return noBody(call);
}

function triggerAutomation(call: Call): Answer {
  const body = bodyFields(call);
  const id = body['id'] ?? body['automation_id'];
  if (typeof id !== 'string') throw invalid('body', 'id', 'names no automation');
  const owner = call.house.ledgers.find((one) => one.shelf('automations').has(id));
  if (!owner) throw notFound('automation');
  const automation = owner.shelf('automations').get(id)!;
  owner.put(call.now, 'automations', id, { ...automation, runs: Number(automation['runs']) + 1 });
  return noBody(call);
}

export const workspaceRoutes: Route[] = [
  { method: 'GET', path: '/workspace', run: viewWorkspace },
  { method: 'POST', path: '/workspace/*', run: createWorkspace },
  { method: 'GET', path: '/chat', run: listChats },
  { method: 'POST', path: '/task/zero', reads: 'json', run: startChatTask },
  { method: 'DELETE', path: '/chat/id', run: deleteChat },
  { method: 'GET', path: '/chat/id', run: readChat },
  { method: 'POST', path: '/chat/id', run: titleChat },
  { method: 'PUT', path: '/request/id', run: answerRequest },
  { method: 'GET', path: '/chat/message', open: true, run: listMessages },
  { method: 'POST', path: '/chat/message', reads: 'form', run: sendMessage },
  { method: 'GET', path: '/attachment', open: true, run: readAttachment },
  { method: 'POST', path: '/attachment', reads: 'json', run: updateAttachment },
  { method: 'GET', path: '/tool/*/*', open: true, run: readToolCall },
  { method: 'GET', path: '/app', run: (call) => bare(call, { apps: appNames.map((name) => ({ name })) }) },
  { method: 'POST', path: '/workspace/app/*', reads: 'json', run: connectApp },
  {
    method: 'GET',
    path: '/sop',
    run: (call) => viewSops(call, findWorkspace(call)),
  },
  { method: 'POST', path: '/sop', reads: 'json', run: saveSop },
  { method: 'DELETE', path: '/sop', run: deleteSop },
  {
    method: 'GET',
    path: '/automation',
    run: (call) => inR(sortList(call, entriesOf(call, 'automations', findWorkspace(call)))),
  },
  { method: 'POST', path: '/automation', reads: 'json', run: createAutomation },
  { method: 'DELETE', path: '/automation', run: deleteAutomation },
  { method: 'POST', path: '/webhook', open: true, reads: 'json', run: triggerAutomation },
];
