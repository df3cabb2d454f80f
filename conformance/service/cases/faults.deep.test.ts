import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../spec/generated/operations.js';
import {
  createEmptySuccess,
  type FetchInterceptor,
  runAgainstMock,
  selectCases,
} from '../../../test/support/cases/target.js';

/** Responds with a success without any effect. */
const pretends =
  (wanted: OperationId): FetchInterceptor =>
  ({ operation, url, init }, pass) =>
    operation === wanted ? Promise.resolve(createEmptySuccess(wanted)) : pass(url, init);

/** Processes the request and returns another response. */
const responses =
  (wanted: OperationId, change: (body: never) => unknown, status = 200): FetchInterceptor =>
  async ({ operation, url, init }, pass) => {
    const response = await pass(url, init);
    if (operation !== wanted || !response.ok) return response;
    return Response.json(change((await response.json()) as never), { status });
  };

/** The events of a task outlive the deletion of its data. */
function keepsEvents(): FetchInterceptor {
  const events = new Map<string, unknown[]>();
  const erased = new Set<string>();
  return async ({ operation, url, init }, pass) => {
    const response = await pass(url, init);
    const id = /\/task\/([^/?]+)/.exec(String(url))?.[1] ?? '';
    if (operation === 'deleteTaskData' && response.ok) erased.add(id);
    if (operation !== 'getTask') return response;
    if (erased.has(id)) return Response.json({ r: { id, status: 'done', events: events.get(id) } });
    const body = await response.clone().json();
    if (body.r?.events?.length > 0) events.set(id, body.r.events);
    return response;
  };
}

/** An action of another organisation is refused and carried out. */
const obeysStrangers: FetchInterceptor = async ({ operation, url, init }, pass) => {
  const headers = { ...(init.headers as Record<string, string>) };
  if (operation !== 'sendTaskEvent' || headers.apikey !== 'other-key') return pass(url, init);
  await pass(url, { ...init, headers: { ...headers, apikey: 'main-key' } });
  return Response.json({ detail: 'There is no such task.' }, { status: 404 });
};

/** The visibility of a task is lost when the task is stopped. */
function hidesAtTheEnd(): FetchInterceptor {
  let isStopped = false;
  return ({ operation, url, init }, pass) => {
    isStopped ||= operation === 'deleteTask';
    return operation === 'getTaskVisibility' && isStopped
      ? Promise.resolve(Response.json({ r: false }))
      : pass(url, init);
  };
}

/** A request is a message with a status. `isForAll`: the status that is set goes to all messages of the chat. */
function listsRequestsAsMessages(isForAll: boolean): FetchInterceptor {
  const statuses = new Map<string | undefined, string | null>();
  return async ({ operation, url, init }, pass) => {
    const response = await pass(url, init);
    if (!['updateRequest', 'listMessages'].includes(operation) || !response.ok) return response;
    const chat = new Headers(init.headers).get('chat-id') ?? undefined;
    if (operation === 'updateRequest' && isForAll)
      statuses.set(chat, new URL(url).searchParams.get('status'));
    const { messages } = (await response.json()) as { messages: { requests: object[] }[] };
    const status = statuses.get(chat);
    const rows = messages.map(({ requests: [request], ...message }) => ({
      ...message,
      ...request,
      ...(request && status ? { status } : {}),
    }));
    return Response.json({ messages: rows });
  };
}

const changesRequest =
  (
    wanted: OperationId,
    change: (url: string, init: RequestInit) => [string, RequestInit],
  ): FetchInterceptor =>
  ({ operation, url, init }, pass) =>
    operation === wanted ? pass(...change(url, init)) : pass(url, init);

/** Treats every key as the first one. */
const confuses =
  (...wanted: OperationId[]): FetchInterceptor =>
  ({ operation, url, init }, pass) => {
    const headers = { ...(init.headers as Record<string, string>) };
    if (wanted.includes(operation) && headers.apikey === 'other-key') headers.apikey = 'main-key';
    return pass(url, { ...init, headers });
  };

async function isCaught(check: string, bend: FetchInterceptor): Promise<void> {
  const [testCase] = check.split('#');
  const { ids, faults } = await runAgainstMock({ bend, cases: selectCases(testCase!) });
  expect(ids.failed).toContain(check);
  expect(faults).toEqual([]);
}

describe('a success without effect is detected', () => {
  it.each<[OperationId, string]>([
    ['deleteProfile', 'resources/profile#PROFILE-04'],
    ['deleteBrowserProfile', 'resources/profile-old-paths#BROWSER-04'],
    ['createProfile', 'resources/profile#PROFILE-03'],
    ['deleteExtension', 'resources/extension#EXT-02'],
    ['deleteBrowserExtension', 'resources/extension-old-paths#EXT-04'],
    ['updateProxy', 'resources/proxy-renewal#PROXY-02'],
    ['setTaskVisibility', 'resources/task-visibility#TASK-20'],
    ['deleteTaskData', 'resources/task-data#TASK-21'],
    ['renameChat', 'resources/chat#CHAT-05'],
    ['deleteChat', 'resources/chat#CHAT-03'],
    ['updateRequest', 'resources/chat-request#CHAT-06'],
    ['updateAttachment', 'resources/attachment#CHAT-10'],
    ['saveSop', 'resources/sop#SOP-02'],
    ['deleteSop', 'resources/sop#SOP-03'],
    ['deleteAutomation', 'resources/automation#AUTO-03'],
    ['updateOrganisation', 'resources/organisation-name#ORG-03'],
    ['topUp', 'resources/top-up#ORG-06'],
    ['setAutoTopUp', 'resources/auto-top-up#ORG-08'],
  ])('%s', (operation, check) => isCaught(check, pretends(operation)));

  it.each<[OperationId, string]>([
    ['deleteFile', 'resources/file#FILE-02'],
    ['closeBrowserSession', 'resources/browser-session#BROWSER-02'],
  ])('%s, where only what there is can be removed', async (operation, check) => {
    const there = new Set<string>();
    await isCaught(check, async (request, pass) => {
      const { url, init } = request;
      const id = url.split('/').at(-1)!;
      if (request.operation === operation && there.has(id)) return createEmptySuccess(operation);
      const response = await pass(url, init);
      const made = request.operation === 'uploadFile' || request.operation === 'openBrowserSession';
      if (made)
        for (const value of Object.values((await response.clone().json()).r)) there.add(String(value));
      return response;
    });
  });

  it('a change of a SOP creates a second one', () =>
    isCaught(
      'resources/sop#SOP-02',
      changesRequest('saveSop', (url, init) => [url.replace(/\?.*/, ''), init]),
    ));

  it('a plan that is not stored', () =>
    isCaught('resources/plan#ORG-09', ({ operation, url, init }, pass) => {
      if (operation !== 'setPlan') return pass(url, init);
      return Promise.resolve(Response.json({ r: { plan: new URL(url).searchParams.get('plan') } }));
    }));

  it('a plan that is not stored, of a service whose plans have other names', () =>
    isCaught('resources/plan#ORG-09', async ({ operation, url, init }, pass) => {
      if (operation === 'getUsage')
        return Response.json({ r: { credits: 5, browser_sessions: 5, plan: 'pro' } });
      if (operation !== 'setPlan') return pass(url, init);
      const plan = new URL(url).searchParams.get('plan');
      const isKnown = plan === 'pro' || plan === 'team';
      return isKnown
        ? Response.json({ r: { plan } })
        : Response.json({ detail: 'There is no such plan.' }, { status: 400 });
    }));
});

describe('a wrong response is detected', () => {
  it.each<[string, FetchInterceptor]>([
    ['resources/profile#PROFILE-02', responses('createProfile', () => ({ r: { id: 'mine' } }))],
    ['resources/profile#PROFILE-03', responses('listProfiles', ({ r }) => ({ r: { profiles: r } }))],
    [
      'resources/profile-old-paths#BROWSER-03',
      responses('listBrowserProfiles', () => ({ r: { profile_ids: [] } })),
    ],
    ['resources/file#FILE-01', responses('uploadFile', () => ({ r: { id: 12 } }))],
    ['resources/file#FILE-01', responses('uploadFile', () => ({ r: { id: 'one' } }))],
    ['resources/file#FILE-02', responses('deleteFile', () => ({ r: 'deleted' }))],
    ['resources/extension#EXT-01', responses('uploadExtension', () => ({ r: 1 }))],
    ['resources/extension#EXT-02', responses('listExtensions', ({ r }) => ({ r: { extensions: r } }))],
    ['resources/extension#EXT-03', responses('deleteExtension', () => ({ r: null }))],
    [
      'resources/extension-old-paths#BROWSER-06',
      responses('listBrowserExtensions', () => ({ r: { extensions: [] } })),
    ],
    ['resources/proxy-renewal#PROXY-02', responses('updateProxy', () => ({ r: true }))],
    ['resources/task-list#TASK-15', responses('listTasks', ({ r }) => ({ r: { tasks: r } }))],
    ['resources/task-list#TASK-15', responses('listTasks', () => ({ r: [] }))],
    [
      'resources/task-list#TASK-02',
      responses('listTasks', ({ r }) => ({
        r: (r as object[]).map((task) => ({ ...task, status: 'running' })),
      })),
    ],
    [
      'resources/task-list#LIMIT-01',
      changesRequest('listTasks', (url, init) => [url.replace(/([?&])l=\d+/, '$1l=7'), init]),
    ],
    ['resources/task-visibility#TASK-19', responses('getTaskVisibility', ({ r }) => ({ r: `${r}` }))],
    ['resources/task-data#TASK-21', responses('deleteTaskData', () => ({ r: {} }))],
    ['resources/task-data#TASK-21', keepsEvents()],
    ['auth/tasks-of-another-organisation#SERVICE-04', obeysStrangers],
    ['resources/task-visibility#TASK-20', hidesAtTheEnd()],
    ['resources/browser-session#BROWSER-01', responses('openBrowserSession', () => ({ r: true }))],
    [
      'resources/workspace#WORKSPACE-02',
      responses('createWorkspace', (body) => ({ ...(body as object), name: 'x' })),
    ],
    [
      'resources/workspace#WORKSPACE-02',
      responses('createWorkspace', (body) => ({ ...(body as object), shared: true })),
    ],
    ['resources/chat#CHAT-01', responses('listChats', () => ({ chats: [] }))],
    [
      'resources/chat#CHAT-01',
      changesRequest('listChats', (url, init) => [url.replace(/limit=\d+/, ''), init]),
    ],
    ['resources/chat-request#CHAT-06', listsRequestsAsMessages(true)],
    ['resources/chat#CHAT-03', responses('deleteChat', () => ({ r: null }))],
    ['resources/chat#CHAT-05', responses('renameChat', () => ({ r: 'done' }))],
    ['resources/sop#SOP-01', responses('listSops', () => ({ sops: [] }))],
    ['resources/automation#AUTO-01', responses('listAutomations', ({ r }) => ({ r: { automations: r } }))],
    ['resources/automation#AUTO-01', responses('listAutomations', () => ({ r: [] }))],
    ['resources/organisation#ORG-02', responses('getOrganisation', () => ({ r: [] }))],
    [
      'resources/organisation#ORG-04',
      responses('getUsage', ({ r: { plan, credits } }) => ({ r: { plan, credits } })),
    ],
    [
      'resources/organisation#ORG-04',
      responses('getUsage', () => ({ r: { credits: 1, browser_sessions: 2 } })),
    ],
    [
      'resources/organisation#ORG-05',
      responses('getBillingPortal', () => ({ r: { url: 'https://x.test' } })),
    ],
    ['resources/organisation#ORG-07', responses('getAutoTopUp', () => ({ r: true }))],
    ['resources/top-up#ORG-06', responses('topUp', () => ({ r: 100 }))],
    [
      'resources/auto-top-up#ORG-07',
      responses('getAutoTopUp', ({ r }) => ({ r: { ...(r as object), amount: 5 } })),
    ],
    ['resources/plan#ORG-09', responses('setPlan', () => ({ r: 7 }))],
    ['errors/premium-feature#ERROR-04', refuses('createProfile', 402)],
    ['errors/no-credits#ERROR-06', refuses('createTask', 402)],
  ])('%s', (check, bend) => isCaught(check, bend));

  it('a status of all messages, and no status of one', async () => {
    const cases = selectCases('resources/chat-request');
    const { ids } = await runAgainstMock({ bend: listsRequestsAsMessages(false), cases });
    expect(ids.failed).toEqual([]);
  });

  it('a browser that no id closes', () =>
    isCaught('resources/browser-session#BROWSER-02', refusing('closeBrowserSession', 404)));

  it('a header that is required and not missed', () =>
    isCaught('resources/workspace#CHAT-12', async ({ operation, url, init }, pass) => {
      const response = await pass(url, init);
      return operation === 'getWorkspace' && response.status === 422 ? Response.json({}) : response;
    }));

  it('a webhook that wants a key', () =>
    isCaught('resources/webhook#AUTO-04', refusing('triggerWebhook', 401)));

  it.each<[OperationId, string]>([
    ['deleteProfile', 'resources/profile#PROFILE-04'],
    ['deleteFile', 'resources/file#FILE-02'],
    ['deleteChat', 'resources/chat#CHAT-03'],
    ['deleteTaskData', 'resources/task-data#TASK-21'],
  ])('%s that forbids what belongs to the organisation', (operation, check) =>
    isCaught(check, refusing(operation, 403)),
  );

  it.each([404, 500])('an operation that responds with %s', async (status) => {
    await isCaught('resources/sop#SOP-02', refusing('saveSop', status));
  });
});

describe('organisations that are not separated are detected', () => {
  it.each<[OperationId, string]>([
    ['getTask', 'tasks'],
    ['listTasks', 'tasks'],
    ['getTaskVisibility', 'tasks'],
    ['setTaskVisibility', 'tasks'],
    ['sendTaskEvent', 'tasks'],
    ['deleteTask', 'tasks'],
    ['listProfiles', 'profiles'],
    ['deleteProfile', 'profiles'],
    ['listExtensions', 'extensions'],
    ['deleteExtension', 'extensions'],
    ['deleteFile', 'files'],
    ['getWorkspace', 'workspaces'],
    ['listChats', 'chats'],
    ['getChat', 'chats'],
    ['renameChat', 'chats'],
    ['deleteChat', 'chats'],
    ['listSops', 'sops'],
    ['deleteSop', 'sops'],
    ['listAutomations', 'automations'],
    ['deleteAutomation', 'automations'],
  ])('%s', (operation, what) =>
    isCaught(`auth/${what}-of-another-organisation#SERVICE-04`, confuses(operation)),
  );

  it('a name given to all of them', () =>
    isCaught('resources/organisation-name#SERVICE-04', confuses('getOrganisation')));
});

/** Changes the status of refusals. */
function refuses(wanted: OperationId, status: number): FetchInterceptor {
  return async ({ operation, url, init }, pass) => {
    const response = await pass(url, init);
    return operation === wanted && !response.ok ? Response.json({ detail: 'No.' }, { status }) : response;
  };
}

function refusing(wanted: OperationId, status: number): FetchInterceptor {
  return ({ operation, url, init }, pass) =>
    operation === wanted ? Promise.resolve(Response.json({ detail: 'No.' }, { status })) : pass(url, init);
}
