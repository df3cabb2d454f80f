import { type OperationId, operations } from '../../../spec/generated/operations.js';
import type { RuleExample, RuleExamples } from '../../../test/support/rules/example.js';
import { buildExchanges, createBadExample } from '../../../test/support/rules/service-exchange-builder.js';

const RECORD = [{ any: 'field' }, 'a text'];
const RECORDS = [[{ any: 'field' }], { any: 'field' }];
const BOOLEAN = [true, 'true'];
const STRUCTURE = [{ any: 'field' }, null];

/** A valid and an invalid payload. */
const PAYLOADS: Readonly<Partial<Record<OperationId, unknown[]>>> = {
  inviteUser: [{ 'a@example.com': 1 }, { 'a@example.com': 'one' }],
  getOrganisation: RECORD,
  getUsage: RECORD,
  getBillingPortal: ['https://billing.example', { url: 'https://billing.example' }],
  topUp: [true, 12],
  getAutoTopUp: RECORD,
  setAutoTopUp: RECORD,
  setPlan: ['https://pay.example', 7],
  listTasks: [[{ id: 'a', status: 'done' }], { tasks: [] }],
  getTask: [{ id: 'x', status: 'running' }, 'running'],
  updateTask: BOOLEAN,
  getTaskVisibility: BOOLEAN,
  setTaskVisibility: BOOLEAN,
  deleteTaskData: BOOLEAN,
  createProfile: RECORD,
  listProfiles: RECORDS,
  listProxies: [[{ id: 'p', auto_renew: true }], [{ id: 'p' }]],
  updateProxy: [
    { id: 'p', auto_renew: false },
    { id: 'p', auto_renew: 'off' },
  ],
  uploadExtension: RECORD,
  listExtensions: RECORDS,
  deleteExtension: BOOLEAN,
  deleteBrowserExtension: BOOLEAN,
  uploadFile: [{ id: 'f' }, { id: '' }],
  deleteFile: BOOLEAN,
  openBrowserSession: RECORD,
  listBrowserProfiles: [{ profile_ids: [] }, true],
  uploadBrowserExtension: RECORD,
  listBrowserExtensions: [{ extensions: [] }, true],
  getWorkspace: [{ any: 'field' }, { shared: 'false' }],
  createWorkspace: [{ shared: true }, { r: { shared: 'true' } }],
  listChats: STRUCTURE,
  createChatTask: STRUCTURE,
  deleteChat: BOOLEAN,
  getChat: STRUCTURE,
  renameChat: BOOLEAN,
  updateRequest: STRUCTURE,
  listMessages: STRUCTURE,
  createMessage: STRUCTURE,
  getAttachment: RECORD,
  updateAttachment: BOOLEAN,
  getToolData: STRUCTURE,
  listApps: STRUCTURE,
  connectApp: STRUCTURE,
  listSops: STRUCTURE,
  saveSop: STRUCTURE,
  listAutomations: RECORDS,
  createAutomation: RECORD,
};

export const examples: RuleExamples = Object.fromEntries(
  Object.entries(PAYLOADS).map(([id, [right, wrong]]) => [
    `payloads/${id}`,
    example(id as OperationId, right, wrong),
  ]),
);

function example(id: OperationId, right: unknown, wrong: unknown): RuleExample {
  const { method, path, params, envelope } = operations[id];
  const words = { string: 'x', integer: '1', boolean: 'true' };
  const query = params.filter((each) => each.in === 'query' && each.required);
  const headers = params.filter((each) => each.in === 'header');
  const asked = {
    method,
    path: `${path.replace(/\{\w+\}/g, 'x')}?${query.map((each) => `${each.name}=${words[each.type]}`).join('&')}`,
    headers: { apikey: 'key', ...Object.fromEntries(headers.map(({ name }) => [name, 'x'])) },
  };
  const answered = (payload: unknown) =>
    buildExchanges().addExchange(asked, {
      status: id === 'getTask' ? 202 : 200,
      body: envelope ? { r: payload } : payload,
    });
  return {
    good: {
      'what is stated': answered(right),
      'an error': buildExchanges().addExchange(asked, { status: 404, body: { detail: 'no' } }),
    },
    bad: { 'something else': createBadExample(answered(wrong), /is not as stated: .*expected .*/, 1) },
  };
}
