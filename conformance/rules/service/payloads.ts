import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { asFields, type Fields, field, isText, show } from '../../conversation/json.js';
import { defineRules } from '../rule.js';

interface Kind {
  /** What has to stand there. */
  expected: string;
  fits(value: unknown): boolean;
}

const isRecord = (value: unknown) => asFields(value) !== undefined;
const isProxy = (value: unknown) => typeof field(value, 'auto_renew') === 'boolean';

const BOOLEAN: Kind = { expected: 'a boolean', fits: (value) => typeof value === 'boolean' };
const TEXT: Kind = { expected: 'a text that is not empty', fits: isText };
const ARRAY: Kind = {
  expected: 'an array of records',
  fits: (value) => Array.isArray(value) && value.every(isRecord),
};
const RECORD: Kind = { expected: 'a record', fits: isRecord };
/** For records that are only named: their shape is open, as long as there is one. */
const STRUCTURE: Kind = {
  expected: 'a record',
  fits: (value) => value !== null && typeof value === 'object',
};
const WITH_ID: Kind = {
  expected: 'a record whose "id" is a text',
  fits: (value) => isText(field(value, 'id')),
};
const COUNTS: Kind = {
  expected: 'a map from text to integer',
  fits: (value) => isRecord(value) && Object.values(value as Fields).every(Number.isInteger),
};
const PROXY: Kind = { expected: 'a record whose "auto_renew" is a boolean', fits: isProxy };
const PROXIES: Kind = {
  expected: `an array of proxies, each ${PROXY.expected}`,
  fits: (value) => Array.isArray(value) && value.every(isProxy),
};
const either = (one: Kind, other: Kind): Kind => ({
  expected: `${one.expected} or ${other.expected}`,
  fits: (value) => one.fits(value) || other.fits(value),
});

/** What the response to each operation holds, as far as it is stated. Section "Endpoints". */
const STATED: Readonly<Partial<Record<OperationId, readonly [RequirementId, Kind]>>> = {
  inviteUser: ['ORG-01', COUNTS],
  getOrganisation: ['ORG-02', RECORD],
  getUsage: ['ORG-04', RECORD],
  getBillingPortal: ['ORG-05', TEXT],
  topUp: ['ORG-06', either(BOOLEAN, TEXT)],
  getAutoTopUp: ['ORG-07', RECORD],
  setAutoTopUp: ['ORG-08', RECORD],
  setPlan: ['ORG-09', either(RECORD, TEXT)],
  listTasks: ['TASK-15', ARRAY],
  getTask: ['TASK-16', RECORD],
  updateTask: ['TASK-18', BOOLEAN],
  getTaskVisibility: ['TASK-19', BOOLEAN],
  setTaskVisibility: ['TASK-20', BOOLEAN],
  deleteTaskData: ['TASK-21', BOOLEAN],
  createProfile: ['PROFILE-02', RECORD],
  listProfiles: ['PROFILE-03', ARRAY],
  listProxies: ['PROXY-01', PROXIES],
  updateProxy: ['PROXY-02', PROXY],
  uploadExtension: ['EXT-01', RECORD],
  listExtensions: ['EXT-02', ARRAY],
  deleteExtension: ['EXT-03', BOOLEAN],
  deleteBrowserExtension: ['EXT-04', BOOLEAN],
  uploadFile: ['FILE-01', WITH_ID],
  deleteFile: ['FILE-02', BOOLEAN],
  openBrowserSession: ['BROWSER-01', RECORD],
  listBrowserProfiles: ['BROWSER-03', STRUCTURE],
  uploadBrowserExtension: ['BROWSER-05', RECORD],
  listBrowserExtensions: ['BROWSER-06', STRUCTURE],
  getWorkspace: ['WORKSPACE-01', STRUCTURE],
  createWorkspace: ['WORKSPACE-02', STRUCTURE],
  listChats: ['CHAT-01', STRUCTURE],
  createChatTask: ['CHAT-02', STRUCTURE],
  deleteChat: ['CHAT-03', BOOLEAN],
  getChat: ['CHAT-04', STRUCTURE],
  renameChat: ['CHAT-05', BOOLEAN],
  updateRequest: ['CHAT-06', STRUCTURE],
  listMessages: ['CHAT-07', STRUCTURE],
  createMessage: ['CHAT-08', STRUCTURE],
  getAttachment: ['CHAT-09', RECORD],
  updateAttachment: ['CHAT-10', BOOLEAN],
  getToolData: ['CHAT-11', STRUCTURE],
  listApps: ['APP-01', STRUCTURE],
  connectApp: ['APP-02', STRUCTURE],
  listSops: ['SOP-01', STRUCTURE],
  saveSop: ['SOP-02', STRUCTURE],
  listAutomations: ['AUTO-01', ARRAY],
  createAutomation: ['AUTO-02', RECORD],
};

/** One rule for each operation that states its payload: `payloads/getUsage`. */
export const payloadRules = Object.entries(STATED).flatMap(([operation, [requirement, kind]]) =>
  defineRules(
    { side: 'service', scope: 'stream' },
    {
      [`payloads/${operation}`]: {
        requirements: [requirement],
        title: `${operation} answers with ${kind.expected}.`,
        only: [operation as OperationId],
        check: (exchange) => {
          if (!exchange.isConfirmed) return undefined;
          const hasEnvelope = exchange.operation?.envelope;
          const body = exchange.responseJson;
          const payload = hasEnvelope ? field(body, 'r') : body;
          // Without the envelope there is nothing to look into, which is another rule's matter.
          if (payload === undefined) return undefined;
          if (kind.fits(payload)) return 'kept';
          const where = hasEnvelope ? '"r" in the response' : 'The response';
          return `${where} to ${exchange.operationName} has to be ${kind.expected}, and ${show(payload)} came.`;
        },
      },
    },
  ),
);
