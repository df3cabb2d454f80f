import type { OperationId } from '../../spec/generated/operations.js';
import type { Allowance } from './probe.js';
import { app, job, keepAutoTopUp, keepName, planName, proxy, toolCall } from './samples-calls.js';
import type { Kit } from './samples-kit.js';
import { findId } from './samples-read.js';
import * as things from './samples-things.js';
import type { Answer, Sending } from './talk.js';

/** How to make one valid request of an operation on a live service. */
export interface Sampler {
  /** Operations it calls beside its own, for what the request names and for taking away again. */
  uses?: readonly OperationId[];
  /** Tasks and sessions that go with each request at most. */
  tasks?: number;
  allow?: Allowance;
  /** Each request takes away what it names: the next needs another. */
  consumes?: true;
  /**
   * What the request holds is not wholly stated by the API, so that a refusal of its fields (`fields`), also as something
   * that is not there (`lookup`), says nothing against the service.
   */
  open?: 'fields' | 'lookup';
  /** Makes what the request names; what it gives makes a valid request each time it is called. */
  make(kit: Kit): Promise<() => Sending>;
  /** Takes away what a success has made. */
  undo?(kit: Kit, answer: Answer, sending: Sending): void;
  /** A request that names something which does not exist, where one can be made without anything that does. */
  stranger?(kit: Kit): Sending;
}

/** For requests that name nothing. */
const always = (sending: Sending) => async () => () => sending;
const plain: Sampler = { make: always({}) };

function onTask(more: Sending, make: (kit: Kit) => Promise<string> = things.session): Pick<Sampler, 'make'> {
  return {
    make: async (kit) => {
      const task_id = await make(kit);
      return () => ({ path: { task_id }, ...more });
    },
  };
}

const SESSION = { uses: ['createTask', 'deleteTask'], tasks: 1 } satisfies Partial<Sampler>;
const PROFILE = { uses: ['createProfile', 'deleteProfile'] } satisfies Partial<Sampler>;
const EXTENSION = { uses: ['uploadExtension', 'deleteExtension'] } satisfies Partial<Sampler>;
const IN_WORKSPACE = { uses: ['createWorkspace'] } satisfies Partial<Sampler>;
const CHAT = {
  uses: ['createWorkspace', 'createChatTask', 'deleteChat', 'deleteTask'],
  tasks: 1,
} satisfies Partial<Sampler>;
const AUTOMATION = {
  uses: ['createWorkspace', 'createAutomation', 'deleteAutomation'],
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

function undoExtension(kit: Kit, answer: Answer): void {
  const extension_id = things.extensionId(answer);
  if (extension_id === undefined) return;
  kit.later(`extension ${extension_id}`, () => kit.send('deleteExtension', { path: { extension_id } }));
}

const onExtension = async (kit: Kit) => {
  const extension_id = await things.extension(kit);
  return () => ({ path: { extension_id } });
};
const onProfile = async (kit: Kit) => {
  const profile_id = await things.profile(kit);
  return () => ({ path: { profile_id } });
};

/** Every operation. What costs money or changes the account says so; what is made is taken away again, save for workspaces, which nothing removes. */
export const samplers: Readonly<Record<OperationId, Sampler>> = Object.freeze({
  inviteUser: {
    allow: 'organisation',
    make: async (kit: Kit) => () => ({ query: { email: `${kit.probing.unique()}@example.com` } }),
  },
  getOrganisation: plain,
  updateOrganisation: {
    allow: 'organisation',
    uses: ['getOrganisation'],
    make: async (kit: Kit) => {
      await keepName(kit);
      return () => ({ query: { name: kit.probing.unique() } });
    },
  },
  getUsage: plain,
  getBillingPortal: plain,
  topUp: { allow: 'billing', open: 'fields', make: always({ query: { amount: 1 } }) },
  getAutoTopUp: plain,
  setAutoTopUp: {
    allow: 'billing',
    open: 'fields',
    uses: ['getAutoTopUp'],
    make: async (kit: Kit) => {
      await keepAutoTopUp(kit);
      return () => ({ query: { active: false, amount: 0, threshold: 0 } });
    },
  },
  setPlan: {
    allow: 'billing',
    open: 'fields',
    uses: ['getUsage'],
    make: async (kit: Kit) => {
      const plan = await planName(kit);
      return () => ({ query: { plan } });
    },
  },
  listTasks: plain,
  createTask: {
    ...SESSION,
    make: always({ body: { task: null } }),
    undo(kit: Kit, answer: Answer) {
      const id = findId(answer.body, 'id');
      if (id !== undefined) things.removeTask(kit, id);
    },
  },
  getTask: { ...SESSION, ...onTask({}) },
  updateTask: {
    ...SESSION,
    open: 'lookup',
    make: async (kit: Kit) => {
      const { task, id } = await toolCall(kit);
      const body = { tool_response: { id, code: 200, output: '"a word"' } };
      return () => ({ path: { task_id: task }, body });
    },
  },
  deleteTask: { ...SESSION, consumes: true, ...onTask({}) },
  getTaskVisibility: { ...SESSION, ...onTask({}) },
  setTaskVisibility: { ...SESSION, ...onTask({ query: { visibility: false } }) },
  deleteTaskData: { ...SESSION, consumes: true, ...onTask({}, things.endedSession) },
  sendTaskEvent: {
    ...SESSION,
    make: async (kit: Kit) => {
      const task_id = await things.session(kit);
      return () => ({
        path: { task_id },
        body: {
          name: 'browser_action',
          payload: { name: 'evaluate_js', input: { js: '1 + 1' } },
          id: kit.probing.unique(),
          timestamp: Math.floor(kit.probing.now()),
        },
      });
    },
  },
  listProfiles: plain,
  createProfile: {
    uses: ['deleteProfile'],
    make: async (kit: Kit) => () => ({ body: { id: kit.probing.unique() } }),
    undo(kit: Kit, answer: Answer, { body }: Sending) {
      const profile_id = findId(answer.body, 'id') ?? String((body as { id?: unknown } | undefined)?.id);
      kit.later(`profile ${profile_id}`, () => kit.send('deleteProfile', { path: { profile_id } }));
    },
  },
  deleteProfile: { ...PROFILE, consumes: true, make: onProfile },
  listProxies: plain,
  updateProxy: {
    uses: ['listProxies'],
    // It is set to what it is.
    make: async (kit: Kit) => {
      const { id, auto_renew } = await proxy(kit);
      return () => ({ path: { proxy_id: id }, query: { auto_renew } });
    },
  },
  listExtensions: plain,
  uploadExtension: {
    uses: ['deleteExtension'],
    open: 'fields',
    make: async () => () => ({ form: things.extensionForm() }),
    undo: undoExtension,
  },
  deleteExtension: { ...EXTENSION, consumes: true, make: onExtension },
  deleteBrowserExtension: { ...EXTENSION, consumes: true, make: onExtension },
  uploadFile: {
    uses: ['deleteFile'],
    make: async () => () => ({ form: things.fileForm() }),
    undo(kit: Kit, answer: Answer) {
      const file_id = findId(answer.body, 'id');
      if (file_id !== undefined)
        kit.later(`file ${file_id}`, () => kit.send('deleteFile', { path: { file_id } }));
    },
  },
  deleteFile: {
    uses: ['uploadFile'],
    consumes: true,
    make: async (kit: Kit) => {
      const file_id = await things.file(kit);
      return () => ({ path: { file_id } });
    },
  },
  openBrowserSession: {
    uses: ['closeBrowserSession', 'deleteProfile'],
    open: 'fields',
    make: always({ body: {} }),
    undo(kit: Kit, answer: Answer) {
      const id = things.browserId(answer);
      if (id !== undefined) things.removeBrowser(kit, id, answer);
    },
  },
  closeBrowserSession: {
    uses: ['openBrowserSession', 'deleteProfile'],
    consumes: true,
    open: 'lookup',
    make: async (kit: Kit) => {
      const session_id = await things.browser(kit);
      return () => ({ path: { session_id } });
    },
  },
  listBrowserProfiles: plain,
  deleteBrowserProfile: { ...PROFILE, consumes: true, make: onProfile },
  listBrowserExtensions: plain,
  uploadBrowserExtension: {
    uses: ['deleteExtension'],
    open: 'fields',
    make: async () => () => ({ form: things.extensionForm() }),
    undo: undoExtension,
  },
  sendTelemetry: {
    open: 'fields',
    make: async (kit: Kit) => () => {
      const timestamp = new Date(kit.probing.now()).toISOString();
      return { body: { events: [{ event: kit.probing.unique(), timestamp, properties: {} }] } };
    },
  },
  getJob: {
    uses: [...AUTOMATION.uses, 'triggerWebhook', 'listTasks', 'deleteTask'],
    tasks: 1,
    open: 'lookup',
    make: async (kit: Kit) => {
      const job_id = await job(kit);
      return () => ({ path: { job_id } });
    },
    stranger: (kit: Kit) => ({ path: { job_id: kit.probing.unique() } }),
  },
  getWorkspace: { ...IN_WORKSPACE, make: inWorkspace() },
  createWorkspace: { make: async (kit: Kit) => () => ({ path: { name: kit.probing.unique() } }) },
  listChats: { ...IN_WORKSPACE, make: inWorkspace() },
  createChatTask: {
    ...CHAT,
    open: 'fields',
    make: inWorkspace(() => ({ body: { task: things.CHEAP_TASK } })),
    undo: undoChat,
  },
  getChat: { ...CHAT, open: 'lookup', make: onChat() },
  renameChat: { ...CHAT, open: 'lookup', make: onChat({ title: 'Another title' }) },
  deleteChat: { ...CHAT, open: 'lookup', consumes: true, make: onChat() },
  updateRequest: {
    ...CHAT,
    open: 'lookup',
    make: async (kit: Kit) => {
      const { chat, id, t } = await things.request(kit);
      return () => ({ query: { id, t, status: 'approved' }, headers: { 'chat-id': chat } });
    },
  },
  listMessages: {
    ...CHAT,
    open: 'lookup',
    make: async (kit: Kit) => {
      const { id, answer } = await things.chat(kit);
      const named = kit.had(id, 'id of a chat', answer);
      return () => ({ headers: { 'chat-id': named } });
    },
    stranger: (kit: Kit) => ({ headers: { 'chat-id': kit.probing.unique() } }),
  },
  createMessage: {
    uses: ['createWorkspace', 'deleteChat', 'deleteTask'],
    tasks: 1,
    open: 'fields',
    make: inWorkspace(() => ({ form: things.messageForm() })),
    undo: undoChat,
  },
  getAttachment: {
    ...CHAT,
    uses: ['createWorkspace', 'createMessage', 'deleteChat', 'deleteTask'],
    open: 'lookup',
    make: async (kit: Kit) => {
      const { id } = await things.attachment(kit);
      return () => ({ headers: { 'attachment-id': id } });
    },
    stranger: (kit: Kit) => ({ headers: { 'attachment-id': kit.probing.unique() } }),
  },
  updateAttachment: {
    uses: ['createWorkspace', 'createMessage', 'deleteChat', 'deleteTask'],
    tasks: 1,
    open: 'lookup',
    make: async (kit: Kit) => {
      const { workspace, id, t } = await things.attachment(kit);
      const headers = { 'workspace-id': workspace, 'attachment-id': id };
      return () => ({ query: { t }, headers, body: { name: 'renamed.txt' } });
    },
  },
  getToolData: {
    ...CHAT,
    open: 'lookup',
    make: async (kit: Kit) => {
      const { tool, id } = await things.request(kit);
      if (tool === undefined) return kit.probing.inconclusive('a request in a chat does not name its tool');
      return () => ({ path: { tool, id } });
    },
    stranger: (kit: Kit) => ({ path: { tool: 'browser', id: kit.probing.unique() } }),
  },
  listApps: plain,
  connectApp: {
    uses: ['createWorkspace', 'listApps'],
    open: 'lookup',
    make: async (kit: Kit) => {
      const app_name = await app(kit);
      const headers = { 'workspace-id': await things.workspace(kit) };
      return () => ({ path: { app_name }, headers, body: {} });
    },
  },
  listSops: { ...IN_WORKSPACE, make: inWorkspace() },
  saveSop: {
    uses: ['createWorkspace', 'deleteSop'],
    open: 'fields',
    make: inWorkspace((kit) => ({ body: { title: kit.probing.unique(), content: 'Nothing.' } })),
    undo: (kit: Kit, answer: Answer, { headers }: Sending) =>
      things.removeSop(kit, headers!['workspace-id']!, answer),
  },
  deleteSop: {
    uses: ['createWorkspace', 'saveSop'],
    consumes: true,
    open: 'lookup',
    make: async (kit: Kit) => {
      const { workspace, t } = await things.sop(kit);
      return () => ({ query: { t }, headers: { 'workspace-id': workspace } });
    },
  },
  listAutomations: { ...IN_WORKSPACE, make: inWorkspace() },
  createAutomation: {
    uses: ['createWorkspace', 'deleteAutomation'],
    open: 'fields',
    make: inWorkspace((kit) => ({ body: { name: kit.probing.unique(), task: things.CHEAP_TASK } })),
    undo(kit: Kit, answer: Answer, { headers }: Sending) {
      const id = things.automationId(answer);
      if (id !== undefined) things.removeAutomation(kit, headers!['workspace-id']!, id);
    },
  },
  deleteAutomation: {
    ...AUTOMATION,
    consumes: true,
    open: 'lookup',
    make: async (kit: Kit) => {
      const { id, workspace } = await things.automation(kit);
      return () => ({ query: { id }, headers: { 'workspace-id': workspace } });
    },
  },
  triggerWebhook: {
    ...AUTOMATION,
    tasks: 1,
    open: 'lookup',
    make: async (kit: Kit) => {
      const { id } = await things.automation(kit);
      return () => ({ body: { automation_id: id } });
    },
    stranger: (kit: Kit) => ({ body: { automation_id: kit.probing.unique() } }),
  },
});
