import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../../spec/generated/operations.js';
import { type Bend, emptySuccess, judged, probesCalled } from '../../../../test/support/cases/target.js';

/** Says that it was done, and does nothing. */
const pretends =
  (wanted: OperationId): Bend =>
  ({ operation, url, init }, pass) =>
    operation === wanted ? Promise.resolve(emptySuccess(wanted)) : pass(url, init);

/** Does it, and answers with something else. */
const answers =
  (wanted: OperationId, change: (body: never) => unknown, status = 200): Bend =>
  async ({ operation, url, init }, pass) => {
    const answer = await pass(url, init);
    if (operation !== wanted || !answer.ok) return answer;
    return Response.json(change((await answer.json()) as never), { status });
  };

const told =
  (wanted: OperationId, change: (url: string, init: RequestInit) => [string, RequestInit]): Bend =>
  ({ operation, url, init }, pass) =>
    operation === wanted ? pass(...change(url, init)) : pass(url, init);

/** Takes every key for the first one. */
const confuses =
  (...wanted: OperationId[]): Bend =>
  ({ operation, url, init }, pass) => {
    const headers = { ...(init.headers as Record<string, string>) };
    if (wanted.includes(operation) && headers.apikey === 'other-key') headers.apikey = 'main-key';
    return pass(url, { ...init, headers });
  };

async function isCaught(check: string, bend: Bend): Promise<void> {
  const [probe] = check.split('#');
  const { ids, faults } = await judged({ bend, probes: probesCalled(probe!) });
  expect(ids.failed).toContain(check);
  expect(faults).toEqual([]);
}

describe('what was said to be done and was not is seen', () => {
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
      if (request.operation === operation && there.has(id)) return emptySuccess(operation);
      const answer = await pass(url, init);
      const made = request.operation === 'uploadFile' || request.operation === 'openBrowserSession';
      if (made) for (const value of Object.values((await answer.clone().json()).r)) there.add(String(value));
      return answer;
    });
  });

  it('a SOP that is changed becomes a second one', () =>
    isCaught(
      'resources/sop#SOP-02',
      told('saveSop', (url, init) => [url.replace(/\?.*/, ''), init]),
    ));

  it('a plan that is not remembered', () =>
    isCaught('resources/plan#ORG-09', ({ operation, url, init }, pass) => {
      if (operation !== 'setPlan') return pass(url, init);
      return Promise.resolve(Response.json({ r: { plan: new URL(url).searchParams.get('plan') } }));
    }));
});

describe('an answer that is wrong is seen', () => {
  it.each<[string, Bend]>([
    ['resources/profile#PROFILE-02', answers('createProfile', () => ({ r: { id: 'mine' } }))],
    ['resources/profile#PROFILE-03', answers('listProfiles', ({ r }) => ({ r: { profiles: r } }))],
    [
      'resources/profile-old-paths#BROWSER-03',
      answers('listBrowserProfiles', () => ({ r: { profile_ids: [] } })),
    ],
    [
      'resources/profile-old-paths#VERSION-04',
      answers('listBrowserProfiles', () => ({ detail: 'gone' }), 410),
    ],
    ['resources/file#FILE-01', answers('uploadFile', () => ({ r: { id: 12 } }))],
    ['resources/file#FILE-01', answers('uploadFile', () => ({ r: { id: 'one' } }))],
    ['resources/file#FILE-02', answers('deleteFile', () => ({ r: 'deleted' }))],
    ['resources/extension#EXT-01', answers('uploadExtension', () => ({ r: 1 }))],
    ['resources/extension#EXT-02', answers('listExtensions', ({ r }) => ({ r: { extensions: r } }))],
    ['resources/extension#EXT-03', answers('deleteExtension', () => ({ r: null }))],
    [
      'resources/extension-old-paths#BROWSER-06',
      answers('listBrowserExtensions', () => ({ r: { extensions: [] } })),
    ],
    ['resources/proxies#PROXY-01', answers('listProxies', ({ r }) => ({ r: { proxies: r } }))],
    ['resources/proxy-renewal#PROXY-02', answers('updateProxy', () => ({ r: true }))],
    ['resources/task-list#TASK-15', answers('listTasks', ({ r }) => ({ r: { tasks: r } }))],
    ['resources/task-list#TASK-15', answers('listTasks', () => ({ r: [] }))],
    [
      'resources/task-list#LIMIT-01',
      told('listTasks', (url, init) => [url.replace(/([?&])l=\d+/, '$1l=7'), init]),
    ],
    ['resources/task-visibility#TASK-19', answers('getTaskVisibility', ({ r }) => ({ r: `${r}` }))],
    ['resources/task-data#TASK-21', answers('deleteTaskData', () => ({ r: {} }))],
    ['resources/task-update#TASK-18', answers('updateTask', () => ({ r: { ok: true } }))],
    ['resources/task-update#VERSION-04', answers('updateTask', () => ({ detail: 'gone' }), 410)],
    ['resources/browser-session#BROWSER-01', answers('openBrowserSession', () => ({ r: true }))],
    [
      'resources/workspace#WORKSPACE-02',
      answers('createWorkspace', (body) => ({ ...(body as object), name: 'x' })),
    ],
    [
      'resources/workspace#WORKSPACE-02',
      answers('createWorkspace', (body) => ({ ...(body as object), shared: true })),
    ],
    ['resources/chat#CHAT-01', answers('listChats', () => ({ chats: [] }))],
    ['resources/chat#CHAT-01', told('listChats', (url, init) => [url.replace(/limit=\d+/, ''), init])],
    ['resources/chat#CHAT-03', answers('deleteChat', () => ({ r: null }))],
    ['resources/chat#CHAT-05', answers('renameChat', () => ({ r: 'done' }))],
    ['resources/sop#SOP-01', answers('listSops', () => ({ sops: [] }))],
    ['resources/automation#AUTO-01', answers('listAutomations', ({ r }) => ({ r: { automations: r } }))],
    ['resources/automation#AUTO-01', answers('listAutomations', () => ({ r: [] }))],
    ['resources/organisation#ORG-02', answers('getOrganisation', () => ({ r: [] }))],
    [
      'resources/organisation#ORG-04',
      answers('getUsage', ({ r: { plan, credits } }) => ({ r: { plan, credits } })),
    ],
    [
      'resources/organisation#ORG-04',
      answers('getUsage', () => ({ r: { credits: 1, browser_sessions: 2 } })),
    ],
    ['resources/organisation#ORG-05', answers('getBillingPortal', () => ({ r: { url: 'https://x.test' } }))],
    ['resources/organisation#ORG-07', answers('getAutoTopUp', () => ({ r: true }))],
    ['resources/invitation#ORG-01', answers('inviteUser', () => ({ r: { 'a@example.com': 'sent' } }))],
    ['resources/top-up#ORG-06', answers('topUp', () => ({ r: 100 }))],
    [
      'resources/auto-top-up#ORG-07',
      answers('getAutoTopUp', ({ r }) => ({ r: { ...(r as object), amount: 5 } })),
    ],
    ['resources/plan#ORG-09', answers('setPlan', () => ({ r: 7 }))],
    ['errors/premium-feature#ERROR-04', refuses('createProfile', 402)],
    ['errors/no-credits#ERROR-06', refuses('createTask', 402)],
  ])('%s', (check, bend) => isCaught(check, bend));

  it('a browser that no id closes', () =>
    isCaught('resources/browser-session#BROWSER-02', refusing('closeBrowserSession', 404)));

  it('a header that is required and not missed', () =>
    isCaught('resources/workspace#CHAT-12', async ({ operation, url, init }, pass) => {
      const answer = await pass(url, init);
      return operation === 'getWorkspace' && answer.status === 422 ? Response.json({}) : answer;
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

  it.each([404, 405, 500])('an operation that answers with %s', async (status) => {
    await isCaught('resources/telemetry#TELEMETRY-01', refusing('sendTelemetry', status));
    await isCaught('resources/sop#SOP-02', refusing('saveSop', status));
  });
});

describe('a task that there is not', () => {
  it.each<[OperationId, string]>([
    ['getTask', 'errors/unknown-task#POLL-07'],
    ['getTaskVisibility', 'errors/unknown-task#ERROR-03'],
    ['setTaskVisibility', 'errors/unknown-task#ERROR-03'],
    ['sendTaskEvent', 'errors/unknown-task#ERROR-03'],
    ['updateTask', 'errors/unknown-task#ERROR-03'],
    ['deleteTask', 'errors/unknown-task#ERROR-03'],
    ['deleteTaskData', 'errors/unknown-task#ERROR-03'],
  ])('has to be answered with 404 by %s', (operation, check) =>
    isCaught(check, async (request, pass) => {
      const answer = await pass(request.url, request.init);
      if (request.operation !== operation || answer.status !== 404) return answer;
      return Response.json({ detail: 'There is none.' }, { status: 410 });
    }),
  );
});

describe('organisations that are not kept apart are seen', () => {
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
    ['listSops', 'sops-and-automations'],
    ['deleteSop', 'sops-and-automations'],
    ['listAutomations', 'sops-and-automations'],
    ['deleteAutomation', 'sops-and-automations'],
  ])('%s', (operation, what) =>
    isCaught(`auth/${what}-of-another-organisation#SERVICE-04`, confuses(operation)),
  );

  it('a name given to all of them', () =>
    isCaught('resources/organisation-name#SERVICE-04', confuses('getOrganisation')));
});

/** Another status where it is refused. */
function refuses(wanted: OperationId, status: number): Bend {
  return async ({ operation, url, init }, pass) => {
    const answer = await pass(url, init);
    return operation === wanted && !answer.ok ? Response.json({ detail: 'No.' }, { status }) : answer;
  };
}

function refusing(wanted: OperationId, status: number): Bend {
  return ({ operation, url, init }, pass) =>
    operation === wanted ? Promise.resolve(Response.json({ detail: 'No.' }, { status })) : pass(url, init);
}
