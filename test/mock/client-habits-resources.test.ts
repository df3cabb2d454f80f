import { expect, it } from 'vitest';
import { createForm, EMPTY_ZIP } from '../support/mock/api.js';
import { PointClient } from '../support/open-points/client.js';

/** What public clients rely on beside tasks, held against the mock without any choices. */

it('a profile: an id of its own on request, null for what is not known, 409 for one that exists, 403 on a free plan', async () => {
  const client = new PointClient();
  const { r } = await client.send('POST', '/profile', { id: null });
  expect(r).toMatchObject({ id: expect.stringMatching(/./), last_saved_at: null });
  expect(await client.sendForStatus('POST', '/profile', { id: r.id })).toBe(409);
  expect((await client.send('GET', '/browser/profile')).r).toEqual({ profile_ids: [r.id] });
  expect(await client.sendForStatus('POST', '/profile', { id: null }, { key: 'free-1' })).toBe(403);
});

it('an extension: a ZIP in the part file, listed by name and time', async () => {
  const client = new PointClient();
  const upload = (path: string, bytes: Uint8Array<ArrayBuffer>) =>
    client.send('POST', path, undefined, { form: createForm({ file: new File([bytes], 'blocker.zip') }) });
  for (const path of ['/extension', '/browser/extension'])
    expect((await upload(path, Uint8Array.of(1, 2, 3, 4))).status).toBe(400);
  const { r } = await upload('/extension', EMPTY_ZIP);
  expect(r).toEqual({ id: expect.any(String), file_name: 'blocker.zip', creation_time: expect.any(Number) });
  expect((await client.send('GET', '/extension')).r).toEqual([r]);
  expect((await client.send('GET', '/browser/extension')).r).toEqual({ extensions: [r] });
});

it('a file: may have a purpose of up to 64 characters, and is kept for a day', async () => {
  const client = new PointClient();
  const upload = (file_purpose: string) =>
    client.send('POST', '/file', undefined, { form: createForm({ file: EMPTY_ZIP, file_purpose }) });
  expect((await upload('x'.repeat(65))).status).toBe(422);
  const { id } = (await upload('x'.repeat(64))).r;
  const use = () => client.sendForStatus('POST', '/task', { task: 'x', files: [id] });
  await client.advance(24 * 3600 * 1000 - 1);
  expect(await use()).toBe(200);
  await client.advance(1);
  expect(await use()).toBe(404);
});

it('a browser for a person: live_id is what closes it', async () => {
  const client = new PointClient();
  const asked = {
    profile_id: null,
    live_view: true,
    device: null,
    url: null,
    proxy_server: null,
    extensions: null,
  };
  const { r } = await client.send('POST', '/browser/session', asked);
  expect(r).toEqual({
    profile_id: expect.any(String),
    live_id: expect.any(String),
    live_url: expect.any(String),
  });
  expect((await client.mock.fetch(r.live_url)).status).toBe(200);
  expect((await client.send('DELETE', `/browser/session/${r.live_id}`)).body).toEqual({ r: true });
});

it('telemetry: up to ten events, as clients write them', async () => {
  const client = new PointClient();
  const event = {
    event: 'task_started',
    timestamp: '2026-01-01T00:00:00.000Z',
    properties: { sdk: 'x', n: 1 },
  };
  const batch = (count: number) =>
    client.sendForStatus('POST', '/telemetry', { events: Array(count).fill(event) });
  expect([await batch(1), await batch(10), await batch(11)]).toEqual([200, 200, 422]);
});

it('the list of tasks goes back in time with t', async () => {
  const client = new PointClient();
  const ids = [];
  for (let n = 0; n < 3; n++) {
    ids.unshift(await client.createTask());
    await client.advance(1000);
  }
  const listed: string[] = [];
  for (let t = ''; ; ) {
    const page = (await client.send('GET', `/task?l=1${t}`)).r;
    if (page.length === 0) break;
    listed.push(page[0].id);
    t = `&t=${page[0].created_at}`;
  }
  expect(listed).toEqual(ids);
});

it('input that does not fit: a list of where, what and which kind', async () => {
  const { status, body } = await new PointClient().send('POST', '/task', { task: 5 });
  expect(status).toBe(422);
  expect(body.detail).toEqual([
    { loc: ['body', 'task'], msg: expect.stringMatching(/./), type: expect.stringMatching(/./) },
  ]);
});
