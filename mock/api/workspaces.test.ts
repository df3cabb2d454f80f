import { describe, expect, it } from 'vitest';
import { type Api, createApi } from '../../test/support/mock/api.js';

async function createWorkspace(api: Api, name = 'Work'): Promise<{ 'workspace-id': string }> {
  return { 'workspace-id': (await api.send('POST', `/workspace/${name}`)).body.id };
}

describe('workspaces', () => {
  it('are created by name and read by header', async () => {
    const api = createApi();
    const created = (await api.send('POST', '/workspace/Caf%C3%A9?shared=true')).body;
    expect(created).toMatchObject({ name: 'Café', shared: true, apps: [] });
    const headers = { 'workspace-id': created.id };
    expect((await api.send('GET', '/workspace', { headers })).body).toEqual(created);
    expect((await api.send('GET', '/workspace', { headers, key: 'other' })).status).toBe(404);
    expect((await api.send('GET', '/workspace', { headers: { 'workspace-id': 'none' } })).status).toBe(404);
    expect((await api.send('GET', '/workspace')).status).toBe(422);
    const second = (await api.send('POST', '/workspace/Caf%C3%A9')).body;
    expect(second).toMatchObject({ name: 'Café', shared: false });
    expect(second.id).not.toBe(created.id);
  });

  it.each([
    ['GET', '/chat'],
    ['GET', '/chat/id?t=1'],
    ['POST', '/chat/id?t=1&title=x'],
    ['DELETE', '/chat/id?t=1'],
    ['GET', '/sop'],
    ['DELETE', '/sop?t=1'],
    ['GET', '/automation'],
    ['DELETE', '/automation?id=1'],
    ['POST', '/sop', { title: 'a', content: 'b' }],
    ['POST', '/automation', { name: 'a', task: 'b' }],
    ['POST', '/task/zero', { task: 'b' }],
    ['POST', '/workspace/app/mail', {}],
    ['POST', '/attachment?t=1', {}],
  ])('%s %s requires an existing workspace', async (method, path, json?: object) => {
    const api = createApi();
    const headers = { 'workspace-id': 'none', 'attachment-id': 'none' };
    const { status, body } = await api.send(method, path, { headers, json });
    expect(status).toBe(404);
    expect(body.detail).toContain('workspace "none"');
    expect((await api.send(method, path, { json })).status).toBe(422);
    expect(api.openOrganisation().tasks.size).toBe(0);
  });
});

describe('apps', () => {
  it('are the same for every organisation, and shown in the workspace once connected', async () => {
    const api = createApi();
    const { apps } = (await api.send('GET', '/app')).body;
    expect(apps.length).toBeGreaterThan(1);
    const headers = await createWorkspace(api);
    const elsewhere = await createWorkspace(api, 'Other');
    const { name } = apps[0];
    const connect = () => api.send('POST', `/workspace/app/${name}`, { headers, json: { config: { a: 1 } } });
    const connection = { app: name, connected: true, url: null };
    expect((await connect()).body).toEqual({ task_id: null, response: connection });
    expect((await connect()).status).toBe(200);
    expect((await api.send('GET', '/workspace', { headers })).body.apps).toEqual([connection]);
    expect((await api.send('GET', '/workspace', { headers: elsewhere })).body.apps).toEqual([]);
  });

  it('that do not exist cannot be connected', async () => {
    const api = createApi();
    const headers = await createWorkspace(api);
    expect((await api.send('POST', '/workspace/app/toString', { headers, json: {} })).status).toBe(404);
    expect((await api.send('POST', '/workspace/app/mail', { headers, json: { protocol: 3 } })).status).toBe(
      422,
    );
    expect((await api.send('GET', '/workspace', { headers })).body.apps).toEqual([]);
  });
});

describe('SOPs', () => {
  it('are created with t=0, listed, changed with their t, and removed by deletion', async () => {
    const api = createApi();
    const headers = await createWorkspace(api);
    const save = async (title: string, t?: number) =>
      api.send('POST', t === undefined ? '/sop' : `/sop?t=${t}`, {
        headers,
        json: { title, content: `${title}!` },
      });
    const [first] = (await save('one')).body.sops;
    const saved = (await save('two', 0)).body;
    const [, second] = saved.sops;
    expect(second.t).toBeGreaterThan(first.t);
    expect(saved).toEqual({ sops: [first, second] });
    expect((await api.send('GET', '/sop', { headers })).body).toEqual(saved);

    expect((await save('uno', first.t)).body).toEqual({
      sops: [{ t: first.t, title: 'uno', content: 'uno!' }, second],
    });
    expect((await api.send('GET', '/sop', { headers })).body.sops[0].title).toBe('uno');
    expect((await save('x', first.t - 1)).status).toBe(404);
    expect((await save('x', -1)).status).toBe(404);

    const elsewhere = await createWorkspace(api, 'Other');
    expect((await api.send('GET', '/sop', { headers: elsewhere })).body.sops).toEqual([]);
    expect((await api.send('DELETE', `/sop?t=${first.t}`, { headers: elsewhere })).status).toBe(404);
    expect((await api.send('DELETE', `/sop?t=${first.t}`, { headers })).body).toEqual({ r: true });
    expect((await api.send('DELETE', `/sop?t=${first.t}`, { headers })).status).toBe(404);
    expect((await save('x', first.t)).status).toBe(404);
    expect((await api.send('GET', '/sop', { headers })).body.sops).toEqual([second]);
  });

  it('never reuse a t, not even after deletion', async () => {
    const api = createApi();
    const headers = await createWorkspace(api);
    const make = async () =>
      (await api.send('POST', '/sop', { headers, json: { title: 'a', content: '' } })).body.sops[0].t;
    const t = await make();
    await api.send('DELETE', `/sop?t=${t}`, { headers });
    expect(await make()).not.toBe(t);
  });
});
