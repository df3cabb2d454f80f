import type { OperationId } from '../../../spec/generated/operations.js';
import { toFields } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { readOrganisationName, readPlan, readProxy, readTopUpSettings } from '../test-case/account.js';
import { awaitToolCall } from '../test-case/await-events.js';
import {
  collectIds,
  collectRecords,
  findText,
  readId,
  readInteger,
  readPayload,
  readRows,
} from '../test-case/read-record.js';
import { readUntil, requireResponse, sendRequired } from '../test-case/requests.js';
import { createWeatherTask, openRunningSession } from '../test-case/task-steps.js';
import type { Settings } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { FILE_NAME } from './bodies.js';
import { getSharedWorkspace, WORKSPACE_IDS } from './shared-workspaces.js';

/** The ids of a resource, by the names of their parameters: `{ 'workspace-id': '7', t: 1 }`. */
export type ResourceNames = Readonly<Record<string, string | number | boolean | undefined>>;

/** A kind of resource: how to create and remove it. */
export interface ResourceDefinition<Name extends string = string> {
  /** The operation that creates it, with its request builder. */
  by?: OperationId;
  /** The parameter with its id. Absent: not a resource of its own, but a setting. */
  id?: string;
  /** The kind that it belongs to, if that has another name. */
  kind?: Name;
  /** Possible id fields of the response. Absent if the client chooses the id. */
  ids?: readonly string[];
  /** Further parameters that identify it, with their possible fields. */
  also?: Readonly<Record<string, readonly string[]>>;
  /** The response may be a list: the new entry is found by its texts. */
  isAmongOthers?: true;
  /** The parameter that identifies it in a list, if that is not its id: a time may occur for other reasons. */
  mark?: string;
  /** Creates or finds it with other requests, using the names of what it `needs`. `uses`: the operations it calls. */
  find?(t: TestContext, needed: ResourceNames): Promise<ResourceNames>;
  needs?: readonly Name[];
  uses?: readonly OperationId[];
  /** Operations that remove it and what was created with it; sent in reverse order, each if its parameters are known. */
  remove?: readonly OperationId[];
}

function defineResources<Name extends string>(
  table: Readonly<Record<Name, ResourceDefinition<NoInfer<Name>>>>,
) {
  return Object.freeze(table);
}

/** Possible id fields, the most specific first. */
export const REQUEST_IDS = ['id', 'request_id', 'requestId', 'uuid'];
export const ATTACHMENT_IDS = ['attachment_id', 'attachmentId', 'id', 'uuid', 'key'];
export const CHAT_IDS = ['chat_id', 'chat-id', 'chatId', 'id', 'uuid'];
/** Possible fields of the time that identifies a resource. */
export const TIMES = ['t', 'timestamp', 'created_at', 'createdAt', 'created', 'time', 'id'];

const CHAT_NAMES = { 'chat-id': CHAT_IDS, task_id: ['task_id', 'taskId'] };

const table = defineResources({
  task: {
    by: 'createTask',
    id: 'task_id',
    ids: ['id'],
    remove: ['deleteTask'],
  },
  session: {
    kind: 'task',
    uses: ['createTask', 'getTask', 'deleteTask'],
    find: async (t) => ({ task_id: (await openRunningSession(t)).id }),
  },
  endedSession: {
    kind: 'task',
    uses: ['createTask', 'getTask', 'deleteTask'],
    async find(t) {
      const session = await openRunningSession(t);
      requireResponse(t, 'deleteTask', await t.cancel(session));
      if (await t.pollUntilEnd(session)) return { task_id: session.id };
      return t.inconclusive(`a session that was stopped is ${session.status}`);
    },
  },
  /** Waits for its reply. */
  toolCall: {
    kind: 'task',
    uses: ['createTask', 'getTask', 'deleteTask'],
    async find(t) {
      const task = await createWeatherTask(t);
      return { task_id: task.id, id: (await awaitToolCall(t, task)).id };
    },
  },
  profile: { by: 'createProfile', id: 'profile_id', remove: ['deleteProfile'] },
  file: { by: 'uploadFile', id: 'file_id', ids: ['id'], remove: ['deleteFile'] },
  extension: {
    by: 'uploadExtension',
    id: 'extension_id',
    ids: ['extension_id', 'extensionId', 'id', 'uuid', 'key'],
    remove: ['deleteExtension'],
  },
  /** For the deprecated endpoint. The profile in its record may be shared with others. */
  browser: {
    by: 'openBrowserSession',
    id: 'session_id',
    ids: ['session_id', 'live_id', 'id'],
    remove: ['closeBrowserSession'],
  },
  /** Set to its current value. */
  proxy: {
    id: 'proxy_id',
    uses: ['listProxies'],
    async find(t) {
      const proxy = readProxy(await sendRequired(t, 'listProxies'));
      return proxy ?? t.inconclusive('the organisation has no proxy with a boolean auto_renew to restore');
    },
  },
  workspace: {
    by: 'createWorkspace',
    id: 'workspace-id',
    ids: WORKSPACE_IDS,
    find: async (t) => ({ 'workspace-id': (await getSharedWorkspace(t)).id }),
  },
  /** With its task. */
  chat: {
    by: 'createChatTask',
    id: 't',
    mark: 'chat-id',
    // Identifies it within its workspace: which field contains `t` is open (`chat.t`).
    ids: TIMES,
    also: CHAT_NAMES,
    remove: ['deleteChat', 'deleteTask'],
  },
  /** A chat with a file in its first message. */
  message: {
    kind: 'chat',
    by: 'createMessage',
    id: 't',
    ids: TIMES,
    also: CHAT_NAMES,
    remove: ['deleteChat', 'deleteTask'],
  },
  /** An approval request of the assistant in a chat. */
  request: {
    id: 'id',
    needs: ['chat'],
    uses: ['listMessages'],
    find: (t, chat) => findInMessages(t, chat, 'id', /request|call|approval/i, REQUEST_IDS),
  },
  /** A file of a message. */
  attachment: {
    id: 'attachment-id',
    needs: ['message'],
    uses: ['listMessages'],
    find: (t, chat) => findInMessages(t, chat, 'attachment-id', /attachment|file/i, ATTACHMENT_IDS),
  },
  app: {
    id: 'app_name',
    uses: ['listApps'],
    async find(t) {
      const { body } = await sendRequired(t, 'listApps');
      const app_name = findText(readRows(body), 'name', 'app_name', 'id', 'slug');
      return { app_name: app_name ?? t.inconclusive('there is no app to connect') };
    },
  },
  sop: {
    by: 'saveSop',
    id: 't',
    // Which field contains `t` is open (`sop.t`), but a field of that name is used first.
    ids: TIMES,
    isAmongOthers: true,
    remove: ['deleteSop'],
  },
  automation: {
    by: 'createAutomation',
    id: 'id',
    ids: ['automation_id', 'automationId', 'id', 'uuid', 'key'],
    remove: ['deleteAutomation'],
  },
  job: {
    needs: ['automation'],
    uses: ['createTask', 'listTasks', 'triggerWebhook', 'getJob', 'deleteTask'],
    find: findJob,
  },
  plan: {
    uses: ['getUsage'],
    async find(t) {
      const plan = readPlan(await sendRequired(t, 'getUsage'));
      return { plan: plan ?? t.inconclusive('GET /usage has no field with the name of the plan') };
    },
  },
  /** Restored at the end. */
  organisationName: {
    uses: ['getOrganisation'],
    async find(t) {
      const name = readOrganisationName(await sendRequired(t, 'getOrganisation'));
      if (name === undefined) t.inconclusive('GET /org has no field with the name of the organisation');
      t.cleanup('the name of the organisation', () => t.send('updateOrganisation', { query: { name } }));
      return {};
    },
  },
  /** Restored at the end. */
  autoTopUp: {
    uses: ['getAutoTopUp'],
    async find(t) {
      const query = readTopUpSettings(await sendRequired(t, 'getAutoTopUp'));
      if (!query) return t.inconclusive('GET /topup/auto has no active, amount and threshold to restore');
      t.cleanup('the automatic top-up', () => t.send('setAutoTopUp', { query: { ...query } }));
      return {};
    },
  },
});
export type ResourceName = keyof typeof table;
export const resources: Readonly<Record<ResourceName, ResourceDefinition<ResourceName>>> = table;

/** Empty if the list is refused. */
export async function listTaskIds(t: TestContext): Promise<string[]> {
  const { r } = await t.send('listTasks', { query: { l: 128 } });
  return (readRows(r) ?? []).flatMap((row) => readId(row, ['id']) ?? []);
}

/** The ids of the first matching record in the messages of a chat. */
async function findInMessages(
  t: TestContext,
  chat: ResourceNames,
  parameter: string,
  kind: RegExp,
  ids: readonly string[],
): Promise<ResourceNames> {
  const headers = { 'chat-id': String(chat['chat-id']) };
  const readMessages = () => t.send('listMessages', { headers, key: null });
  const readRowId = (row: unknown) => readId(row, ids);
  const collectRows = (response: ApiResponse) =>
    collectRecords(readPayload(response), kind).filter(readRowId);
  const listed = await readUntil(t, readMessages, (response) => collectRows(response).length > 0);
  const [row] = collectRows(listed);
  const id = readRowId(row) ?? collectIds(readPayload(listed), kind, FILE_NAME)[0];
  const tool = findText(row, 'tool', 'tool_name', 'name');
  return { ...chat, [parameter]: id, t: readInteger(row, TIMES) ?? chat.t, tool };
}

/** The task of an automation run, if the target has it as a job. */
async function findJob(t: TestContext, { id }: ResourceNames): Promise<ResourceNames> {
  const [job] = [...(await runAutomation(t, id))].find(([, { ok }]) => ok) ?? [];
  return job === undefined ? t.inconclusive('no job was found: what a job is, is open') : { job_id: job };
}

/** How long an automation run may take to appear in the list of tasks, ms. */
const UNTIL_LISTED_MS = 5000;

/** Whether every task of the account can be read as a job, per run; the settings object identifies the run. */
const tasksAreJobs = new WeakMap<Settings, Promise<boolean>>();

/**
 * Ends the case if every task is a job: then a run of the automation cannot be distinguished from a task of another client, which
 * must not be changed.
 */
export async function requireDistinctJobs(t: TestContext): Promise<void> {
  const canReadAsJob = async () => {
    const { id: job_id } = await t.createTask({ task: null });
    return (await t.send('getJob', { path: { job_id }, key: null })).ok;
  };
  if (!tasksAreJobs.has(t.settings)) tasksAreJobs.set(t.settings, canReadAsJob());
  const areJobs = await tasksAreJobs.get(t.settings)!.catch(() => true);
  if (areJobs)
    t.inconclusive('any task can be read as a job: nothing shows which one the automation started');
}

/**
 * Starts a run of an automation. Reads new tasks as jobs until one is a job, since other clients may create tasks at the same
 * time.
 */
export async function runAutomation(
  t: TestContext,
  automation_id: ResourceNames[string],
): Promise<Map<string, ApiResponse>> {
  await requireDistinctJobs(t);
  const before = await listTaskIds(t);
  const { body } = await sendRequired(t, 'triggerWebhook', { body: { automation_id }, key: null });
  const named = readId(toFields(body), ['job_id', 'job', 'id']) ?? [];
  const jobs = new Map<string, ApiResponse>();
  const until = t.now() + UNTIL_LISTED_MS;
  do {
    for (const job_id of [named, await listTaskIds(t)].flat()) {
      if (before.includes(job_id) || jobs.has(job_id)) continue;
      const job = await t.send('getJob', { path: { job_id }, key: null });
      jobs.set(job_id, job);
      if (!job.ok) continue;
      t.cleanup(`task ${job_id}`, () => t.send('deleteTask', { path: { task_id: job_id } }));
      return jobs;
    }
    await t.sleep(4 * t.settings.pollIntervalMs);
  } while (t.now() < until);
  return jobs;
}
