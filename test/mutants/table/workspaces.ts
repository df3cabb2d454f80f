import type { Mutant } from '../mutant.js';
import { pretending, unlisted } from '../operators/forget.js';
import { answers, errors, mutant, requests } from '../operators/make.js';
import { isRec, type Rec, refusal, Told } from '../operators/told.js';

/** Visibility and data of tasks, telemetry, jobs, workspaces, chats, messages, attachments. */
export const workspaceMutants: readonly Mutant[] = [
  mutant(
    'message-as-json-accepted',
    'ERROR-01',
    'JSON is taken for the form of a message.',
    errors('createMessage', (_told, asked) =>
      typeof asked.body === 'string' ? new Told(200, { r: { id: 'chat-0', t: 1 } }) : undefined,
    ),
  ),
  mutant(
    'update-answers-object',
    'TASK-18',
    'PUT of a task is answered with an object.',
    answers('updateTask', (told) => {
      told.r = { updated: told.r };
    }),
  ),
  mutant(
    'visibility-a-text',
    'TASK-19',
    'The visibility of a task is a text.',
    answers('getTaskVisibility', (told) => {
      told.r = told.r ? 'public' : 'private';
    }),
  ),
  mutant(
    'visibility-forgotten',
    'TASK-20',
    'The visibility of a task stays false, whatever is set.',
    requests('setTaskVisibility', (asked) => {
      if (asked.query.get('visibility') === 'true') asked.query.set('visibility', 'false');
    }),
  ),
  mutant(
    'visibility-missing-accepted',
    'ERROR-01',
    'A visibility that is missing is taken for true.',
    requests('setTaskVisibility', (asked) => {
      if (!asked.query.has('visibility')) asked.query.set('visibility', 'true');
    }),
  ),
  mutant(
    'visibility-answers-object',
    'TASK-20',
    'A change of the visibility is answered with an object.',
    answers('setTaskVisibility', (told) => {
      told.r = { visibility: told.r };
    }),
  ),
  mutant(
    'data-kept',
    'TASK-21',
    'The deletion of the data of a task deletes nothing.',
    () => async (asked, next) => {
      if (!asked.is('deleteTaskData')) return next(asked);
      const known = await next(asked.other('GET', `/task/${asked.task}`));
      return known.status === 200 ? new Told(200, { r: true }) : next(asked);
    },
  ),
  mutant(
    'data-answers-object',
    'TASK-21',
    'The deletion of the data of a task is answered with an object.',
    answers('deleteTaskData', (told) => {
      told.r = { deleted: true };
    }),
  ),
  mutant(
    'telemetry-refused',
    'TELEMETRY-01',
    'A batch of telemetry is answered with 500.',
    answers('sendTelemetry', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'job-500',
    'JOB-01',
    'Every job is answered with 500.',
    requests('getJob', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'workspace-of-another-id',
    'WORKSPACE-01',
    'GET /workspace gives another id than it was asked for.',
    answers('getWorkspace', (told) => {
      told.record.id = `other-${told.record.id}`;
    }),
  ),
  mutant(
    'workspace-header-optional',
    'CHAT-12',
    'GET /workspace without the header workspace-id is answered with 200.',
    errors('getWorkspace', (told, asked) =>
      told.status === 422 && !asked.headers['workspace-id']
        ? new Told(200, { id: 'w', name: 'w', shared: false })
        : undefined,
    ),
  ),
  mutant(
    'workspace-shared-ignored',
    'WORKSPACE-02',
    'A workspace is never shared.',
    requests('createWorkspace', (asked) => {
      asked.query.delete('shared');
    }),
  ),
  mutant(
    'workspace-shared-always',
    'WORKSPACE-02',
    'A workspace is shared unless shared is false.',
    requests('createWorkspace', (asked) => {
      if (!asked.query.has('shared')) asked.query.set('shared', 'true');
    }),
  ),
  mutant(
    'workspace-name-lost',
    'WORKSPACE-02',
    'A workspace gets a name of the service.',
    answers('createWorkspace', (told) => {
      told.record.name = 'Workspace';
    }),
  ),
  mutant(
    'workspace-answers-true',
    'WORKSPACE-02',
    'A new workspace is answered with true.',
    answers('createWorkspace', (told) => {
      told.body = true;
    }),
  ),
  mutant('chat-not-listed', 'CHAT-01', 'A new chat is not listed.', unlisted('createChatTask', 'listChats')),
  mutant(
    'chats-a-text',
    'CHAT-01',
    'The list of chats is a text.',
    answers('listChats', (told) => {
      told.body = 'no chats';
    }),
  ),
  mutant('chats-of-all-workspaces', 'CHAT-01', 'The chats of all workspaces are listed in each.', () => {
    const workspaces = new Set<string>();
    return async (asked, next) => {
      const told = await next(asked);
      const id = asked.headers['workspace-id'];
      if (told.ok && id !== undefined && asked.is('createChatTask', 'listChats')) workspaces.add(id);
      if (!asked.is('listChats') || !told.ok || !isRec(told.body)) return told;
      const all: unknown[] = [...((told.body.chats as Rec[]) ?? [])];
      for (const other of workspaces) {
        if (other === id) continue;
        asked.headers['workspace-id'] = other;
        const more = await next(asked);
        if (more.ok && isRec(more.body)) all.push(...(more.body.chats as Rec[]));
      }
      told.body = { chats: all };
      return told;
    };
  }),
  mutant(
    'chat-task-500',
    'CHAT-02',
    'A task for a chat is answered with 500.',
    answers('createChatTask', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'chat-task-type-required',
    'CHAT-02',
    'A task for a chat without a task_type is refused.',
    requests('createChatTask', (asked) =>
      asked.query.has('task_type') || asked.key === undefined
        ? undefined
        : refusal(422, 'task_type is required'),
    ),
  ),
  mutant(
    'chat-task-answers-text',
    'CHAT-02',
    'A task for a chat is answered with a text.',
    answers('createChatTask', (told) => {
      told.body = String(told.record.id);
    }),
  ),
  mutant('chat-stays', 'CHAT-03', 'A deleted chat is there as before.', pretending('deleteChat', 't')),
  mutant(
    'chat-delete-object',
    'CHAT-03',
    'The deletion of a chat is answered with an object.',
    answers('deleteChat', (told) => {
      told.r = { deleted: true };
    }),
  ),
  mutant(
    'chat-delete-without-t',
    'ERROR-01',
    'A chat can be deleted without t.',
    errors('deleteChat', (told, asked) =>
      told.status === 422 && !asked.query.has('t') ? new Told(200, { r: true }) : undefined,
    ),
  ),
  mutant(
    'chat-unreadable',
    'CHAT-04',
    'A chat that is there is answered with 404.',
    requests('getChat', (asked) =>
      /^\d+$/.test(asked.query.get('t') ?? '') && asked.headers['workspace-id'] && asked.key
        ? refusal(404, 'There is no such chat.')
        : undefined,
    ),
  ),
  mutant(
    'chat-without-t',
    'ERROR-01',
    'A chat can be read without t.',
    errors('getChat', (told, asked) =>
      told.status === 422 && !asked.query.has('t')
        ? new Told(200, { id: 'c', t: 1, title: '', messages: [] })
        : undefined,
    ),
  ),
  mutant(
    'chat-title-forgotten',
    'CHAT-05',
    'A new title of a chat is forgotten.',
    requests('renameChat', (asked) => {
      asked.query.delete('title');
    }),
  ),
  mutant(
    'chat-title-answers-chat',
    'CHAT-05',
    'A new title of a chat is answered with an object.',
    answers('renameChat', (told) => {
      told.r = { renamed: true };
    }),
  ),
  mutant(
    'request-update-500',
    'CHAT-06',
    'A change of a request is answered with 500.',
    answers('updateRequest', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'request-status-missing',
    'ERROR-01',
    'A request can be updated without a status.',
    errors('updateRequest', (told, asked) =>
      told.status === 422 && !asked.query.has('status') ? new Told(200, { messages: [] }) : undefined,
    ),
  ),
  mutant(
    'messages-a-text',
    'CHAT-07',
    'The messages of a chat are a text.',
    answers('listMessages', (told) => {
      told.body = 'none';
    }),
  ),
  mutant(
    'message-500',
    'CHAT-08',
    'A new message is answered with 500.',
    answers('createMessage', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'message-answers-true',
    'CHAT-08',
    'A new message is answered with true.',
    answers('createMessage', (told) => {
      told.body = true;
    }),
  ),
  mutant(
    'attachment-a-text',
    'CHAT-09',
    'An attachment is answered with its content alone.',
    answers('getAttachment', (told) => {
      told.r = String(told.record.content);
    }),
  ),
  mutant(
    'attachment-update-forgotten',
    'CHAT-10',
    'A change of an attachment is forgotten.',
    requests('updateAttachment', (asked) => {
      if (Object.keys(asked.json).length > 0) asked.json = {};
    }),
  ),
  mutant(
    'attachment-update-object',
    'CHAT-10',
    'A change of an attachment is answered with an object.',
    answers('updateAttachment', (told) => {
      told.r = { updated: true };
    }),
  ),
  mutant(
    'attachment-update-without-t',
    'ERROR-01',
    'An attachment can be changed without t.',
    errors('updateAttachment', (told, asked) =>
      told.status === 422 && !asked.query.has('t') ? new Told(200, { r: true }) : undefined,
    ),
  ),
  mutant(
    'tool-data-empty',
    'CHAT-11',
    'The data of a tool call are an empty object.',
    answers('getToolData', (told) => {
      told.body = {};
    }),
  ),
  mutant(
    'tool-data-500',
    'CHAT-11',
    'The data of a tool call are answered with 500.',
    answers('getToolData', () => refusal(500, 'Internal error.')),
  ),
  ...(
    [
      ['getWorkspace', 'workspace-id', { id: 'w' }],
      ['listChats', 'workspace-id', { chats: [] }],
      ['listSops', 'workspace-id', { sops: [] }],
      ['listAutomations', 'workspace-id', { r: [] }],
      ['listMessages', 'chat-id', { messages: [] }],
      ['getAttachment', 'attachment-id', { r: { id: 'a' } }],
    ] as const
  ).map(([operation, header, body]) =>
    mutant(
      `${operation.toLowerCase()}-without-header`,
      'CHAT-12',
      `${operation} is served without the header ${header}.`,
      errors(operation, (told, asked) =>
        told.status === 422 && !asked.headers[header] ? new Told(200, body) : undefined,
      ),
    ),
  ),
  mutant(
    'headers-underscored',
    'CHAT-01',
    'The header workspace-id is called workspace_id for the list of chats.',
    requests('listChats', (asked) => {
      const { workspace_id } = asked.headers;
      delete asked.headers['workspace-id'];
      if (workspace_id !== undefined) asked.headers['workspace-id'] = workspace_id;
    }),
  ),
  mutant(
    'apps-a-text',
    'APP-01',
    'The configurations of the apps are a text.',
    answers('listApps', (told) => {
      told.body = 'none';
    }),
  ),
  mutant(
    'apps-500',
    'APP-01',
    'The configurations of the apps are answered with 500.',
    requests('listApps', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'app-connect-500',
    'APP-02',
    'The connection of an app is answered with 500.',
    answers('connectApp', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'app-connect-true',
    'APP-02',
    'The connection of an app is answered with true.',
    answers('connectApp', (told) => {
      told.body = true;
    }),
  ),
  mutant(
    'app-connect-without-workspace',
    'ERROR-01',
    'An app can be connected without the header workspace-id.',
    errors('connectApp', (told, asked) =>
      told.status === 422 && !asked.headers['workspace-id']
        ? new Told(200, { task_id: null, response: { app: asked.path.get('app_name'), connected: true } })
        : undefined,
    ),
  ),
  mutant(
    'sops-a-text',
    'SOP-01',
    'The SOPs are a text.',
    answers('listSops', (told) => {
      told.body = 'none';
    }),
  ),
  mutant('sop-not-listed', 'SOP-02', 'A new SOP is not listed.', unlisted('saveSop', 'listSops', 't')),
  mutant(
    'sop-update-adds',
    'SOP-02',
    'A change of a SOP makes another one.',
    requests('saveSop', (asked) => {
      if (/^[1-9]\d*$/.test(asked.query.get('t') ?? '')) asked.query.delete('t');
    }),
  ),
  mutant(
    'sop-t-required',
    'SOP-02',
    'A SOP without t is refused.',
    requests('saveSop', (asked) =>
      asked.query.has('t') || asked.key === undefined ? undefined : refusal(422, 't is required'),
    ),
  ),
  mutant('sop-stays', 'SOP-03', 'A deleted SOP is there as before.', pretending('deleteSop', 't')),
  mutant(
    'sop-delete-without-t',
    'ERROR-01',
    'A SOP can be deleted without t.',
    errors('deleteSop', (told, asked) =>
      told.status === 422 && !asked.query.has('t') ? new Told(200, { r: true }) : undefined,
    ),
  ),
  mutant(
    'automations-an-object',
    'AUTO-01',
    'The list of automations is an object.',
    answers('listAutomations', (told) => {
      told.r = { automations: told.r };
    }),
  ),
  mutant(
    'automation-not-listed',
    'AUTO-01',
    'A new automation is not listed.',
    unlisted('createAutomation', 'listAutomations'),
  ),
  mutant(
    'automation-answers-true',
    'AUTO-02',
    'A new automation is answered with true.',
    answers('createAutomation', (told) => {
      told.r = true;
    }),
  ),
  mutant(
    'automation-500',
    'AUTO-02',
    'A new automation is answered with 500.',
    answers('createAutomation', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'automation-stays',
    'AUTO-03',
    'A deleted automation is there as before.',
    pretending('deleteAutomation', 'id'),
  ),
  mutant(
    'automation-delete-without-id',
    'ERROR-01',
    'An automation can be deleted without its id.',
    errors('deleteAutomation', (told, asked) =>
      told.status === 422 && !asked.query.has('id') ? new Told(200, { r: true }) : undefined,
    ),
  ),
  mutant(
    'webhook-500',
    'AUTO-04',
    'The webhook is answered with 500.',
    answers('triggerWebhook', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'webhook-without-body',
    'ERROR-01',
    'The webhook accepts a request without a body.',
    errors('triggerWebhook', (told, asked) =>
      told.status === 422 && asked.body === undefined ? new Told(200, { r: true }) : undefined,
    ),
  ),
];
