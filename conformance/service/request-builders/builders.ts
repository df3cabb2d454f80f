import type { OperationId } from '../../../spec/generated/operations.js';
import type { ApiRequest } from '../http-client/response.js';
import type { Allowance } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { CHEAP_TASK, extensionForm, fileForm, messageForm, underNames } from './bodies.js';
import type { Names, ResourceName } from './resources.js';

type RequestPart = ApiRequest | ((t: TestContext, names: Names) => ApiRequest);

/** How to make a valid request of an operation on a live service. */
export interface RequestBuilder {
  /** Resources that have to exist first. Their names fill in the required parameters of the operation. */
  needs?: readonly ResourceName[];
  /**
   * Everything else in the request. Several where the API does not name the fields of the body: the first is the mock's; a service
   * that refuses it is sent the next, which says the same under other names.
   */
  request?: RequestPart | readonly RequestPart[];
  /** What a success creates. */
  creates?: ResourceName;
  /** A success uses up what the request names: the next request needs another one. */
  consumes?: true;
  allow?: Allowance;
  /**
   * The API does not state everything that the request holds: a refusal of its fields (`fields`), or also a 404 (`lookup`), proves
   * nothing against the service.
   */
  open?: 'fields' | 'lookup';
}

/** Names that the text for the agent may have in a chat. */
const TASK_NAMES = 'task message prompt text content input';

/** A valid request for every operation. */
export const requestBuilders: Readonly<Record<OperationId, RequestBuilder>> = {
  inviteUser: {
    allow: 'organisation',
    request: (t) => ({ query: { email: `${t.unique()}@example.com` } }),
  },
  getOrganisation: {},
  updateOrganisation: {
    allow: 'organisation',
    needs: ['organisationName'],
    request: (t) => ({ query: { name: t.unique() } }),
  },
  getUsage: {},
  getBillingPortal: {},
  topUp: { allow: 'billing', open: 'fields', request: { query: { amount: 1 } } },
  getAutoTopUp: {},
  setAutoTopUp: {
    allow: 'billing',
    open: 'fields',
    needs: ['autoTopUp'],
    request: { query: { active: false, amount: 0, threshold: 0 } },
  },
  setPlan: { allow: 'billing', open: 'fields', needs: ['plan'] },

  listTasks: {},
  createTask: { creates: 'task', request: { body: { task: null } } },
  getTask: { needs: ['session'] },
  updateTask: {
    needs: ['toolCall'],
    // A second reply to a call may be refused (open point `event.reply-repeated`).
    consumes: true,
    open: 'lookup',
    request: (_, { id }) => ({ body: { tool_response: { id, code: 200, output: '"a word"' } } }),
  },
  deleteTask: { needs: ['session'], consumes: true },
  getTaskVisibility: { needs: ['session'] },
  setTaskVisibility: { needs: ['session'], request: { query: { visibility: false } } },
  // A service may insist on a task that was not stopped.
  deleteTaskData: { needs: ['endedSession'], consumes: true, open: 'fields' },
  sendTaskEvent: {
    needs: ['session'],
    request: (t) => ({
      body: {
        name: 'browser_action',
        payload: { name: 'evaluate_js', input: { js: '1 + 1' } },
        id: t.unique(),
        timestamp: Math.floor(t.now()),
      },
    }),
  },

  listProfiles: {},
  createProfile: { creates: 'profile', request: (t) => ({ body: { id: t.unique() } }) },
  deleteProfile: { needs: ['profile'], consumes: true },
  listBrowserProfiles: {},
  deleteBrowserProfile: { needs: ['profile'], consumes: true },
  listProxies: {},
  updateProxy: { needs: ['proxy'] },

  listExtensions: {},
  uploadExtension: uploadOfExtension(),
  deleteExtension: { needs: ['extension'], consumes: true },
  listBrowserExtensions: {},
  uploadBrowserExtension: uploadOfExtension(),
  deleteBrowserExtension: { needs: ['extension'], consumes: true },
  uploadFile: { creates: 'file', request: () => ({ form: fileForm('file') }) },
  deleteFile: { needs: ['file'], consumes: true },
  openBrowserSession: { creates: 'browser', open: 'fields', request: { body: {} } },
  closeBrowserSession: { needs: ['browser'], consumes: true, open: 'lookup' },

  sendTelemetry: {
    open: 'fields',
    request: [
      (t) => ({ body: { events: [telemetryEvent(t)] } }),
      (t) => ({ body: { events: [eventUnderNames(t)] } }),
      (t) => ({ body: { events: [{ ...eventUnderNames(t), timestamp: Math.floor(t.now()) }] } }),
    ],
  },
  getJob: { needs: ['job'], open: 'lookup' },

  getWorkspace: { needs: ['workspace'] },
  createWorkspace: { creates: 'workspace', request: (t) => ({ path: { name: t.unique() } }) },
  listChats: { needs: ['workspace'] },
  createChatTask: {
    needs: ['workspace'],
    creates: 'chat',
    open: 'fields',
    request: [
      { body: { task: CHEAP_TASK } },
      (t) => ({ body: underNames({ 'title name': t.unique(), [TASK_NAMES]: CHEAP_TASK })[1] }),
    ],
  },
  getChat: { needs: ['chat'], open: 'lookup' },
  renameChat: { needs: ['chat'], open: 'lookup', request: { query: { title: 'Another title' } } },
  deleteChat: { needs: ['chat'], open: 'lookup', consumes: true },
  updateRequest: { needs: ['request'], open: 'lookup', request: { query: { status: 'approved' } } },
  listMessages: { needs: ['chat'], open: 'lookup' },
  createMessage: {
    needs: ['workspace'],
    creates: 'chat',
    open: 'fields',
    request: [
      () => ({ form: messageForm(['message'], ['files']) }),
      () => ({ form: messageForm(['message'], ['file']) }),
      () => ({
        form: messageForm(['message', 'text', 'content', 'prompt', 'task'], ['files', 'attachments']),
      }),
    ],
  },
  getAttachment: { needs: ['attachment'], open: 'lookup' },
  updateAttachment: {
    needs: ['attachment'],
    open: 'lookup',
    request: [
      { body: { name: 'renamed.txt' } },
      { body: { ...underNames({ 'name title filename file_name': 'renamed.txt' })[1], content: 'hello' } },
    ],
  },
  getToolData: { needs: ['request'], open: 'lookup' },

  listApps: {},
  connectApp: { needs: ['app', 'workspace'], open: 'lookup', request: { body: {} } },
  listSops: { needs: ['workspace'] },
  saveSop: {
    needs: ['workspace'],
    creates: 'sop',
    open: 'fields',
    request: bodiesUnderNames((t) => ({
      'title name': t.unique(),
      'content text body sop description prompt': 'Nothing.',
    })),
  },
  deleteSop: { needs: ['sop'], open: 'lookup', consumes: true },
  listAutomations: { needs: ['workspace'] },
  createAutomation: {
    needs: ['workspace'],
    creates: 'automation',
    open: 'fields',
    request: bodiesUnderNames((t) => ({
      'name title': t.unique(),
      'task prompt description instructions content': CHEAP_TASK,
    })),
  },
  deleteAutomation: { needs: ['automation'], open: 'lookup', consumes: true },
  triggerWebhook: {
    needs: ['automation'],
    open: 'lookup',
    request: (_, { id }) => ({ body: { automation_id: id } }),
  },
};

function uploadOfExtension(): RequestBuilder {
  return {
    creates: 'extension',
    open: 'fields',
    request: [() => ({ form: extensionForm('file') }), () => ({ form: extensionForm('extension') })],
  };
}

function telemetryEvent(t: TestContext) {
  return { event: t.unique(), timestamp: new Date(t.now()).toISOString(), properties: {} };
}

function eventUnderNames(t: TestContext) {
  const event = telemetryEvent(t);
  return { ...event, ...underNames({ 'event name type event_name': event.event })[1], data: {} };
}

function bodiesUnderNames(fieldsOf: (t: TestContext) => Readonly<Record<string, string>>): RequestPart[] {
  return ([0, 1] as const).map((form) => (t) => ({ body: underNames(fieldsOf(t))[form] }));
}
