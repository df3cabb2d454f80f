import { listDescribedFields, listFields, type PointCases } from './case.js';
import type { PointClient } from './client.js';

async function createAutomation(client: PointClient) {
  const headers = await client.createWorkspace();
  const sent = { name: 'Nightly', task: 'Tidy up' };
  return { headers, made: (await client.send('POST', '/automation', sent, { headers })).r };
}

const CALL = { service: 'tool_call', id: 'call', tool: 'weather', input: { city: 'Oslo' } };

/** Workspaces and their resources except chats. */
export const workspaces: PointCases = {
  'envelope.unwrapped-rows': {
    async observe(client) {
      const headers = await client.createWorkspace();
      const bodies = [(await client.send('POST', '/workspace/Work')).body];
      for (const path of ['/workspace', '/chat', '/app', '/sop'])
        bodies.push((await client.send('GET', path, undefined, { headers })).body);
      return bodies.map((body) => ('r' in body ? ['r', Object.keys(body.r)[0]] : Object.keys(body)[0]));
    },
    expected: {
      bare: ['id', 'id', 'chats', 'apps', 'sops'],
      enveloped: [
        ['r', 'id'],
        ['r', 'id'],
        ['r', 'chats'],
        ['r', 'apps'],
        ['r', 'sops'],
      ],
    },
  },
  'record.workspace': {
    async observe(client) {
      const headers = await client.createWorkspace();
      return listFields((await client.send('GET', '/workspace', undefined, { headers })).body);
    },
    expected: { 'as-described': listDescribedFields('WorkspaceResponse') },
  },
  'record.sop': {
    async observe(client) {
      const headers = await client.createWorkspace();
      const save = async () =>
        (await client.send('POST', '/sop', { title: 'a', content: 'b' }, { headers })).body;
      await save();
      const body = await save();
      const empty = await client.sendForStatus('POST', '/sop', {}, { headers });
      return [listFields(body), listFields(body.sops[0]), body.sops.length, empty];
    },
    expected: { 'as-described': [listDescribedFields('SOPResponse'), listDescribedFields('SOP'), 2, 422] },
  },
  'sop.t': {
    async observe(client) {
      const headers = await client.createWorkspace();
      const save = async (t: number, title: string) =>
        (await client.send('POST', `/sop?t=${t}`, { title, content: 'b' }, { headers })).body.sops?.[0];
      const made = await save(0, 'new');
      const changed = await save(made.t, 'changed');
      const unknown = await save(made.t + 1, 'x');
      return [made.t - client.mock.clock.now('test'), changed.t === made.t, changed.title, unknown];
    },
    expected: { 'creation-time': [0, true, 'changed', undefined] },
  },
  'record.automation': {
    observe: async (client) => listFields((await createAutomation(client)).made),
    expected: { 'as-described': listDescribedFields('IAutomation') },
  },
  'webhook.fields': {
    async observe(client) {
      const { made } = await createAutomation(client);
      const trigger = (body: object) => client.sendForStatus('POST', '/webhook', body, { key: null });
      const statuses = [
        await trigger({ automation_id: made.id, payload: [1] }),
        await trigger({ automation_id: made.webhook_token }),
        await trigger({ automation_id: 'another' }),
        await trigger({ id: made.id }),
      ];
      return [...statuses, (await client.send('GET', '/task')).r.length];
    },
    expected: { automation_id: [200, 200, 404, 422, 2] },
  },
  'automation.disabled': {
    async observe(client) {
      const headers = await client.createWorkspace();
      const sent = { name: 'Nightly', task: 'Tidy up', enabled: false };
      const { id } = (await client.send('POST', '/automation', sent, { headers })).r;
      const status = await client.sendForStatus('POST', '/webhook', { automation_id: id }, { key: null });
      return [status, (await client.send('GET', '/task')).r.length];
    },
    expected: { '400': [400, 0] },
  },
  'job.ids': {
    async observe(client) {
      const { made } = await createAutomation(client);
      await client.send('POST', '/webhook', { automation_id: made.id }, { key: null });
      const [{ id }] = (await client.send('GET', '/task')).r;
      const read = async () => {
        const { status, r } = await client.send('GET', `/job/${id}`, undefined, { key: null });
        return status === 200 ? (r.status ?? r) : status;
      };
      const during = await read();
      await client.send('DELETE', `/task/${id}`);
      const over = await read();
      await client.send('DELETE', `/task/${id}/data`);
      return [during, over, await read()];
    },
    expected: {
      'automation-runs': ['running', 'cancelled', 404],
      'automation-runs-no-status': [true, true, 404],
      'none-exist': [404, 404, 404],
    },
  },
  'record.app': {
    async observe(client) {
      const headers = await client.createWorkspace();
      const { body } = await client.send('GET', '/app');
      const [app] = body.apps;
      const connected = (await client.send('POST', `/workspace/app/${app.name}`, {}, { headers })).body;
      return [listFields(body), listFields(app), listFields(connected), listFields(connected.response)];
    },
    expected: {
      'as-described': [
        listDescribedFields('AppConfigsResponse'),
        listDescribedFields('AppConfig'),
        listDescribedFields('TaskApiResponseOfAppConnectionResponse'),
        listDescribedFields('AppConnectionResponse'),
      ],
    },
  },
  'record.app-protocol': {
    async observe(client) {
      const headers = await client.createWorkspace();
      const [app] = (await client.send('GET', '/app')).body.apps;
      const responses: unknown[] = [];
      for (const protocol of [-1, 0, 1, 2])
        responses.push(
          (await client.send('POST', `/workspace/app/${app.name}`, { protocol }, { headers })).body,
        );
      const alike = responses.every((each) => JSON.stringify(each) === JSON.stringify(responses[0]));
      return [
        alike,
        await client.sendForStatus('POST', `/workspace/app/${app.name}`, { protocol: 3 }, { headers }),
      ];
    },
    expected: { opaque: [true, 422] },
  },
  'record.tool-data': {
    async observe(client) {
      const task = await client.createScriptedTask([
        CALL,
        { client: 'reply', to: 'call' },
        { client: 'cancel' },
      ]);
      const [call] = (await client.poll(task)).r.events;
      const read = async () =>
        (await client.send('GET', `/tool/weather/${call.id}`, undefined, { key: null })).body;
      const { status } = await read();
      await client.reply(task, call.id);
      const [unanswered] = (await client.poll(await client.createScriptedTask([CALL, { client: 'cancel' }])))
        .r.events;
      await client.send('DELETE', `/task/${(await client.send('GET', '/task')).r[0].id}`);
      const failed = await client.send('GET', `/tool/weather/${unanswered.id}`, undefined, { key: null });
      return [listFields(await read()), status, (await read()).status, failed.body.status, failed.body.code];
    },
    expected: { 'as-described': [listDescribedFields('ToolResponse'), 'pending', 'done', 'failed', 500] },
  },
};
