import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../spec/generated/operations.js';
import { endAll, startMock } from '../test/support/cli/command.js';
import { type Prism, startPrism } from '../test/support/cli/prism.js';
import {
  createEmptyZip,
  createForm,
  createTextFile,
  PrismClient,
  toUpstreamUrl,
} from '../test/support/cli/prism-client.js';

/**
 * Prism, which knows nothing of this project but spec/openapi.yaml, stands between the client and the started command
 * and refuses what does not fit: in requests and in responses.
 */
const starter = fileURLToPath(new URL('../fixtures/organisations/starter.yaml', import.meta.url));
let prism: Prism;
let witness: PrismClient;

beforeAll(async () => {
  const { base_url } = await startMock('--clock', 'skipping', '--quiet', '--fixtures', starter);
  prism = await startPrism(toUpstreamUrl(base_url));
  witness = new PrismClient(prism.url);
});

afterAll(async () => {
  await prism?.stop();
  await endAll();
});

interface TaskEvent {
  id: string;
  name: string;
  payload: { code?: number; name?: string; input?: unknown; output?: unknown };
  timestamp: number;
}

/** Polls from the beginning until an event fits. A poll takes the skipping clock to the next thing that happens. */
async function eventOf(task: string, fits: (event: TaskEvent) => boolean): Promise<TaskEvent> {
  for (let polls = 0; polls < 30; polls++) {
    const { r } = await witness.send('GET', `/task/${task}?event_t=0`, { status: 202 });
    const found = (r.events as TaskEvent[]).find(fits);
    if (found) return found;
  }
  throw new Error('30 polls, and no such event');
}

async function endOf(task: string) {
  for (let polls = 0; polls < 30; polls++) {
    const { status, violation } = await witness.request('GET', `/task/${task}?event_t=0&downloads=true`);
    expect(violation).toBeUndefined();
    if (status === 200) return (await witness.send('GET', `/task/${task}`)).r;
  }
  throw new Error('30 polls, and no end');
}

const inputs = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { name: 'get_weather', description: 'The weather', inputs, output: 'Degrees' };

describe('tasks', () => {
  it('one task, polled at 202 and at 200', async () => {
    const response_model = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
    const json = { task: 'Find the price', response_model, device: 'desktop', metadata: { run: 1 } };
    const { r } = await witness.send('POST', '/task', { json });
    await witness.send('GET', `/task/${r.id}`, { status: 202 });
    expect(await endOf(r.id)).toMatchObject({ status: 'done', output: { price: expect.any(Number) } });
    await witness.send('GET', `/task/${r.id}/visibility`);
    await witness.send('POST', `/task/${r.id}/visibility?visibility=true`);
    expect((await witness.send('GET', '/task?l=5')).r).toHaveLength(1);
    await witness.send('DELETE', `/task/${r.id}/data`);
    await witness.send('GET', `/task/${r.id}`, { status: 404 });
  });

  it('tool calls: refused, corrected, replied to; and the deprecated way to reply', async () => {
    const { r } = await witness.send('POST', '/task', {
      json: { task: 'Weather?', custom_tools: [weather] },
    });
    const first = await eventOf(r.id, ({ name }) => name === 'tool_call');
    const refusal = { code: 400, output: 'city must not be empty' };
    const reply = { name: 'tool_call', id: first.id, payload: refusal, timestamp: 1 };
    await witness.send('POST', `/task/${r.id}/event`, { json: reply });
    const second = await eventOf(r.id, ({ name, id }) => name === 'tool_call' && id !== first.id);
    expect((await witness.send('GET', `/tool/get_weather/${second.id}`)).status).toBe('pending');
    const tool_response = { id: second.id, code: 200, output: '{"temp_c":21}' };
    await witness.send('PUT', `/task/${r.id}`, { json: { tool_response } });
    expect(await witness.send('GET', `/tool/get_weather/${second.id}`)).toMatchObject({
      output: { temp_c: 21 },
    });
    expect((await endOf(r.id)).status).toBe('done');
  });

  it('a session: goto, extract, evaluate_js, run_task, close', async () => {
    const { r } = await witness.send('POST', '/task', { json: { task: null, url: 'https://example.com' } });
    const actions = [
      { name: 'browser_action', payload: { name: 'goto', input: { url: 'https://example.com' } } },
      { name: 'browser_action', payload: { name: 'extract', input: { schema: inputs, prompt: null } } },
      {
        name: 'browser_action',
        payload: { name: 'evaluate_js', input: { js: 'document.title', args: null } },
      },
      { name: 'session_action', payload: { name: 'run_task', input: { task: 'Read it', max_steps: 4 } } },
      { name: 'session_action', payload: { name: 'close' } },
    ];
    for (const [index, action] of actions.entries()) {
      const json = { ...action, id: `action-${index}`, timestamp: 1_700_000_000_000 };
      expect((await witness.send('POST', `/task/${r.id}/event`, { json })).r.id).toBe(json.id);
      const result = await eventOf(r.id, ({ id }) => id === json.id);
      expect(result).toMatchObject({ name: action.name, payload: { code: 200 } });
    }
    expect((await endOf(r.id)).status).toBe('done');
  });

  it('a task that is stopped', async () => {
    const { r } = await witness.send('POST', '/task', { json: { task: 'Wait' } });
    await witness.send('DELETE', `/task/${r.id}`);
    expect((await endOf(r.id)).status).toBe('cancelled');
  });
});

describe('resources, from creation to deletion', () => {
  it('organisation, credits and plan', async () => {
    await witness.send('POST', '/org/user?email=ann%40example.com');
    await witness.send('POST', '/org?name=Tea%20house');
    expect((await witness.send('GET', '/org')).r.name).toBe('Tea house');
    const { credits } = (await witness.send('GET', '/usage')).r;
    await witness.send('POST', '/topup?amount=10');
    expect((await witness.send('GET', '/usage')).r.credits).toBe(credits + 10);
    await witness.send('GET', '/org/billing');
    await witness.send('POST', '/topup/auto?active=true&amount=5&threshold=1');
    await witness.send('GET', '/topup/auto');
    await witness.send('POST', '/plan?plan=starter');
    await witness.send('POST', '/plan?plan=growth&group=one');
  });

  it('profiles, proxies, extensions, files', async () => {
    await witness.send('POST', '/profile', { json: { id: 'shop' } });
    await witness.send('POST', '/profile', { json: { id: null } });
    expect((await witness.send('GET', '/profile')).r).toHaveLength(3);
    expect((await witness.send('GET', '/browser/profile')).r.profile_ids).toContain('shop');
    await witness.send('DELETE', '/profile/shop');
    const [proxy] = (await witness.send('GET', '/proxy')).r;
    await witness.send('PATCH', `/proxy/${proxy.id}?auto_renew=false`);
    for (const path of ['/extension', '/browser/extension']) {
      const { r } = await witness.send('POST', path, {
        form: createForm({ file: [createEmptyZip('a.zip')] }),
      });
      await witness.send('GET', path);
      await witness.send('DELETE', `${path}/${r.id}`);
    }
    const form = createForm({ file: [createTextFile('list.txt', 'tea & milk')], file_purpose: 'shopping' });
    const { r } = await witness.send('POST', '/file', { form });
    const { id } = (await witness.send('POST', '/task', { json: { task: 'Buy', files: [r.id] } })).r;
    await witness.send('GET', `/task/${id}`, { status: 202 });
    await witness.send('DELETE', `/file/${r.id}`);
  });

  it('deprecated browser sessions', async () => {
    const json = { profile_id: 'by-hand', device: 'mobile', url: null };
    const { r } = await witness.send('POST', '/browser/session', { json });
    await witness.send('DELETE', `/browser/session/${r.live_id}`);
    await witness.send('DELETE', '/browser/profile/by-hand');
  });

  it('workspaces, chats, messages, requests, attachments', async () => {
    const { id } = await witness.send('POST', '/workspace/home?shared=true');
    const headers = { 'workspace-id': id };
    await witness.send('GET', '/workspace', { headers });
    const chat = await witness.send('POST', '/task/zero', { headers, json: { task: 'Plan a trip' } });
    const one = createForm({ message: 'See this', files: [createTextFile('a.txt', 'one, two')] });
    await witness.send('POST', `/chat/message?t=${chat.t}`, { headers, form: one });
    const two = createForm({
      message: 'And these',
      files: [createTextFile('b.txt', 'b?'), createTextFile('c.txt', 'c!')],
    });
    const said = await witness.send('POST', `/chat/message?t=${chat.t}`, { headers, form: two });
    await witness.send('POST', '/chat/message', { headers, form: createForm({ message: 'Without files' }) });
    expect((await witness.send('GET', '/chat?limit=10', { headers })).chats).toHaveLength(2);
    await witness.send('POST', `/chat/id?t=${chat.t}&title=Trip`, { headers });
    expect((await witness.send('GET', `/chat/id?t=${chat.t}`, { headers })).title).toBe('Trip');
    const inChat = { 'chat-id': chat.id };
    const { messages } = await witness.send('GET', '/chat/message', { headers: inChat });
    const [request] = messages[1].requests;
    const query = `id=${request.id}&t=${request.t}&status=approved`;
    await witness.send('PUT', `/request/id?${query}`, { headers: inChat });
    await witness.send('GET', `/tool/${request.tool}/${request.id}`);
    const sent = said.messages.flatMap((message: { attachments: object[] }) => message.attachments);
    expect(sent).toHaveLength(3);
    const ofAttachment = { ...headers, 'attachment-id': sent[0].id };
    const change = { name: 'renamed.txt', content: null };
    await witness.send('POST', `/attachment?t=${sent[0].t}`, { headers: ofAttachment, json: change });
    expect((await witness.send('GET', '/attachment', { headers: ofAttachment })).r.name).toBe('renamed.txt');
    await witness.send('DELETE', `/chat/id?t=${chat.t}`, { headers });
  });

  it('apps, SOPs, automations, webhook, jobs, telemetry', async () => {
    const headers = { 'workspace-id': (await witness.send('POST', '/workspace/work')).id };
    const [app] = (await witness.send('GET', '/app')).apps;
    await witness.send('POST', `/workspace/app/${app.name}`, { headers, json: { config: { a: 1 } } });
    await witness.send('POST', '/sop', { headers, json: { title: 'Tea', content: 'Boil water' } });
    const [sop] = (await witness.send('GET', '/sop', { headers })).sops;
    await witness.send('POST', `/sop?t=${sop.t}`, { headers, json: { title: 'Tea', content: 'Boil it' } });
    await witness.send('DELETE', `/sop?t=${sop.t}`, { headers });
    const json = { name: 'Nightly', task: 'Check the stock' };
    const automation = (await witness.send('POST', '/automation', { headers, json })).r;
    expect((await witness.send('GET', '/automation', { headers })).r).toHaveLength(1);
    await witness.send('POST', '/webhook', {
      json: { automation_id: automation.webhook_token, payload: [1] },
    });
    const [job] = (await witness.send('GET', '/task?l=1')).r;
    await witness.send('GET', `/job/${job.id}`);
    await witness.send('DELETE', `/automation?id=${automation.id}`, { headers });
    const events = [{ event: 'started', timestamp: '2026-01-01T00:00:00Z', properties: { version: '1' } }];
    await witness.send('POST', '/telemetry', { json: { events } });
  });
});

describe('errors', () => {
  it.each([
    [401, 'GET', '/usage', { key: 'invalid-key' }],
    [403, 'POST', '/profile', { key: 'free-key', json: { id: null } }],
    [404, 'GET', '/task/none', {}],
    [404, 'GET', '/attachment', { headers: { 'attachment-id': 'none' } }],
    [429, 'POST', '/task', { key: 'exhausted-key', json: { task: 'x' } }],
    [400, 'POST', '/topup?amount=0', {}],
    [422, 'POST', '/task', { json: { task: 'x', response_model: { type: 'nonsense' } } }],
  ])('%d for %s %s', async (status, method, path, sent) => {
    const body = await witness.send(method, path, { ...sent, status });
    expect(Object.keys(body)).toEqual(['detail']);
  });

  it('409 for a profile that is there', async () => {
    await witness.send('POST', '/profile', { json: { id: 'twice' } });
    await witness.send('POST', '/profile', { json: { id: 'twice' }, status: 409 });
  });

  it('429 at the rate limit', async () => {
    for (let i = 0; i < 3; i++) await witness.send('GET', '/usage', { key: 'limited-key' });
    const { status, violation } = await witness.request('GET', '/usage', { key: 'limited-key' });
    expect({ status, violation }).toEqual({ status: 429, violation: undefined });
  });
});

it('has seen every operation succeed', () => {
  const ids = Object.values(operations).flatMap(({ id, successStatuses }) =>
    successStatuses.map((one) => `${id} ${one}`),
  );
  expect(ids.length).toBeGreaterThan(59);
  const seen = [...witness.seen].flatMap(([id, statuses]) => [...statuses].map((one) => `${id} ${one}`));
  expect(ids.filter((id) => !seen.includes(id))).toEqual([]);
});

describe('the check itself', () => {
  it('catches a request that does not fit', async () => {
    const { status, violation } = await witness.request('POST', '/task', { json: { max_steps: 'many' } });
    expect(status).toBe(422);
    expect(violation).toMatch(/max_steps must be/);
  });

  it('catches a response that does not fit', async () => {
    // No `status` in the task.
    const liar = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ r: { id: 'one' } }));
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    const { port } = liar.address() as AddressInfo;
    const before = await startPrism(toUpstreamUrl(`http://127.0.0.1:${port}`));
    try {
      const { violation } = await new PrismClient(before.url).request('POST', '/task', {
        json: { task: 'x' },
      });
      expect(violation).toMatch(/required property 'status'/);
    } finally {
      await before.stop();
      liar.closeAllConnections();
      liar.close();
    }
  });
});
