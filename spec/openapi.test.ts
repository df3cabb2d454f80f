import { describe, expect, it } from 'vitest';
import { type Operation, type OperationId, operationIds, operations } from './generated/operations.js';
import { openapi } from './index.js';

/** id, method, path, auth, deprecated, success body: `r` in an envelope, `bare` without one, `open` of no stated shape. */
type Row = [OperationId, string, string, 'key' | 'none', 'deprecated' | 'current', 'r' | 'bare' | 'open'];

/** Written from the tables of the API, not from openapi.yaml. */
const TABLE: Row[] = [
  ['inviteUser', 'POST', '/org/user', 'key', 'current', 'r'],
  ['getOrganisation', 'GET', '/org', 'key', 'current', 'r'],
  ['updateOrganisation', 'POST', '/org', 'key', 'current', 'open'],
  ['getUsage', 'GET', '/usage', 'key', 'current', 'r'],
  ['getBillingPortal', 'GET', '/org/billing', 'key', 'current', 'r'],
  ['topUp', 'POST', '/topup', 'key', 'current', 'r'],
  ['getAutoTopUp', 'GET', '/topup/auto', 'key', 'current', 'r'],
  ['setAutoTopUp', 'POST', '/topup/auto', 'key', 'current', 'r'],
  ['setPlan', 'POST', '/plan', 'key', 'current', 'r'],
  ['createTask', 'POST', '/task', 'key', 'current', 'r'],
  ['listTasks', 'GET', '/task', 'key', 'current', 'r'],
  ['getTask', 'GET', '/task/{task_id}', 'key', 'current', 'r'],
  ['deleteTask', 'DELETE', '/task/{task_id}', 'key', 'current', 'open'],
  ['updateTask', 'PUT', '/task/{task_id}', 'key', 'deprecated', 'r'],
  ['getTaskVisibility', 'GET', '/task/{task_id}/visibility', 'key', 'current', 'r'],
  ['setTaskVisibility', 'POST', '/task/{task_id}/visibility', 'key', 'current', 'r'],
  ['deleteTaskData', 'DELETE', '/task/{task_id}/data', 'key', 'current', 'r'],
  ['sendTaskEvent', 'POST', '/task/{task_id}/event', 'key', 'current', 'r'],
  ['createProfile', 'POST', '/profile', 'key', 'current', 'r'],
  ['listProfiles', 'GET', '/profile', 'key', 'current', 'r'],
  ['deleteProfile', 'DELETE', '/profile/{profile_id}', 'key', 'current', 'open'],
  ['listProxies', 'GET', '/proxy', 'key', 'current', 'r'],
  ['updateProxy', 'PATCH', '/proxy/{proxy_id}', 'key', 'current', 'r'],
  ['uploadExtension', 'POST', '/extension', 'key', 'current', 'r'],
  ['listExtensions', 'GET', '/extension', 'key', 'current', 'r'],
  ['deleteExtension', 'DELETE', '/extension/{extension_id}', 'key', 'current', 'r'],
  ['deleteBrowserExtension', 'DELETE', '/browser/extension/{extension_id}', 'key', 'current', 'r'],
  ['uploadFile', 'POST', '/file', 'key', 'current', 'r'],
  ['deleteFile', 'DELETE', '/file/{file_id}', 'key', 'current', 'r'],
  ['openBrowserSession', 'POST', '/browser/session', 'key', 'deprecated', 'r'],
  ['closeBrowserSession', 'DELETE', '/browser/session/{session_id}', 'key', 'deprecated', 'open'],
  ['listBrowserProfiles', 'GET', '/browser/profile', 'key', 'deprecated', 'r'],
  ['deleteBrowserProfile', 'DELETE', '/browser/profile/{profile_id}', 'key', 'deprecated', 'open'],
  ['uploadBrowserExtension', 'POST', '/browser/extension', 'key', 'deprecated', 'r'],
  ['listBrowserExtensions', 'GET', '/browser/extension', 'key', 'deprecated', 'r'],
  ['sendTelemetry', 'POST', '/telemetry', 'key', 'current', 'open'],
  ['getJob', 'GET', '/job/{job_id}', 'none', 'current', 'open'],
  ['getWorkspace', 'GET', '/workspace', 'key', 'current', 'bare'],
  ['createWorkspace', 'POST', '/workspace/{name}', 'key', 'current', 'bare'],
  ['listChats', 'GET', '/chat', 'key', 'current', 'bare'],
  ['createChatTask', 'POST', '/task/zero', 'key', 'current', 'bare'],
  ['deleteChat', 'DELETE', '/chat/id', 'key', 'current', 'r'],
  ['getChat', 'GET', '/chat/id', 'key', 'current', 'bare'],
  ['renameChat', 'POST', '/chat/id', 'key', 'current', 'r'],
  ['updateRequest', 'PUT', '/request/id', 'key', 'current', 'bare'],
  ['listMessages', 'GET', '/chat/message', 'none', 'current', 'bare'],
  ['createMessage', 'POST', '/chat/message', 'key', 'current', 'bare'],
  ['getAttachment', 'GET', '/attachment', 'none', 'current', 'r'],
  ['updateAttachment', 'POST', '/attachment', 'key', 'current', 'r'],
  ['getToolData', 'GET', '/tool/{tool}/{id}', 'none', 'current', 'bare'],
  ['listApps', 'GET', '/app', 'key', 'current', 'bare'],
  ['connectApp', 'POST', '/workspace/app/{app_name}', 'key', 'current', 'bare'],
  ['listSops', 'GET', '/sop', 'key', 'current', 'bare'],
  ['saveSop', 'POST', '/sop', 'key', 'current', 'bare'],
  ['deleteSop', 'DELETE', '/sop', 'key', 'current', 'open'],
  ['listAutomations', 'GET', '/automation', 'key', 'current', 'r'],
  ['createAutomation', 'POST', '/automation', 'key', 'current', 'r'],
  ['deleteAutomation', 'DELETE', '/automation', 'key', 'current', 'open'],
  ['triggerWebhook', 'POST', '/webhook', 'none', 'current', 'open'],
];

/** `?name` optional, `name` required, `name=value` optional with a default, in the order of the tables. */
const PARAMS: Partial<Record<OperationId, string>> = {
  inviteUser: 'query email:string',
  updateOrganisation: 'query name:string',
  topUp: 'query amount:integer',
  setAutoTopUp: 'query active:boolean, query amount:integer=0, query threshold:integer=0',
  setPlan: 'query plan:string, query group:string="zero"',
  listTasks: 'query ?t:integer, query l:integer=32 [1..128]',
  getTask: 'path task_id:string, query event_t:integer=0, query downloads:boolean=false',
  deleteTask: 'path task_id:string',
  updateTask: 'path task_id:string',
  getTaskVisibility: 'path task_id:string',
  setTaskVisibility: 'path task_id:string, query visibility:boolean',
  deleteTaskData: 'path task_id:string',
  sendTaskEvent: 'path task_id:string',
  deleteProfile: 'path profile_id:string',
  updateProxy: 'path proxy_id:string, query auto_renew:boolean',
  deleteExtension: 'path extension_id:string',
  deleteBrowserExtension: 'path extension_id:string',
  deleteFile: 'path file_id:string',
  closeBrowserSession: 'path session_id:string',
  deleteBrowserProfile: 'path profile_id:string',
  getJob: 'path job_id:string',
  getWorkspace: 'header workspace-id:string',
  createWorkspace: 'path name:string, query shared:boolean=false',
  listChats: 'query ?t:integer, query limit:integer=256, header workspace-id:string',
  createChatTask: 'query ?t:integer, query task_type:string="task", header workspace-id:string',
  deleteChat: 'query t:integer, header workspace-id:string',
  getChat: 'query t:integer, query ?msg:integer, header workspace-id:string',
  renameChat: 'query t:integer, query ?title:string, header workspace-id:string',
  updateRequest: 'query id:string, query t:integer, query status:string, header chat-id:string',
  listMessages: 'query ?t:integer, header chat-id:string',
  createMessage: 'query ?t:integer, header workspace-id:string',
  getAttachment: 'header attachment-id:string',
  updateAttachment: 'query t:integer, header workspace-id:string, header attachment-id:string',
  getToolData: 'path tool:string, path id:string',
  connectApp: 'path app_name:string, header workspace-id:string',
  listSops: 'header workspace-id:string',
  saveSop: 'query t:integer=0, header workspace-id:string',
  deleteSop: 'query t:integer, header workspace-id:string',
  listAutomations: 'header workspace-id:string',
  createAutomation: 'header workspace-id:string',
  deleteAutomation: 'query id:string, header workspace-id:string',
};

/** Operations that take a body: the JSON schema, or the parts (`*` required, `[]` many). */
const BODIES: Partial<Record<OperationId, string>> = {
  createTask: 'TaskRequest',
  updateTask: 'TaskUpdateRequest',
  sendTaskEvent: 'TaskEvent',
  createProfile: 'ProfileRequest',
  uploadExtension: 'file*',
  uploadFile: 'file* file_purpose',
  openBrowserSession: 'BrowserSessionRequest',
  uploadBrowserExtension: 'file*',
  sendTelemetry: 'TelemetryRequest',
  createChatTask: 'ITask',
  createMessage: 'message* files[]',
  updateAttachment: 'UpdateAttachmentRequest',
  connectApp: 'ConnectAppRequest',
  saveSop: 'SOPRequest',
  createAutomation: 'AutomationCreationRequest',
  triggerWebhook: 'AutomationWebhookRequest',
};

function params({ params }: Operation): string | undefined {
  const texts = params.map((p) => {
    const fallback = p.default === undefined ? '' : `=${JSON.stringify(p.default)}`;
    const bounds = p.minimum === undefined && p.maximum === undefined ? '' : ` [${p.minimum}..${p.maximum}]`;
    const optional = !p.required && p.default === undefined ? '?' : '';
    return `${p.in} ${optional}${p.name}:${p.type}${fallback}${bounds}${p.maxLength || p.enum ? ' bounded' : ''}`;
  });
  return texts.length === 0 ? undefined : texts.join(', ');
}

function body({ body }: Operation): string | undefined {
  if (body?.kind === 'json') return body.schema;
  return body?.parts?.map((p) => `${p.name}${p.many ? '[]' : ''}${p.required ? '*' : ''}`).join(' ');
}

describe('the description', () => {
  it('has the operations of the tables and no other', () => {
    expect([...operationIds].sort(), 'TABLE in this file needs a row for each operation').toEqual(
      TABLE.map(([id]) => id).sort(),
    );
  });

  it.each(TABLE)('%s: %s %s, auth %s, %s, success body %s', (id, method, path, auth, deprecated, shape) => {
    const operation = operations[id];
    expect(operation).toMatchObject({ id, method, path, auth, deprecated: deprecated === 'deprecated' });
    expect(operation.body2xx).toBe(shape === 'r' ? 'envelope' : shape);
    expect(operation.envelope).toBe(shape === 'r');
    expect(operation.successStatuses).toEqual(id === 'getTask' ? [200, 202] : [200]);
    expect(`/${operation.segments.join('/')}`).toBe(path);
  });

  it.each(operationIds)('%s has the parameters and the body of the tables', (id) => {
    expect(params(operations[id])).toBe(PARAMS[id]);
    expect(body(operations[id])).toBe(BODIES[id]);
  });

  it('says which bodies are required by our choice only', () => {
    expect(operations.triggerWebhook.body).toMatchObject({ required: true, requiredIsChoice: false });
    expect(operations.createTask.body).toMatchObject({ required: true, requiredIsChoice: true });
  });

  it('cannot be changed by readers', () => {
    expect(() => Object.assign(operations.getTask.params[0] as object, { required: false })).toThrow(
      TypeError,
    );
  });

  it('bounds the purpose of a file', () => {
    expect(operations.uploadFile.body?.parts?.[1]).toMatchObject({
      name: 'file_purpose',
      kind: 'text',
      maxLength: 64,
    });
  });

  it('is the document that the package exports', () => {
    expect(openapi.info.version).toBe('0.1.0');
    expect(openapi.openapi).toMatch(/^3\.1\./);
    expect(openapi.servers).toEqual([expect.objectContaining({ url: 'http://127.0.0.1:4010/api/v1' })]);
    for (const { path, method, id } of Object.values(operations)) {
      expect(openapi.paths[path]?.[method.toLowerCase()]).toMatchObject({ operationId: id });
    }
  });

  it('lets every operation respond with 422, and takes the key from the header or the cookie', () => {
    for (const { path, method, auth } of Object.values(operations)) {
      const object = openapi.paths[path]?.[method.toLowerCase()];
      const { responses, security } = object as Record<string, object>;
      expect(responses, path).toHaveProperty('422');
      expect(security, path).toEqual(auth === 'none' ? [] : undefined);
    }
    const schemes = openapi.components.securitySchemes as Record<string, object>;
    expect(openapi.security?.map((either) => schemes[Object.keys(either)[0] as string])).toMatchObject([
      { in: 'header', name: 'apikey' },
      { in: 'cookie', name: 'apikey' },
    ]);
  });
});
