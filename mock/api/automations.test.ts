import { expect, it } from 'vitest';
import { createApi } from '../../test/support/mock/api.js';

async function setUp(json: object = {}) {
  const api = createApi();
  const headers = { 'workspace-id': (await api.send('POST', '/workspace/Work')).body.id };
  const create = () =>
    api.send('POST', '/automation', { headers, json: { name: 'Nightly', task: 'Tidy up', ...json } });
  const trigger = (automation_id: string, payload?: unknown, key: string | null = null) =>
    api.send('POST', '/webhook', { key, json: { automation_id, payload } });
  const tasks = async (key = 'test') => (await api.send('GET', '/task', { key })).r;
  return { api, headers, create, trigger, tasks };
}

it('automations are created, listed, and removed by deletion', async () => {
  const { api, headers, create, trigger } = await setUp({ enabled: null });
  const created = (await create()).r;
  expect(created).toMatchObject({ name: 'Nightly', task: 'Tidy up', enabled: true });
  expect((await api.send('GET', '/automation', { headers })).r).toEqual([created]);
  const elsewhere = { 'workspace-id': (await api.send('POST', '/workspace/Other')).body.id };
  expect((await api.send('GET', '/automation', { headers: elsewhere })).r).toEqual([]);
  expect((await api.send('DELETE', `/automation?id=${created.id}`, { headers: elsewhere })).status).toBe(404);
  expect((await api.send('DELETE', `/automation?id=${created.id}`, { headers })).body).toEqual({ r: true });
  expect((await api.send('DELETE', `/automation?id=${created.id}`, { headers })).status).toBe(404);
  expect((await api.send('GET', '/automation', { headers })).r).toEqual([]);
  expect((await trigger(created.id)).status).toBe(404);
  expect((await trigger(created.webhook_token)).status).toBe(404);
});

it('a webhook without a key runs the automation, which creates a task in its organisation', async () => {
  const { api, create, trigger, tasks } = await setUp();
  const { id, webhook_token } = (await create()).r;
  expect((await trigger(webhook_token, { city: 'Oslo' })).body).toEqual({ r: true });
  const [{ id: task }] = await tasks();
  const { request } = api.openOrganisation().tasks.get(task)!;
  expect(request.task).toBe('Tidy up\n\nPayload: {"city":"Oslo"}');
  expect((await api.send('GET', `/task/${task}`)).status).toBe(202);
  api.advance(60_000);
  expect((await api.send('GET', `/task/${task}`)).r).toMatchObject({ status: 'done' });

  expect((await trigger(id, undefined, 'other')).status).toBe(200);
  const [second] = await tasks();
  expect(api.openOrganisation().tasks.get(second.id)!.request.task).toBe('Tidy up');
  expect(await tasks()).toHaveLength(2);
  expect(await tasks('other')).toEqual([]);
});

it('a run can be read as a job by the id of its task, as long as the task exists', async () => {
  const { api, create, trigger, tasks } = await setUp();
  await trigger((await create()).r.id);
  const [{ id }] = await tasks();
  const read = async () => (await api.send('GET', `/job/${id}`, { key: null })).body;
  expect(await read()).toEqual({ r: { id, status: 'running' } });
  const other = (await api.send('POST', '/task', { json: { task: 'x' } })).r.id;
  expect((await api.send('GET', `/job/${other}`, { key: null })).status).toBe(404);
  api.advance(60_000);
  expect(await read()).toEqual({ r: { id, status: 'done' } });
  expect((await api.send('DELETE', `/task/${id}/data`)).status).toBe(200);
  expect((await api.send('GET', `/job/${id}`, { key: null })).status).toBe(404);
});

it('a job has no status if the dialect omits it', async () => {
  const api = createApi({ dialect: { 'job.ids': 'automation-runs-no-status' } });
  const headers = { 'workspace-id': (await api.send('POST', '/workspace/Work')).body.id };
  const { id } = (await api.send('POST', '/automation', { headers, json: { name: 'n', task: 't' } })).r;
  await api.send('POST', '/webhook', { key: null, json: { automation_id: id } });
  const [task] = (await api.send('GET', '/task')).r;
  expect((await api.send('GET', `/job/${task.id}`, { key: null })).body).toEqual({ r: true });
});

it('no job exists if the dialect has none', async () => {
  const api = createApi({ dialect: { 'job.ids': 'none-exist' } });
  api.openOrganisation();
  const headers = { 'workspace-id': (await api.send('POST', '/workspace/Work')).body.id };
  const { id } = (await api.send('POST', '/automation', { headers, json: { name: 'n', task: 't' } })).r;
  await api.send('POST', '/webhook', { key: null, json: { automation_id: id } });
  const [task] = (await api.send('GET', '/task')).r;
  expect((await api.send('GET', `/job/${task.id}`, { key: null })).status).toBe(404);
});

it('a disabled automation does not run', async () => {
  const { create, trigger, tasks } = await setUp({ enabled: false });
  const created = (await create()).r;
  expect(created.enabled).toBe(false);
  expect((await trigger(created.id)).status).toBe(400);
  expect(await tasks()).toEqual([]);
});

it('an organisation without credits runs no automation', async () => {
  const { api, create, trigger, tasks } = await setUp();
  const { id } = (await create()).r;
  api.openOrganisation().account.credits = 0;
  expect((await trigger(id)).status).toBe(429);
  expect(await tasks()).toEqual([]);
});

it('runs continue beyond the limit of jobs: the oldest job is removed', async () => {
  const api = createApi({ limits: { records: 2 } });
  const headers = { 'workspace-id': (await api.send('POST', '/workspace/Work')).body.id };
  const { id } = (await api.send('POST', '/automation', { headers, json: { name: 'n', task: 't' } })).r;
  for (let n = 0; n < 3; n++) {
    expect((await api.send('POST', '/webhook', { key: null, json: { automation_id: id } })).status).toBe(200);
  }
  const newestFirst = (await api.send('GET', '/task')).r.map((task: { id: string }) => task.id);
  const statuses = [];
  for (const task of newestFirst)
    statuses.push((await api.send('GET', `/job/${task}`, { key: null })).status);
  expect(statuses).toEqual([200, 200, 404]);
});
