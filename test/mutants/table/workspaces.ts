import type { Mutant } from '../mutant.js';
import { omitFromList, pretend } from '../operators/forget.js';
import { changeErrors, changeRequests, changeResponses, mutant } from '../operators/make.js';
import { createRefusal, isRecord, type LooseRecord, MutantResponse } from '../operators/mutant-response.js';

/** Visibility and data of tasks, telemetry, jobs, workspaces, chats, messages, attachments. */
export const workspaceMutants: readonly Mutant[] = [
  mutant(
    'message-as-json-accepted',
    'ERROR-01',
    'JSON is taken for the form of a message.',
    changeErrors('createMessage', (_told, request) =>
      typeof request.body === 'string' ? new MutantResponse(200, { r: { id: 'chat-0', t: 1 } }) : undefined,
    ),
  ),
  mutant(
    'visibility-forgotten',
    'TASK-20',
    'The visibility of a task stays false, whatever is set.',
    changeRequests('setTaskVisibility', (request) => {
      if (request.query.get('visibility') === 'true') request.query.set('visibility', 'false');
    }),
  ),
  mutant(
    'data-kept',
    'TASK-21',
    'The deletion of the data of a task deletes nothing.',
    () => async (request, next) => {
      if (!request.is('deleteTaskData')) return next(request);
      const known = await next(request.derive('GET', `/task/${request.task}`));
      return known.status === 200 ? new MutantResponse(200, { r: true }) : next(request);
    },
  ),
  mutant(
    'workspace-of-another-id',
    'WORKSPACE-01',
    'GET /workspace gives another id than it was asked for.',
    changeResponses('getWorkspace', (response) => {
      response.record.id = `other-${response.record.id}`;
    }),
  ),
  mutant(
    'workspace-shared-ignored',
    'WORKSPACE-02',
    'A workspace is never shared.',
    changeRequests('createWorkspace', (request) => {
      request.query.delete('shared');
    }),
  ),
  mutant(
    'workspace-shared-text',
    'WORKSPACE-01',
    'Whether a workspace is shared is read as a text.',
    changeResponses('getWorkspace', (response) => {
      const workspace = response.body as LooseRecord;
      workspace.shared = String(workspace.shared);
    }),
  ),
  mutant(
    'workspace-shared-always',
    'WORKSPACE-02',
    'A workspace is shared unless shared is false.',
    changeRequests('createWorkspace', (request) => {
      if (!request.query.has('shared')) request.query.set('shared', 'true');
    }),
  ),
  mutant(
    'workspace-name-lost',
    'WORKSPACE-02',
    'A workspace gets a name of the service.',
    changeResponses('createWorkspace', (response) => {
      response.record.name = 'Workspace';
    }),
  ),
  mutant(
    'chat-not-listed',
    'CHAT-01',
    'A new chat is not listed.',
    omitFromList('createChatTask', 'listChats'),
  ),
  mutant('chats-of-all-workspaces', 'CHAT-01', 'The chats of all workspaces are listed in each.', () => {
    const workspaces = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      const id = request.headers['workspace-id'];
      if (response.ok && id !== undefined && request.is('createChatTask', 'listChats')) workspaces.add(id);
      if (!request.is('listChats') || !response.ok || !isRecord(response.body)) return response;
      const all: unknown[] = [...((response.body.chats as LooseRecord[]) ?? [])];
      for (const other of workspaces) {
        if (other === id) continue;
        request.headers['workspace-id'] = other;
        const more = await next(request);
        if (more.ok && isRecord(more.body)) all.push(...(more.body.chats as LooseRecord[]));
      }
      response.body = { chats: all };
      return response;
    };
  }),
  mutant(
    'chat-task-type-required',
    'CHAT-02',
    'A task for a chat without a task_type is refused.',
    changeRequests('createChatTask', (request) =>
      request.query.has('task_type') || request.key === undefined
        ? undefined
        : createRefusal(422, 'task_type is required'),
    ),
  ),
  mutant('chat-stays', 'CHAT-03', 'A deleted chat is there as before.', pretend('deleteChat', 't')),
  mutant(
    'chat-unreadable',
    'CHAT-04',
    'A chat that is there is answered with 404.',
    changeRequests('getChat', (request) =>
      /^\d+$/.test(request.query.get('t') ?? '') && request.headers['workspace-id'] && request.key
        ? createRefusal(404, 'There is no such chat.')
        : undefined,
    ),
  ),
  mutant(
    'chat-title-forgotten',
    'CHAT-05',
    'A new title of a chat is forgotten.',
    changeRequests('renameChat', (request) => {
      request.query.delete('title');
    }),
  ),
  mutant(
    'attachment-update-forgotten',
    'CHAT-10',
    'A change of an attachment is forgotten.',
    changeRequests('updateAttachment', (request) => {
      if (Object.keys(request.json).length > 0) request.json = {};
    }),
  ),
  mutant(
    'tool-data-empty',
    'CHAT-11',
    'The data of a tool call are an empty object.',
    changeResponses('getToolData', (response) => {
      response.body = {};
    }),
  ),
  mutant(
    'headers-underscored',
    'CHAT-01',
    'The header workspace-id is called workspace_id for the list of chats.',
    changeRequests('listChats', (request) => {
      const { workspace_id } = request.headers;
      delete request.headers['workspace-id'];
      if (workspace_id !== undefined) request.headers['workspace-id'] = workspace_id;
    }),
  ),
  mutant('sop-not-listed', 'SOP-02', 'A new SOP is not listed.', omitFromList('saveSop', 'listSops', 't')),
  mutant(
    'sop-update-adds',
    'SOP-02',
    'A change of a SOP makes another one.',
    changeRequests('saveSop', (request) => {
      if (/^[1-9]\d*$/.test(request.query.get('t') ?? '')) request.query.delete('t');
    }),
  ),
  mutant(
    'sop-t-required',
    'SOP-02',
    'A SOP without t is refused.',
    changeRequests('saveSop', (request) =>
      request.query.has('t') || request.key === undefined ? undefined : createRefusal(422, 't is required'),
    ),
  ),
  mutant('sop-stays', 'SOP-03', 'A deleted SOP is there as before.', pretend('deleteSop', 't')),
  mutant(
    'automation-not-listed',
    'AUTO-01',
    'A new automation is not listed.',
    omitFromList('createAutomation', 'listAutomations'),
  ),
  mutant(
    'automation-stays',
    'AUTO-03',
    'A deleted automation is there as before.',
    pretend('deleteAutomation', 'id'),
  ),
  mutant(
    'webhook-without-body',
    'ERROR-01',
    'The webhook accepts a request without a body.',
    changeErrors('triggerWebhook', (response, request) =>
      response.status === 422 && request.body === undefined
        ? new MutantResponse(200, { r: true })
        : undefined,
    ),
  ),
];
