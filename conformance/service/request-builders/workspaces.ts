import type { Answer, Sending } from '../http-client/response.js';
import { each, naming, plain, type Sampler } from './builder.js';
import { app, job } from './calls.js';
import { formOf } from './forms.js';
import * as things from './things.js';
import type { Kit } from './tracker.js';

const IN_WORKSPACE = { uses: ['createWorkspace'] } satisfies Partial<Sampler>;
const CHAT = {
  uses: ['createWorkspace', 'createChatTask', 'deleteChat', 'deleteTask'],
  tasks: 1,
  open: 'lookup',
} satisfies Partial<Sampler>;
const ATTACHMENT = {
  uses: ['createWorkspace', 'createMessage', 'deleteChat', 'deleteTask'],
  tasks: 1,
  open: 'lookup',
} satisfies Partial<Sampler>;
const AUTOMATION = {
  uses: ['createWorkspace', 'createAutomation', 'deleteAutomation'],
  open: 'lookup',
} satisfies Partial<Sampler>;

/** In a workspace, with nothing else to name. */
function inWorkspace(more: (kit: Kit) => Sending = () => ({})): Sampler['make'] {
  return async (kit) => {
    const headers = { 'workspace-id': await things.workspace(kit) };
    return () => ({ headers, ...more(kit) });
  };
}

function onChat(query: Sending['query'] = {}): Sampler['make'] {
  return async (kit) => {
    const { t, workspace, answer } = await things.chat(kit);
    const named = kit.had(t, 't of a chat', answer);
    return () => ({ query: { t: named, ...query }, headers: { 'workspace-id': workspace } });
  };
}

function undoChat(kit: Kit, answer: Answer, { headers }: Sending): void {
  things.removeChat(kit, headers!['workspace-id']!, answer);
}

/** Workspaces, which nothing removes, and what is in them. */
export const workspaceSamplers = {
  getWorkspace: { ...IN_WORKSPACE, make: inWorkspace() },
  createWorkspace: { make: each(({ probing }) => ({ path: { name: probing.unique() } })) },
  listChats: { ...IN_WORKSPACE, make: inWorkspace() },
  createChatTask: {
    uses: ['createWorkspace', 'deleteChat', 'deleteTask'],
    tasksEach: 1,
    open: 'fields',
    make: inWorkspace((kit) => formOf(kit, 'createChatTask')),
    undo: undoChat,
  },
  getChat: { ...CHAT, make: onChat() },
  renameChat: { ...CHAT, make: onChat({ title: 'Another title' }) },
  deleteChat: { ...CHAT, consumes: true, make: onChat() },
  updateRequest: {
    ...CHAT,
    make: naming(things.request, ({ chat, id, t }) => ({
      query: { id, t, status: 'approved' },
      headers: { 'chat-id': chat },
    })),
  },
  listMessages: {
    ...CHAT,
    make: async (kit) => {
      const { id, answer } = await things.chat(kit);
      const named = kit.had(id, 'id of a chat', answer);
      return () => ({ headers: { 'chat-id': named } });
    },
    stranger: ({ probing }) => ({ headers: { 'chat-id': probing.unique() } }),
  },
  createMessage: {
    uses: ['createWorkspace', 'deleteChat', 'deleteTask'],
    tasksEach: 1,
    open: 'fields',
    make: inWorkspace((kit) => formOf(kit, 'createMessage')),
    undo: undoChat,
  },
  getAttachment: {
    ...ATTACHMENT,
    make: naming(things.attachment, ({ id }) => ({ headers: { 'attachment-id': id } })),
    stranger: ({ probing }) => ({ headers: { 'attachment-id': probing.unique() } }),
  },
  updateAttachment: {
    ...ATTACHMENT,
    make: async (kit) => {
      const { workspace, id, t } = await things.attachment(kit);
      const headers = { 'workspace-id': workspace, 'attachment-id': id };
      return () => ({ query: { t }, headers, ...formOf(kit, 'updateAttachment') });
    },
  },
  getToolData: {
    ...CHAT,
    make: async (kit) => {
      const { tool, id } = await things.request(kit);
      if (tool === undefined) return kit.probing.inconclusive('a request in a chat does not name its tool');
      return () => ({ path: { tool, id } });
    },
    stranger: ({ probing }) => ({ path: { tool: 'browser', id: probing.unique() } }),
  },
  listApps: plain,
  connectApp: {
    uses: ['createWorkspace', 'listApps'],
    open: 'lookup',
    make: async (kit) => {
      const app_name = await app(kit);
      const headers = { 'workspace-id': await things.workspace(kit) };
      return () => ({ path: { app_name }, headers, body: {} });
    },
  },
  listSops: { ...IN_WORKSPACE, make: inWorkspace() },
  saveSop: {
    uses: ['createWorkspace', 'deleteSop'],
    open: 'fields',
    make: inWorkspace((kit) => formOf(kit, 'saveSop')),
    undo: (kit, answer, sent) => things.removeSop(kit, sent.headers!['workspace-id']!, answer, sent),
  },
  deleteSop: {
    uses: ['createWorkspace', 'saveSop'],
    consumes: true,
    open: 'lookup',
    make: naming(things.sop, ({ workspace, t }) => ({
      query: { t },
      headers: { 'workspace-id': workspace },
    })),
  },
  listAutomations: { ...IN_WORKSPACE, make: inWorkspace() },
  createAutomation: {
    uses: ['createWorkspace', 'deleteAutomation'],
    open: 'fields',
    make: inWorkspace((kit) => formOf(kit, 'createAutomation')),
    undo(kit, answer, { headers }) {
      const id = things.automationId(answer);
      if (id !== undefined) things.removeAutomation(kit, headers!['workspace-id']!, id);
    },
  },
  deleteAutomation: {
    ...AUTOMATION,
    consumes: true,
    make: naming(things.automation, ({ id, workspace }) => ({
      query: { id },
      headers: { 'workspace-id': workspace },
    })),
  },
  triggerWebhook: {
    ...AUTOMATION,
    tasksEach: 1,
    make: naming(things.automation, ({ id }) => ({ body: { automation_id: id } })),
    stranger: ({ probing }) => ({ body: { automation_id: probing.unique() } }),
  },
  getJob: {
    uses: [...AUTOMATION.uses, 'triggerWebhook', 'listTasks'],
    tasks: 1,
    open: 'lookup',
    make: naming(job, (job_id) => ({ path: { job_id } })),
    stranger: ({ probing }) => ({ path: { job_id: probing.unique() } }),
  },
} satisfies Record<string, Sampler>;
