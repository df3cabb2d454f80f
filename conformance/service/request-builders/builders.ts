import type { Capability } from '../../../scenarios/format/needs.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { ApiRequest } from '../http-client/response.js';
import { createBodies, type NamedValue } from '../test-case/requests.js';
import type { Allowance } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { createExtensionForm, createMessageForm, createTaskText } from './bodies.js';
import type { ResourceName, ResourceNames } from './resources.js';

/** The part of the test context that a request builder uses. */
export type ValueSource = Pick<TestContext, 'unique' | 'now'>;
type RequestForms = ApiRequest | readonly ApiRequest[];

/** Builds a valid request of an operation for a live service. */
interface RequestBuilder {
  /** Resources that have to exist. Their names fill in the required parameters of the operation. */
  needs?: readonly ResourceName[];
  /**
   * All other fields. If the API does not name the body fields, there are several equivalent forms: the next is sent after a
   * refusal. The text of `unique` identifies what the request creates.
   */
  request?: RequestForms | ((t: ValueSource, names: ResourceNames) => RequestForms);
  creates?: ResourceName;
  /** A success consumes the named resource: the next request needs another one. */
  consumes?: true;
  allow?: Allowance;
  /** Further features that the target needs, by names that `lacks` accepts. */
  parts?: readonly Capability[];
  /**
   * The API does not state all content of the request: a refusal of its fields (`fields`), or also a 404 (`lookup`), is no
   * finding.
   */
  open?: 'fields' | 'lookup';
}

/** Possible names of the form part that contains the archive (open point `upload.part-names`). */
const ARCHIVE_PARTS = ['file', 'extension', 'archive', 'zip', 'upload'];

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
    parts: ['tools'],
    needs: ['toolCall'],
    // A second reply to a call may be refused (open point `event.reply-repeated`).
    consumes: true,
    open: 'lookup',
    request: (_, { id }) => ({ body: { tool_response: { id, code: 200, output: '"a word"' } } }),
  },
  deleteTask: { needs: ['session'], consumes: true },
  getTaskVisibility: { needs: ['session'] },
  setTaskVisibility: { needs: ['session'], request: { query: { visibility: false } } },
  // A service may require a task that was not stopped.
  deleteTaskData: { needs: ['endedSession'], consumes: true, open: 'fields' },
  sendTaskEvent: {
    parts: ['sessions'],
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
  uploadExtension: createUploadBuilder(),
  deleteExtension: { needs: ['extension'], consumes: true },
  listBrowserExtensions: {},
  uploadBrowserExtension: createUploadBuilder(),
  deleteBrowserExtension: { needs: ['extension'], consumes: true },
  uploadFile: {
    creates: 'file',
    request: (t) => ({ form: createMessageForm([], ['file'], { filename: `${t.unique()}.txt` }) }),
  },
  deleteFile: { needs: ['file'], consumes: true },
  openBrowserSession: {
    needs: ['profile'],
    creates: 'browser',
    open: 'fields',
    request: (_, { profile_id }) => [{ body: { profile_id } }, { body: {} }],
  },
  closeBrowserSession: { needs: ['browser'], consumes: true, open: 'lookup' },

  sendTelemetry: {
    open: 'fields',
    request(t) {
      const event = { event: t.unique(), timestamp: new Date(t.now()).toISOString(), properties: {} };
      const [named] = createBodies([event.event, ['event', 'name', 'type', 'event_name']]);
      const other = { ...event, ...named, data: {} };
      const all = [event, other, { ...other, timestamp: Math.floor(t.now()) }];
      return all.map((each) => ({ body: { events: [each] } }));
    },
  },
  getJob: { needs: ['job'], open: 'lookup' },

  getWorkspace: { needs: ['workspace'] },
  createWorkspace: { request: (t) => ({ path: { name: t.unique() } }) },
  listChats: { needs: ['workspace'] },
  createChatTask: {
    needs: ['workspace'],
    creates: 'chat',
    open: 'fields',
    request: (t) =>
      createBodyRequests([
        createTaskText(t.unique()),
        ['task', 'text', 'prompt', 'message', 'content', 'title'],
      ]),
  },
  getChat: { needs: ['chat'], open: 'lookup' },
  renameChat: { needs: ['chat'], open: 'lookup', request: { query: { title: 'Another title' } } },
  deleteChat: { needs: ['chat'], open: 'lookup', consumes: true },
  updateRequest: { needs: ['request'], open: 'lookup', request: { query: { status: 'approved' } } },
  listMessages: { needs: ['chat'], open: 'lookup' },
  createMessage: {
    needs: ['workspace'],
    creates: 'message',
    open: 'fields',
    request: () => [
      { form: createMessageForm(['message'], ['files']) },
      { form: createMessageForm(['message'], ['file']) },
      { form: createMessageForm(['message', 'text', 'content', 'prompt', 'task'], ['files', 'attachments']) },
    ],
  },
  getAttachment: { needs: ['attachment'], open: 'lookup' },
  updateAttachment: {
    needs: ['attachment'],
    open: 'lookup',
    request: [
      { body: { name: 'renamed.txt' } },
      {
        body: {
          ...createBodies(['renamed.txt', ['name', 'title', 'filename', 'file_name']])[0],
          content: 'hello',
        },
      },
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
    request: (t) => createSopRequests(t.unique()),
  },
  deleteSop: { needs: ['sop'], open: 'lookup', consumes: true },
  listAutomations: { needs: ['workspace'] },
  createAutomation: {
    needs: ['workspace'],
    creates: 'automation',
    open: 'fields',
    request(t) {
      const name = t.unique();
      const task = createTaskText(name);
      const triggers = ['webhook', { type: 'webhook' }].map((trigger) => ({ body: { name, task, trigger } }));
      return [
        ...createBodyRequests(
          [name, ['name', 'title']],
          [task, ['task', 'prompt', 'description', 'instructions', 'content']],
        ),
        ...triggers,
      ];
    },
  },
  deleteAutomation: { needs: ['automation'], open: 'lookup', consumes: true },
  triggerWebhook: {
    needs: ['automation'],
    open: 'lookup',
    request: (_, { id }) => ({ body: { automation_id: id } }),
  },
};

function createUploadBuilder(): RequestBuilder {
  return {
    creates: 'extension',
    open: 'fields',
    request(t) {
      const name = t.unique();
      return ARCHIVE_PARTS.map((part) => ({ form: createExtensionForm(part, name) }));
    },
  };
}

/** Requests that save an SOP with this title. */
function createSopRequests(title: string): ApiRequest[] {
  const content = `First open the page. Then read it (${title}).`;
  const names = ['content', 'description', 'text', 'body', 'instructions'];
  return createBodyRequests([title, ['title', 'name']], [content, names]);
}

function createBodyRequests(...fields: readonly NamedValue[]): ApiRequest[] {
  return createBodies(...fields).map((body) => ({ body }));
}
