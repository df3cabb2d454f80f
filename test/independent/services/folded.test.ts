import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createService, type FoldedSettings, faults, variations } from './folded.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Loose = any;

interface Asked {
  status: number;
  body: Loose;
}

function openClient(settings: Partial<FoldedSettings> = {}) {
  let time = 1_700_000_000_000;
  const service = createService({ now: () => time, ...settings });
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Asked> => {
    const form = body instanceof FormData;
    const response = await service.fetch(
      new Request(`http://service.test/api/v1${path}`, {
        method,
        headers: { apikey: 'main-key', ...headers },
        ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  const create = async (fields: object) =>
    (await send('POST', '/task', { device: 'desktop', ...fields })).body.r;
  const poll = (id: string, query = '') => send('GET', `/task/${encodeURIComponent(id)}${query}`);
  const act = (id: string, event: object) =>
    send('POST', `/task/${encodeURIComponent(id)}/event`, { timestamp: time, ...event });
  return { send, create, poll, act, pass: (ms: number) => (time += ms), now: () => time };
}

const lookup = {
  name: 'lookup',
  description: 'Looks something up.',
  inputs: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  output: 'A text.',
};
const start = 'https://example.org/';
const evaluate = (id: string, js: string) => ({
  name: 'browser_action',
  id,
  payload: { name: 'evaluate_js', input: { js } },
});
const close = { name: 'session_action', id: 'close', payload: { name: 'close' } };

describe('the good form', () => {
  test('a task runs and ends with output that fits the response_model', async () => {
    const client = openClient();
    const model = { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] };
    const made = await client.create({ task: 'Count.', response_model: model });
    expect(made).toMatchObject({ status: 'running', live_url: expect.stringContaining('https://') });
    expect(await client.poll(made.id)).toMatchObject({
      status: 202,
      body: { r: { output: null, events: [] } },
    });
    client.pass(2100);
    expect(await client.poll(made.id)).toMatchObject({
      status: 200,
      body: { r: { status: 'done', output: { n: 3 }, credits_used: 2, recording_url: expect.any(String) } },
    });
    expect((await client.send('DELETE', `/task/${encodeURIComponent(made.id)}`)).status).toBe(400);
  });

  test('a tool call is answered, retried after an error, and told in the output', async () => {
    const client = openClient();
    const { id } = await client.create({ task: 'Look.', custom_tools: [lookup] });
    client.pass(1000);
    const first = (await client.poll(id)).body.r.events[0];
    expect(first).toMatchObject({ name: 'tool_call', payload: { name: 'lookup', input: { word: 'found' } } });
    expect(
      (await client.act(id, { name: 'tool_call', id: first.id, payload: { code: 201, output: 1 } })).status,
    ).toBe(422);
    await client.act(id, { name: 'tool_call', id: first.id, payload: { code: 500, output: 'away' } });
    client.pass(700);
    const second = (await client.poll(id, `?event_t=${first.timestamp}`)).body.r.events;
    expect(second).toHaveLength(1);
    expect(second[0].id).not.toBe(first.id);
    const reply = { name: 'tool_call', id: second[0].id, payload: { code: 200, output: null } };
    expect((await client.act(id, reply)).body.r.id).toBe(second[0].id);
    client.pass(700);
    expect((await client.poll(id)).body.r).toMatchObject({
      status: 'done',
      output: expect.stringContaining('200: null'),
    });
  });

  test('three actions at work each have their result, and close ends the session', async () => {
    const client = openClient();
    const { id } = await client.create({ task: null, url: start });
    const scripts = { a: '1 + 2 * 3', b: 'throw new Error("no")', c: '[location.href, "x".length === 1]' };
    for (const [name, js] of Object.entries(scripts)) {
      expect((await client.act(id, evaluate(name, js))).body.r.id).toBe(name);
    }
    expect((await client.act(id, evaluate('a', '1'))).status).toBe(400);
    await client.act(id, close);
    client.pass(2000);
    const { status, body } = await client.poll(id);
    expect([status, body.r.status]).toEqual([200, 'done']);
    const results = Object.fromEntries(body.r.events.map((one: Loose) => [one.id, one.payload]));
    expect(results).toEqual({
      a: { code: 200, output: 7 },
      b: { code: 500, output: 'Error: no' },
      c: { code: 200, output: [start, true] },
      close: { code: 200, output: null },
    });
    expect((await client.act(id, evaluate('late', '1'))).status).toBe(400);
  });

  test('unknown ids, foreign ids and unknown keys are refused', async () => {
    const client = openClient();
    const { id } = await client.create({ task: 'Mine.' });
    const path = `/task/${encodeURIComponent(id)}`;
    expect((await client.poll('nothing')).status).toBe(404);
    expect((await client.send('GET', path, undefined, { apikey: 'other-key' })).status).toBe(404);
    expect((await client.send('GET', path, undefined, { apikey: 'lost' })).status).toBe(401);
    const task = { task: 'Any.', device: 'desktop' };
    expect((await client.send('POST', '/task', task, { apikey: 'exhausted-key' })).status).toBe(429);
    expect((await client.send('GET', '/task?l=129')).status).toBe(422);
    await client.send('DELETE', path);
    expect((await client.poll(id)).body.r.status).toBe('cancelled');
    expect((await client.send('DELETE', `${path}/data`)).body).toEqual({ r: true });
    expect((await client.poll(id)).status).toBe(404);
  });

  test('files, chats and automations are kept', async () => {
    const client = openClient();
    const form = new FormData();
    form.set('file', new File(['abc'], 'a.txt'));
    const file = (await client.send('POST', '/file', form)).body.r;
    expect((await client.create({ task: 'Read.', files: [file.id] })).status).toBe('running');
    const workspace = (await client.send('POST', '/workspace/Desk%2F1')).body;
    expect(workspace).toMatchObject({ name: 'Desk/1', shared: false });
    const headers = { 'workspace-id': workspace.id };
    const chat = (await client.send('POST', '/task/zero', { task: 'Hello.' }, headers)).body;
    const { id, t } = chat.messages[1];
    const query = `id=${encodeURIComponent(id)}&t=${t}&status=approved`;
    const answered = await client.send('PUT', `/request/id?${query}`, undefined, { 'chat-id': chat.id });
    expect(answered.body.messages[1].status).toBe('approved');
    const automation = (await client.send('POST', '/automation', {}, headers)).body.r;
    expect((await client.send('POST', '/webhook', { id: automation.id }, { apikey: '' })).status).toBe(204);
    expect((await client.send('GET', '/automation', undefined, headers)).body.r[0].runs).toBe(1);
  });
});

describe('variations and faults', () => {
  const folder = new URL('./folded/', import.meta.url);
  const sources = [
    ...readdirSync(folder)
      .filter((name) => name !== 'choices.ts')
      .map((name) => new URL(name, folder)),
    new URL('./folded.ts', import.meta.url),
  ].map((file) => readFileSync(file, 'utf8'));
  const source = sources.join('\n');

  test('every name is used in the source, and no other', () => {
    const used = (form: RegExp) =>
      [...new Set([...source.matchAll(form)].map((match) => match[1]))].toSorted();
    expect(used(/\bfault\('([^']+)'\)/g)).toEqual(Object.keys(faults).toSorted());
    expect(used(/\bvaries\('([^']+)'\)/g)).toEqual(Object.keys(variations).toSorted());
    expect(() => createService({ now: () => 0, fault: 'none' })).toThrow(RangeError);
  });

  test.each(Object.keys(variations))('the variation %s still runs a session', async (variation) => {
    const client = openClient({ variation });
    const { id } = await client.create({ task: null, url: start });
    await client.act(id, evaluate('a', '2'));
    client.pass(1000);
    expect((await client.poll(id, '?event_t=0')).body.r.events[0]).toMatchObject({
      id: 'a',
      payload: { output: 2 },
    });
  });
});
