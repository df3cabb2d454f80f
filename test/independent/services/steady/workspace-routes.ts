/** Workspaces with their chats, messages, attachments, apps, SOPs and automations. */
import {
  answer,
  invalid,
  Refusal,
  route,
  type SteadyExchange,
  type SteadyRoute,
  unknown,
} from './exchange.js';
import type { SteadyChat, SteadyStore, SteadyWorkspace } from './store.js';
import { checkCredits } from './task-routes.js';
import { isObject, type Json, type JsonObject } from './values.js';

const APPS = ['calendar', 'mail', 'sheets'];

export function buildWorkspaceRoutes(store: SteadyStore): SteadyRoute[] {
  const { choices } = store;
  const { fault, varies } = choices;

  function findWorkspace(exchange: SteadyExchange): SteadyWorkspace {
    const found = store.workspaces.get(exchange.header('workspace-id'));
    if (found === undefined || found.org !== exchange.org) throw unknown('workspace');
    return found;
  }

  function findChat(workspace: SteadyWorkspace, t: number): SteadyChat {
    const found = workspace.chats.find((chat) => chat.t === t);
    if (found === undefined) throw unknown('chat');
    return found;
  }

  function findChatById(exchange: SteadyExchange): SteadyChat {
    const id = exchange.header('chat-id');
    for (const { chats } of store.workspaces.values())
      for (const chat of chats) if (chat.id === id) return chat;
    throw unknown('chat');
  }

  const describeChat = ({ id, t, title, kind }: SteadyChat): JsonObject => ({ title, kind, t, id });
  const showChat = (exchange: SteadyExchange, chat: SteadyChat, messages = chat.messages) =>
    exchange.named({ messages, ...describeChat(chat) });
  const describeWorkspace = ({ id, name, shared, apps }: SteadyWorkspace): JsonObject => ({
    apps,
    shared,
    name,
    id,
  });

  function createWorkspace(exchange: SteadyExchange): Response {
    const shared = exchange.optionalBoolean('shared') ?? false;
    if (shared && store.organisations.get(exchange.org)!.plan === 'free')
      throw new Refusal(403, 'Shared workspaces are a premium feature: your plan does not have them');
    const name = exchange.path.name ?? '';
    const lists = { chats: [], sops: [], automations: [], apps: [] };
    const workspace: SteadyWorkspace = { id: store.newId('ws'), org: exchange.org, name, shared, ...lists };
    store.workspaces.set(workspace.id, workspace);
    return exchange.named(describeWorkspace(workspace));
  }

  function listChats(exchange: SteadyExchange): Response {
    const t = exchange.optionalInteger('t');
    const limit = exchange.optionalInteger('limit', { least: 0 }) ?? 256;
    const within = (chat: SteadyChat) => t === undefined || (varies('t-is-after') ? chat.t > t : chat.t < t);
    const chosen = findWorkspace(exchange).chats.filter(within);
    return exchange.named({ chats: limit === 0 ? [] : chosen.slice(-limit).map(describeChat) });
  }

  function openChat(
    workspace: SteadyWorkspace,
    t: number | undefined,
    kind: string,
    title: string,
  ): SteadyChat {
    if (t !== undefined && t !== 0) return findChat(workspace, t);
    const chat = { id: store.newId('ch'), t: store.newStamp(), title, kind, messages: [] };
    workspace.chats.push(chat);
    return chat;
  }

  async function startChatTask(exchange: SteadyExchange): Promise<Response> {
    const t = exchange.optionalInteger('t');
    const kind = exchange.query.get('task_type') ?? 'task';
    const workspaceId = exchange.header('workspace-id');
    const body = await exchange.body();
    const workspace = findWorkspace(exchange);
    checkCredits(store, exchange.org);
    const text = typeof body.task === 'string' ? body.task : '';
    const chat = openChat(workspace, t, kind, text.slice(0, 40) || `Task in ${workspaceId}`);
    const request = { status: 'pending', id: store.newId('rq') };
    chat.messages.push({ t: store.newStamp(), role: 'user', content: body });
    chat.messages.push({ t: store.newStamp(), role: 'agent', content: 'May I begin?', request });
    return showChat(exchange, chat);
  }

  function showOneChat(exchange: SteadyExchange): Response {
    const t = exchange.integer('t');
    const most = exchange.optionalInteger('msg', { least: 0 });
    const chat = findChat(findWorkspace(exchange), t);
    return showChat(exchange, chat, most === undefined ? chat.messages : chat.messages.slice(0, most));
  }

  function deleteChat(exchange: SteadyExchange): Response {
    const t = exchange.integer('t');
    const workspace = findWorkspace(exchange);
    const chat = findChat(workspace, t);
    workspace.chats.splice(workspace.chats.indexOf(chat), 1);
    return answer({ r: true });
  }

  function renameChat(exchange: SteadyExchange): Response {
    const t = exchange.integer('t');
    const chat = findChat(findWorkspace(exchange), t);
    chat.title = exchange.query.get('title') ?? chat.title;
    return answer({ r: true });
  }

  function decideRequest(exchange: SteadyExchange): Response {
    const [id, t, status] = [exchange.text('id'), exchange.integer('t'), exchange.text('status')];
    const chat = findChatById(exchange);
    if (
      ![...store.workspaces.values()].some(({ org, chats }) => org === exchange.org && chats.includes(chat))
    )
      throw unknown('chat');
    const message = chat.messages.find((one) => isObject(one.request) && one.request.id === id);
    if (message === undefined) throw unknown(`request at ${t}`);
    message.request = { status, id };
    return exchange.named({ messages: chat.messages });
  }

  function listMessages(exchange: SteadyExchange): Response {
    const t = exchange.optionalInteger('t') ?? -Infinity;
    const { messages } = findChatById(exchange);
    return exchange.named({ messages: messages.filter((message) => Number(message.t) > t) });
  }

  async function sendMessage(exchange: SteadyExchange): Promise<Response> {
    const t = exchange.optionalInteger('t');
    exchange.header('workspace-id');
    const form = await exchange.form();
    const workspace = findWorkspace(exchange);
    const chat = openChat(workspace, t, 'chat', 'Untitled');
    const content: string[] = [];
    const attachments: Json[] = [];
    for (const part of form.values()) {
      if (typeof part === 'string') {
        content.push(part);
        continue;
      }
      const id = store.newId('at');
      const record = { size: part.size, type: part.type, name: part.name, id };
      store.attachments.set(id, { workspace: workspace.id, record });
      attachments.push(record);
    }
    chat.messages.push({ t: store.newStamp(), role: 'user', content: content.join('\n'), attachments });
    return showChat(exchange, chat);
  }

  function showAttachment(exchange: SteadyExchange): Response {
    const found = store.attachments.get(exchange.header('attachment-id'));
    if (found === undefined) throw unknown('attachment');
    return answer({ r: found.record });
  }

  async function updateAttachment(exchange: SteadyExchange): Promise<Response> {
    const t = exchange.integer('t');
    const id = exchange.header('attachment-id');
    exchange.header('workspace-id');
    const body = await exchange.body();
    const workspace = findWorkspace(exchange);
    findChat(workspace, t);
    const found = store.attachments.get(id);
    if (found === undefined || found.workspace !== workspace.id) throw unknown('attachment');
    found.record = { ...found.record, ...body, id };
    return answer({ r: true });
  }

  function showToolCall(exchange: SteadyExchange): Response {
    const { tool, id } = exchange.path;
    for (const task of store.tasks.values()) {
      const call = task.calls.find((one) => one.id === id && one.tool.name === tool);
      if (call === undefined) continue;
      const reply = call.reply === undefined ? null : { output: call.reply.output, code: call.reply.code };
      return exchange.named({ reply, input: call.input, tool: call.tool.name, id: call.id });
    }
    throw unknown('tool call');
  }

  async function connectApp(exchange: SteadyExchange): Promise<Response> {
    exchange.header('workspace-id');
    await exchange.body();
    const workspace = findWorkspace(exchange);
    const app = exchange.path.app_name ?? '';
    if (!APPS.includes(app)) throw unknown('app');
    if (!workspace.apps.includes(app)) workspace.apps.push(app);
    return exchange.created({ r: { connected: true, app } });
  }

  const showSops = (exchange: SteadyExchange, { sops }: SteadyWorkspace) =>
    exchange.named({ sops: sops.map(({ t, sop }) => ({ ...sop, t })) });

  async function saveSop(exchange: SteadyExchange): Promise<Response> {
    const t = exchange.optionalInteger('t') ?? 0;
    exchange.header('workspace-id');
    const sop = await exchange.body();
    const workspace = findWorkspace(exchange);
    const found = workspace.sops.find((one) => one.t === t);
    if (t !== 0 && found === undefined) throw unknown('SOP');
    if (found === undefined || fault('sop-update-adds')) workspace.sops.push({ t: store.newStamp(), sop });
    else found.sop = sop;
    return showSops(exchange, workspace);
  }

  function deleteSop(exchange: SteadyExchange): Response {
    const t = exchange.integer('t');
    const { sops } = findWorkspace(exchange);
    const at = sops.findIndex((one) => one.t === t);
    if (at === -1) throw unknown('SOP');
    sops.splice(at, 1);
    return exchange.plain();
  }

  const describeAutomation = ({ id, runs, request }: SteadyWorkspace['automations'][number]): JsonObject => ({
    ...request,
    runs,
    id,
  });

  async function createAutomation(exchange: SteadyExchange): Promise<Response> {
    exchange.header('workspace-id');
    const request = await exchange.body();
    const workspace = findWorkspace(exchange);
    const automation = { id: store.newId('au'), runs: 0, request };
    workspace.automations.push(automation);
    return exchange.created({ r: describeAutomation(automation) });
  }

  function deleteAutomation(exchange: SteadyExchange): Response {
    const id = exchange.text('id');
    const { automations } = findWorkspace(exchange);
    const at = automations.findIndex((one) => one.id === id);
    if (at === -1) throw unknown('automation');
    automations.splice(at, 1);
    return exchange.plain();
  }

  async function triggerAutomation(exchange: SteadyExchange): Promise<Response> {
    const body = await exchange.body();
    if (varies('webhook-always-accepts')) return exchange.plain();
    const id = body.automation_id ?? body.id ?? body.automation;
    if (typeof id !== 'string') throw invalid('automation_id', 'is required');
    for (const { automations } of store.workspaces.values())
      for (const automation of automations)
        if (automation.id === id) {
          automation.runs += 1;
          return exchange.plain();
        }
    throw unknown('automation');
  }

  return [
    route('GET /workspace', (exchange) => exchange.named(describeWorkspace(findWorkspace(exchange)))),
    route('POST /workspace/{name}', createWorkspace),
    route('GET /chat', listChats),
    route('POST /task/zero', startChatTask),
    route('DELETE /chat/id', deleteChat),
    route('GET /chat/id', showOneChat),
    route('POST /chat/id', renameChat),
    route('PUT /request/id', decideRequest),
    route('GET /chat/message', listMessages, false),
    route('POST /chat/message', sendMessage),
    route('GET /attachment', showAttachment, false),
    route('POST /attachment', updateAttachment),
    route('GET /tool/{tool}/{id}', showToolCall, false),
    route('GET /app', (exchange) => exchange.named({ apps: APPS.map((name) => ({ name })) })),
    route('POST /workspace/app/{app_name}', connectApp),
    route('GET /sop', (exchange) => showSops(exchange, findWorkspace(exchange))),
    route('POST /sop', saveSop),
    route('DELETE /sop', deleteSop),
    route('GET /automation', (exchange) =>
      answer({ r: findWorkspace(exchange).automations.map(describeAutomation) }),
    ),
    route('POST /automation', createAutomation),
    route('DELETE /automation', deleteAutomation),
    route('POST /webhook', triggerAutomation, fault('webhook-needs-key')),
  ];
}
