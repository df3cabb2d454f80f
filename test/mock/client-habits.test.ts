import { describe, expect, it } from 'vitest';
import { operations } from '../../spec/generated/operations.js';
import { createForm, EMPTY_ZIP } from '../support/mock/api.js';
import { PointClient } from '../support/open-points/client.js';

/** What public clients of the API rely on, held against the mock as it is without any choices. */

const wire = (client: PointClient, method: string, path: string, init: RequestInit = {}) =>
  client.mock.fetch(`http://mock.test/api/v1${path}`, {
    method,
    ...init,
    headers: { apikey: 'test', ...init.headers },
  });

describe('transport', () => {
  it('every success is JSON that is not empty, and below an envelope has r; DELETE included', async () => {
    const client = new PointClient({}, { fixtures: { proxies: [{ country: 'DE' }] } });
    const workspace = await client.createWorkspace();
    const chat = (await client.send('POST', '/task/zero', { task: 'x' }, { headers: workspace })).body;
    const form = createForm({ message: 'x', files: [new File(['x'], 'x.txt')] });
    const said = (await client.send('POST', '/chat/message', undefined, { headers: workspace, form })).body;
    const [, { requests }] = said.messages;
    const headers = { ...workspace, 'chat-id': said.id, 'attachment-id': said.messages[0].attachments[0].id };
    const made = { name: 'a', task: 'b' };
    const automation = (await client.send('POST', '/automation', made, { headers })).r;
    await client.send('POST', '/webhook', { automation_id: automation.id });
    const [{ id: job }] = (await client.send('GET', '/task')).r;
    const task = await client.createSession();
    const over = await client.createScriptedTask([{ service: 'finish' }]);
    const calling = await client.createScriptedTask([
      { service: 'tool_call', id: 'call', tool: 'weather', input: {} },
      { client: 'cancel' },
    ]);
    const [call] = (await client.poll(calling)).r.events;
    const sop = (await client.send('POST', '/sop', { title: 'a', content: 'b' }, { headers })).body.sops[0];
    const upload = async (path: string) =>
      (await client.send('POST', path, undefined, { form: createForm({ file: EMPTY_ZIP }) })).r.id;
    const profile = async () => (await client.send('POST', '/profile', {})).r.id;
    const [proxy] = (await client.send('GET', '/proxy')).r;
    const [app] = (await client.send('GET', '/app')).body.apps;
    const browser = (await client.send('POST', '/browser/session', {})).r.live_id;
    const file = () => createForm({ file: EMPTY_ZIP });
    const event = {
      name: 'browser_action',
      payload: { name: 'goto', input: { url: 'https://example.com' } },
    };

    const calls: Record<string, [string, (object | FormData)?]> = {
      inviteUser: ['/org/user?email=a@b.c'],
      getOrganisation: ['/org'],
      updateOrganisation: ['/org?name=Acme'],
      getUsage: ['/usage'],
      getBillingPortal: ['/org/billing'],
      topUp: ['/topup?amount=1'],
      getAutoTopUp: ['/topup/auto'],
      setAutoTopUp: ['/topup/auto?active=false'],
      setPlan: ['/plan?plan=enterprise'],
      createTask: ['/task', {}],
      listTasks: ['/task'],
      getTask: [`/task/${task}`],
      sendTaskEvent: [`/task/${task}/event`, event],
      getTaskVisibility: [`/task/${task}/visibility`],
      setTaskVisibility: [`/task/${task}/visibility?visibility=true`],
      updateTask: [`/task/${calling}`, { tool_response: { id: call.id, code: 200, output: 'null' } }],
      deleteTask: [`/task/${task}`],
      deleteTaskData: [`/task/${over}/data`],
      createProfile: ['/profile', {}],
      listProfiles: ['/profile'],
      deleteProfile: [`/profile/${await profile()}`],
      listProxies: ['/proxy'],
      updateProxy: [`/proxy/${proxy.id}?auto_renew=true`],
      uploadExtension: ['/extension', file()],
      listExtensions: ['/extension'],
      deleteExtension: [`/extension/${await upload('/extension')}`],
      deleteBrowserExtension: [`/browser/extension/${await upload('/extension')}`],
      uploadFile: ['/file', file()],
      deleteFile: [`/file/${await upload('/file')}`],
      openBrowserSession: ['/browser/session', {}],
      closeBrowserSession: [`/browser/session/${browser}`],
      listBrowserProfiles: ['/browser/profile'],
      deleteBrowserProfile: [`/browser/profile/${await profile()}`],
      uploadBrowserExtension: ['/browser/extension', file()],
      listBrowserExtensions: ['/browser/extension'],
      sendTelemetry: ['/telemetry', { events: [] }],
      getJob: [`/job/${job}`],
      getWorkspace: ['/workspace'],
      createWorkspace: ['/workspace/Other'],
      listChats: ['/chat'],
      createChatTask: ['/task/zero', { task: 'x' }],
      getChat: [`/chat/id?t=${chat.t}`],
      renameChat: [`/chat/id?t=${chat.t}&title=x`],
      deleteChat: [`/chat/id?t=${chat.t}`],
      updateRequest: [`/request/id?id=${requests[0].id}&t=${requests[0].t}&status=approved`],
      listMessages: ['/chat/message'],
      createMessage: ['/chat/message', createForm({ message: 'x' })],
      getAttachment: ['/attachment'],
      updateAttachment: [`/attachment?t=${said.messages[0].attachments[0].t}`, { name: 'b' }],
      getToolData: [`/tool/weather/${call.id}`],
      listApps: ['/app'],
      connectApp: [`/workspace/app/${app.name}`, {}],
      listSops: ['/sop'],
      saveSop: ['/sop', { title: 'a', content: 'b' }],
      deleteSop: [`/sop?t=${sop.t}`],
      listAutomations: ['/automation'],
      createAutomation: ['/automation', made],
      deleteAutomation: [`/automation?id=${automation.id}`],
      triggerWebhook: [
        '/webhook',
        { automation_id: (await client.send('POST', '/automation', made, { headers })).r.id },
      ],
    };
    expect(Object.keys(calls).sort(), '`calls` needs a call of each operation').toEqual(
      Object.keys(operations).sort(),
    );
    const bare = /Workspace|Chat|Messages?$|updateRequest|ToolData|App|Sop/;
    const enveloped = /^(deleteChat|renameChat|deleteSop)$/;
    for (const [id, [path, sent]] of Object.entries(calls)) {
      const { method } = operations[id as keyof typeof operations];
      const body = sent instanceof FormData || sent === undefined ? sent : JSON.stringify(sent);
      const answer = await wire(client, method, path, { headers, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      expect([200, 202], `${id}: ${text}`).toContain(answer.status);
      expect(answer.headers.get('content-type'), id).toMatch(/^application\/json\b/);
      if (enveloped.test(id) || !bare.test(id)) expect(JSON.parse(text), id).toHaveProperty('r');
      else expect(Object.keys(JSON.parse(text)), id).not.toEqual([]);
    }
  });

  it('errors are JSON with a detail, whatever went wrong', async () => {
    const client = new PointClient();
    const broken: [string, string, RequestInit?][] = [
      ['GET', '/task/none'],
      ['GET', '/nothing'],
      ['PATCH', '/task'],
      ['GET', '/task?l=0'],
      ['POST', '/task', { body: '{' }],
      ['GET', '/usage', { headers: { apikey: '' } }],
      ['GET', '/usage', { headers: { apikey: 'invalid-1' } }],
      ['POST', '/task', { headers: { apikey: 'exhausted-1' }, body: '{"task":"x"}' }],
      ['POST', '/profile', { headers: { apikey: 'free-1' }, body: '{}' }],
    ];
    for (const [method, path, init] of broken) {
      const answer = await wire(client, method, path, init);
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get('content-type'), path).toMatch(/^application\/json\b/);
      expect(await answer.json(), path).toHaveProperty('detail');
    }
  });

  it.each(['//api/v1/usage', '/api//v1/usage', '/api/v1//usage', '/api/v1/usage/'])(
    'takes extra slashes: %s',
    async (path) => {
      const { mock } = new PointClient();
      const answer = await mock.fetch(`http://mock.test${path}`, { headers: { apikey: 'cmzr-0123' } });
      expect([answer.status, (await answer.json()).r.plan]).toEqual([200, 'growth']);
    },
  );

  it('takes extra slashes inside a path, too', async () => {
    const client = new PointClient();
    const id = await client.createSession();
    expect(await client.sendForStatus('GET', `//task//${id}?event_t=0`)).toBe(202);
    const body = { name: 'session_action', payload: { name: 'close' } };
    expect(await client.sendForStatus('POST', `/task/${id}//event`, body)).toBe(200);
  });
});
