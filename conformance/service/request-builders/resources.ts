import type { OperationId } from '../../../spec/generated/operations.js';
import { asFields, field } from '../../conversation/json.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import {
  idIn,
  idsUnder,
  integerIn,
  payloadOf,
  recordsUnder,
  rowsOf,
  textUnder,
} from '../test-case/read-record.js';
import { need } from '../test-case/requests.js';
import type { TestContext } from '../test-case/test-context.js';
import { textFor, toolFor } from '../test-case/texts.js';
import { FILE_NAME } from './bodies.js';
import { workspaceOf } from './workspaces.js';

/** What names a resource in requests, by the names of their parameters: `{ 'workspace-id': '7', t: 1 }`. */
export type Names = Readonly<Record<string, string | number | boolean | undefined>>;

/** Something that requests name: how it comes to exist, and how it is removed. */
interface Resource<Name extends string> {
  /** The operation that creates it, with its request builder. */
  by?: OperationId;
  /** Fields that may hold its id in the response. None where the client chooses the id. */
  ids?: readonly string[];
  /** Reads all that names it in the response, where that is more than one id. */
  names?(response: ApiResponse, sent: ApiRequest): Names;
  /** The response may hold all of them: the one that was sent is found by its texts. */
  isAmongOthers?: true;
  list?: OperationId;
  /** Creates or finds it with other requests, from the names of what it `needs`. `uses`: the operations it calls. */
  find?(t: TestContext, needed: Names): Promise<Names>;
  needs?: readonly Name[];
  uses?: readonly OperationId[];
  /** Operations that remove it, and what was created along with it; sent last first, each if its parameters are known. */
  remove?: readonly OperationId[];
}

function defineResources<Name extends string>(table: Readonly<Record<Name, Resource<NoInfer<Name>>>>) {
  return Object.freeze(table);
}

/** Fields that may hold ids. */
export const REQUEST_IDS = ['id', 'request_id', 'requestId', 'uuid'];
export const ATTACHMENT_IDS = ['id', 'attachment_id', 'attachmentId', 'uuid', 'key'];
export const CHAT_IDS = ['chat_id', 'chat-id', 'chatId', 'id', 'uuid'];
/** Fields that may hold the time by which something is named. */
export const TIMES = ['t', 'timestamp', 'created_at', 'createdAt', 'created', 'time', 'id'];

export const resources = defineResources({
  task: {
    by: 'createTask',
    names: ({ r }) => ({ task_id: idIn(asFields(r), ['id']), status: field(r, 'status') as string }),
    remove: ['deleteTask'],
  },
  /** Open, and not waiting: what happens to requests to a session that waits is an open point. */
  session: {
    needs: ['task'],
    uses: ['getTask'],
    async find(t, task) {
      if (task.status === 'waiting') await untilStatus(t, task, /^(?!waiting$)/);
      return task;
    },
  },
  endedSession: {
    needs: ['session'],
    uses: ['deleteTask', 'getTask'],
    async find(t, session) {
      await need(t, 'deleteTask', { path: { task_id: String(session.task_id) } });
      await untilStatus(t, session, /^(done|failed|cancelled)$/);
      return session;
    },
  },
  /** Waits for its reply. */
  toolCall: {
    uses: ['createTask', 'getTask', 'deleteTask'],
    async find(t) {
      const { settings } = t;
      const custom_tools = [toolFor(settings, 'get_weather')];
      const task = await t.createTask({ task: textFor(settings, 'tool-call'), custom_tools });
      t.cleanup(`task ${task.id}`, () => t.cancel(task));
      const call = await t.nextToolCall(task);
      return call ? { task_id: task.id, id: call.id } : t.inconclusive('the agent called no tool');
    },
  },
  profile: { by: 'createProfile', list: 'listProfiles', remove: ['deleteProfile'] },
  file: { by: 'uploadFile', ids: ['id'], remove: ['deleteFile'] },
  extension: {
    by: 'uploadExtension',
    ids: ['id', 'extension_id', 'extensionId', 'uuid', 'key'],
    list: 'listExtensions',
    remove: ['deleteExtension'],
  },
  /** Of the deprecated endpoint, with the profile that may be created for it. */
  browser: {
    by: 'openBrowserSession',
    names: (response) => ({
      session_id: idIn(asFields(payloadOf(response)), ['session_id', 'live_id', 'id']),
      profile_id: idIn(asFields(payloadOf(response)), ['profile_id']),
    }),
    remove: ['deleteProfile', 'closeBrowserSession'],
  },
  proxy: { uses: ['listProxies'], find: findProxy },
  workspace: {
    uses: ['createWorkspace'],
    find: async (t) => ({ 'workspace-id': (await workspaceOf(t)).id }),
  },
  /** With the task that was started for it. */
  chat: {
    by: 'createChatTask',
    // They name it within its workspace: which field holds `t` is open (`chat.t`).
    ids: TIMES,
    names: chatNames,
    list: 'listChats',
    remove: ['deleteChat', 'deleteTask'],
  },
  /** Something that the assistant asks for in a chat. */
  request: {
    by: 'createChatTask',
    names(response, sent) {
      const [row] = recordsUnder(payloadOf(response), /request|call|approval/i);
      const { t, ...chat } = chatNames(response, sent);
      const [id, tool] = [idIn(row, REQUEST_IDS), textUnder(row, 'tool', 'tool_name', 'name')];
      return { 'chat-id': chat['chat-id'], id, t: integerIn(row, TIMES) ?? t, tool };
    },
  },
  /** A file that came with a message. */
  attachment: {
    by: 'createMessage',
    names(response, sent) {
      const payload = payloadOf(response);
      const [row] = recordsUnder(payload, /attachment|file/i);
      const id = idIn(row, ATTACHMENT_IDS) ?? idsUnder(payload, /attachment/i, FILE_NAME)[0];
      const { t, ...chat } = chatNames(response, sent);
      return { 'workspace-id': chat['workspace-id'], 'attachment-id': id, t: integerIn(row, TIMES) ?? t };
    },
  },
  app: {
    uses: ['listApps'],
    async find(t) {
      const { body } = await need(t, 'listApps');
      const app_name = textUnder(rowsOf(body), 'name', 'app_name', 'id', 'slug');
      return { app_name: app_name ?? t.inconclusive('there is no app to connect') };
    },
  },
  sop: {
    by: 'saveSop',
    // Which field holds `t` is open (`sop.t`), but one that is called so is taken at its word.
    ids: TIMES,
    isAmongOthers: true,
    list: 'listSops',
    remove: ['deleteSop'],
  },
  automation: {
    by: 'createAutomation',
    ids: ['id', 'automation_id', 'automationId', 'uuid', 'key'],
    list: 'listAutomations',
    remove: ['deleteAutomation'],
  },
  job: {
    needs: ['automation'],
    uses: ['listTasks', 'triggerWebhook', 'getJob', 'deleteTask'],
    find: findJob,
  },
  plan: {
    uses: ['getUsage'],
    async find(t) {
      const plan = textUnder((await need(t, 'getUsage')).r, 'plan', 'plan_name', 'plan_id');
      return { plan: plan ?? t.inconclusive('GET /usage has no field with the name of the plan') };
    },
  },
  /** Set back at the end. */
  organisationName: {
    uses: ['getOrganisation'],
    async find(t) {
      const { r } = await need(t, 'getOrganisation');
      const name = textUnder(r, 'name', 'organisation_name', 'display_name');
      if (name === undefined) t.inconclusive('GET /org has no field with the name of the organisation');
      t.cleanup('the name of the organisation', () => t.send('updateOrganisation', { query: { name } }));
      return {};
    },
  },
  /** Set back at the end. */
  autoTopUp: { uses: ['getAutoTopUp'], find: keepAutoTopUp },
});
export type ResourceName = keyof typeof resources;

function chatNames(response: ApiResponse, { headers }: ApiRequest): Names {
  const record = asFields(payloadOf(response));
  return {
    'workspace-id': headers?.['workspace-id'],
    'chat-id': idIn(record, CHAT_IDS),
    t: integerIn(record, TIMES),
    task_id: idIn(record, ['task_id', 'taskId']),
  };
}

async function untilStatus(t: TestContext, { task_id }: Names, wanted: RegExp): Promise<void> {
  const until = t.now() + t.settings.timeoutMs;
  while (t.now() < until) {
    const { r } = await t.send('getTask', { path: { task_id: String(task_id) } });
    if (wanted.test(String(field(r, 'status') ?? 'waiting'))) return;
    await t.sleep(t.settings.pollIntervalMs);
  }
  t.inconclusive(
    `the status of task ${task_id} did not become ${wanted.source} within ${t.settings.timeoutMs} ms`,
  );
}

/** It is set to what it is. */
async function findProxy(t: TestContext): Promise<Names> {
  const [row] = rowsOf((await need(t, 'listProxies')).body) ?? [];
  const proxy_id = idIn(row, ['id', 'proxy_id']);
  if (proxy_id === undefined) t.inconclusive('the organisation has no proxy');
  const auto_renew = field(row, 'auto_renew');
  if (typeof auto_renew !== 'boolean')
    return t.inconclusive('the proxy has no boolean auto_renew to restore');
  return { proxy_id, auto_renew };
}

/** None where the list is refused. */
export async function listTaskIds(t: TestContext): Promise<string[]> {
  const { r } = await t.send('listTasks', { query: { l: 128 } });
  return (rowsOf(r) ?? []).flatMap((row) => idIn(row, ['id']) ?? []);
}

/** A run of an automation, if the target calls that a job. */
async function findJob(t: TestContext, { id }: Names): Promise<Names> {
  const before = await listTaskIds(t);
  const { body } = await need(t, 'triggerWebhook', { body: { automation_id: id } });
  const started = (await listTaskIds(t)).filter((task) => !before.includes(task));
  // Other clients may have created tasks meanwhile.
  for (const job_id of [idIn(asFields(body), ['job_id', 'job', 'id']) ?? [], ...started.slice(0, 8)].flat())
    if ((await t.send('getJob', { path: { job_id } })).ok) return { job_id };
  return t.inconclusive('no job was found: what a job is, is open');
}

async function keepAutoTopUp(t: TestContext): Promise<Names> {
  const { active, amount, threshold } = ((await need(t, 'getAutoTopUp')).r ?? {}) as Record<string, unknown>;
  if (typeof active !== 'boolean')
    return t.inconclusive('GET /topup/auto has no boolean "active" to restore');
  const query: Record<string, number | boolean> = { active };
  for (const [name, value] of Object.entries({ amount, threshold })) {
    if (Number.isInteger(value)) query[name] = value as number;
    else if (value !== null) return t.inconclusive(`GET /topup/auto has no integer "${name}" to restore`);
  }
  t.cleanup('the automatic top-up', () => t.send('setAutoTopUp', { query }));
  return {};
}
