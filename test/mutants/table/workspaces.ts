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
    'visibility-forgotten',
    'TASK-20',
    'The visibility of a task stays false, whatever is set.',
    requests('setTaskVisibility', (asked) => {
      if (asked.query.get('visibility') === 'true') asked.query.set('visibility', 'false');
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
    'workspace-of-another-id',
    'WORKSPACE-01',
    'GET /workspace gives another id than it was asked for.',
    answers('getWorkspace', (told) => {
      told.record.id = `other-${told.record.id}`;
    }),
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
  mutant('chat-not-listed', 'CHAT-01', 'A new chat is not listed.', unlisted('createChatTask', 'listChats')),
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
    'chat-task-type-required',
    'CHAT-02',
    'A task for a chat without a task_type is refused.',
    requests('createChatTask', (asked) =>
      asked.query.has('task_type') || asked.key === undefined
        ? undefined
        : refusal(422, 'task_type is required'),
    ),
  ),
  mutant('chat-stays', 'CHAT-03', 'A deleted chat is there as before.', pretending('deleteChat', 't')),
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
    'chat-title-forgotten',
    'CHAT-05',
    'A new title of a chat is forgotten.',
    requests('renameChat', (asked) => {
      asked.query.delete('title');
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
    'tool-data-empty',
    'CHAT-11',
    'The data of a tool call are an empty object.',
    answers('getToolData', (told) => {
      told.body = {};
    }),
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
    'automation-not-listed',
    'AUTO-01',
    'A new automation is not listed.',
    unlisted('createAutomation', 'listAutomations'),
  ),
  mutant(
    'automation-stays',
    'AUTO-03',
    'A deleted automation is there as before.',
    pretending('deleteAutomation', 'id'),
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
