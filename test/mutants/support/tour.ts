import { createMock } from '../../../index.js';
import { API_PREFIX } from '../../../spec/vocabulary.js';
import { FIXTURES } from '../fixtures.js';
import type { Mutant } from '../mutant.js';
import { isRec } from '../operators/told.js';

const BASE = 'http://mock.test';
const TOOL = {
  name: 'get_weather',
  description: 'Tells the weather.',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'The weather.',
};
const ZIP = Uint8Array.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)]);

interface Request {
  json?: unknown;
  text?: string;
  form?: FormData;
  key?: string | null;
  headers?: Record<string, string>;
}

/** Ends a conversation that has shown what it was held for. */
class Enough extends Error {}

/**
 * A short conversation with the mock that touches every operation; what was answered, line by line. The same each time,
 * unless something stands between. Ends with the first line that is not as in `expected`, if that is given.
 */
export async function tour(mutant?: Pick<Mutant, 'wrap'>, expected?: readonly string[]): Promise<string[]> {
  const mock = createMock({ clock: 'manual', fixtures: FIXTURES });
  const core = (address: string, init?: RequestInit) => mock.fetch(address, init);
  const now = () => mock.clock.now('one');
  const fetch = mutant ? mutant.wrap(core, { now }) : core;
  const lines: string[] = [];

  async function send(method: string, path: string, request: Request = {}): Promise<Record<string, unknown>> {
    const { json, text, form, key = 'one', headers = {} } = request;
    const sent: Record<string, string> = { ...headers };
    if (key !== null && sent.cookie === undefined) sent.apikey = key;
    if (json !== undefined || text !== undefined) sent['content-type'] = 'application/json';
    const init: RequestInit = { method, headers: sent };
    if (json !== undefined || text !== undefined) init.body = text ?? JSON.stringify(json);
    if (form) init.body = form;
    const answer = await fetch(BASE + API_PREFIX + path, init);
    const body = await answer.text();
    const line = `${method} ${path} ${answer.status} ${answer.headers.get('content-type')} ${body}`;
    lines.push(line);
    if (expected && expected[lines.length - 1] !== line) throw new Enough();
    const parsed = parse(body);
    const record = isRec(parsed) ? (parsed.r ?? parsed) : parsed;
    return isRec(record) ? record : { list: record };
  }

  const made = { send, mock };
  try {
    await all(made);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  } finally {
    await mock.close();
  }
  return lines;
}

async function all(made: Tour): Promise<void> {
  await account(made);
  await oneShots(made);
  await tools(made);
  await session(made);
  await otherResources(made);
  await workspaces(made);
  await refusals(made);
  await strangers(made);
}

interface Tour {
  send(method: string, path: string, request?: Request): Promise<Record<string, unknown>>;
  mock: ReturnType<typeof createMock>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function account({ send }: Tour): Promise<void> {
  for (const path of ['/org', '/usage', '/org/billing', '/topup/auto', '/proxy', '/app'])
    await send('GET', path);
  await send('POST', '/org/user?email=a%40example.com');
  await send('POST', '/org?name=New');
  await send('GET', '/org');
  await send('POST', '/topup?amount=5');
  await send('POST', '/topup?amount=x');
  await send('POST', '/topup/auto?active=true&amount=1&threshold=1');
  await send('POST', '/topup/auto?active=false');
  await send('GET', '/topup/auto');
  await send('POST', '/plan?plan=growth&group=zero');
  await send('POST', '/plan?plan=growth');
  const proxies = await send('GET', '/proxy');
  const first = Array.isArray(proxies.list) ? proxies.list[0] : undefined;
  const id = isRec(first) ? first.id : 'none';
  await send('PATCH', `/proxy/${id}?auto_renew=false`);
  await send('GET', '/proxy');
  await send('PATCH', `/proxy/${id}`);
  for (const path of ['/org', '/org/user', '/topup', '/topup/auto', '/plan']) await send('POST', path);
  for (const path of ['/usage', '/task', '/profile', '/proxy', '/app'])
    await send('GET', path, { headers: { cookie: 'apikey=one' } });
}

async function poll({ send, mock }: Tour, id: unknown, times: number): Promise<Record<string, unknown>> {
  let since = 0;
  let task: Record<string, unknown> = {};
  for (let i = 0; i < times; i++) {
    task = await send('GET', `/task/${id}?event_t=${since}`);
    for (const event of events(task)) since = Math.max(since, Number(event.timestamp) || 0);
    await mock.clock.advance(700);
  }
  return task;
}

function events(task: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(task.events) ? task.events.filter(isRec) : [];
}

async function oneShots(made: Tour): Promise<void> {
  const { send } = made;
  const model = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const full = { url: 'https://example.com', device: 'desktop', files: [], response_model: model };
  const { id } = await send('POST', '/task', { json: { task: 'Say hello.', ...full } });
  await poll(made, id, 5);
  await send('GET', `/task/${id}`);
  await send('GET', `/task/${id}?downloads=true`);
  await send('GET', `/task/${id}/visibility`);
  await send('POST', `/task/${id}/visibility?visibility=true`);
  await send('GET', `/task/${id}/visibility`);
  await send('POST', `/task/${id}/visibility`);
  await send('PUT', `/task/${id}`, { json: {} });
  const helped = await send('POST', '/task', {
    json: { task: 'Look up the weather.', custom_tools: [TOOL] },
  });
  await made.mock.clock.advance(1000);
  const call = events(await send('GET', `/task/${helped.id}`))[0];
  const tool_response = { id: call?.id, code: 200, output: '{}' };
  await send('PUT', `/task/${helped.id}`, { json: { tool_response } });
  await send('DELETE', `/task/${id}/data`);
  await send('GET', `/task/${id}`);
  await send('POST', '/task', { json: { task: 'Say goodbye.' }, headers: { cookie: 'apikey=one' } });
  const stopped = await send('POST', '/task', { json: { task: 'Take your time.' } });
  await send('POST', '/task', { json: { task: 'Meanwhile.' } });
  await send('DELETE', `/task/${stopped.id}`);
  await poll(made, stopped.id, 3);
  await send('GET', `/task/${stopped.id}`, { headers: { cookie: 'apikey=one' } });
  const plain = await send('POST', '/task', { json: { task: 'Say hello.' } });
  await poll(made, plain.id, 4);
  await send('GET', '/task?l=1');
  await send('GET', '/task?l=128');
  for (let i = 0; i < 34; i++) await send('POST', '/task', { json: { task: 'One of many.' } });
  await send('GET', '/task');
  await send('GET', '/task?l=40');
}

async function tools(made: Tour): Promise<void> {
  const { send, mock } = made;
  for (const code of [400, 500, 200]) {
    for (const output of ['no city', { temp_c: 21 }, [1], 1, true, null]) {
      const { id } = await send('POST', '/task', {
        json: { task: 'Look up the weather.', custom_tools: [TOOL] },
      });
      await mock.clock.advance(1000);
      let since = 0;
      for (let i = 0; i < 3; i++) {
        const task = await send('GET', `/task/${id}?event_t=${since}`);
        for (const event of events(task)) {
          since = Math.max(since, Number(event.timestamp) || 0);
          const reply = {
            name: 'tool_call',
            id: event.id,
            timestamp: 1,
            payload: { code: i ? 200 : code, output },
          };
          await send('POST', `/task/${id}/event`, { json: reply });
        }
        await mock.clock.advance(1000);
      }
      await send('GET', `/task/${id}`);
    }
  }
  for (const field of ['name', 'description', 'inputs', 'output']) {
    const { [field as keyof typeof TOOL]: _, ...tool } = TOOL;
    await send('POST', '/task', { json: { task: 'Look it up.', custom_tools: [tool] } });
  }
}

async function session(made: Tour): Promise<void> {
  const { send, mock } = made;
  await send('POST', '/task', { json: { task: null } });
  await send('POST', '/task', { json: { task: null } });
  const { id } = await send('POST', '/task', { json: { task: null, url: 'https://example.com' } });
  let since = 0;
  let n = 0;
  const act = async (name: string, payload: unknown) => {
    await send('POST', `/task/${id}/event`, { json: { name, payload, id: `act-${n++}`, timestamp: 1 } });
    for (let i = 0; i < 2; i++) {
      const task = await send('GET', `/task/${id}?event_t=${since}`);
      for (const event of events(task)) since = Math.max(since, Number(event.timestamp) || 0);
      await mock.clock.advance(1000);
    }
  };
  await act('browser_action', { name: 'goto', input: { url: 'https://example.com' } });
  await act('browser_action', {
    name: 'extract',
    input: { schema: { type: 'object' }, prompt: 'All of it.' },
  });
  const titled = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
  await act('browser_action', { name: 'extract', input: { schema: titled } });
  await act('browser_action', { name: 'evaluate_js', input: { js: '1', args: [1] } });
  await act('browser_action', { name: 'evaluate_js', input: { js: 'throw new Error("no")' } });
  await act('session_action', { name: 'run_task', input: { task: 'Look around.', max_steps: 4 } });
  await act('session_action', { name: 'run_task', input: { task: 'Look around.' } });
  await act('browser_action', { name: 'goto', input: {} });
  await act('something_else', { name: 'goto', input: { url: 'https://example.com' } });
  await act('browser_action', ['goto']);
  await act('browser_action', 'goto');
  for (const payload of [
    { name: 'goto', input: { url: 'https://example.com' } },
    { name: 'extract', input: { schema: titled } },
  ]) {
    const json = { name: 'browser_action', payload, id: `act-${n++}`, timestamp: 1 };
    await send('POST', `/task/${id}/event`, { json });
  }
  await mock.clock.advance(5000);
  await send('GET', `/task/${id}`);
  await send('GET', `/task/${id}?event_t=0`);
  await act('session_action', { name: 'close' });
  await act('browser_action', { name: 'goto', input: { url: 'https://example.com' } });
  await send('GET', `/task/${id}?event_t=0`);
  await send('DELETE', `/task/${id}`);
  await send('GET', `/task/${id}?event_t=0`);
}

async function otherResources({ send, mock }: Tour): Promise<void> {
  await send('POST', '/profile', { json: { id: 'p1' } });
  await send('GET', '/profile');
  await send('POST', '/task', { json: { task: 'Say hello.', profile_id: 'p1' } });
  await mock.clock.advance(2000);
  await send('GET', '/browser/profile');
  await send('DELETE', '/profile/p1');
  await send('GET', '/profile');
  await send('POST', '/profile', { json: { id: 'p2' } });
  await send('DELETE', '/browser/profile/p2');
  await send('GET', '/profile');
  for (const path of ['/extension', '/browser/extension']) {
    const { id } = await send('POST', path, { form: formOf('file', ZIP) });
    await send('GET', '/extension');
    await send('GET', '/browser/extension');
    await send('DELETE', `${path}/${id}`);
    await send('GET', '/extension');
    await send('POST', path, { json: { file: 'some.zip' } });
  }
  const { id } = await send('POST', '/file', { form: formOf('file', ZIP) });
  await send('DELETE', `/file/${id}`);
  await send('POST', '/file', { form: formOf('other', ZIP) });
  const { live_id } = await send('POST', '/browser/session', { json: {} });
  await send('DELETE', `/browser/session/${live_id}`);
  const left = await send('POST', '/browser/session', { json: {} });
  const early = await send('POST', '/browser/session', { json: {} });
  await mock.clock.advance(4 * 60_000);
  await send('DELETE', `/browser/session/${early.live_id}`);
  await mock.clock.advance(2 * 60_000);
  await send('DELETE', `/browser/session/${left.live_id}`);
  await send('GET', '/usage');
  await send('POST', '/telemetry', { json: { events: [] } });
  await send('POST', '/telemetry');
  await send('GET', '/job/none', { key: null });
}

function formOf(name: string, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.append(name, new Blob([bytes]), 'some.zip');
  return form;
}

async function workspaces({ send, mock }: Tour): Promise<void> {
  const { id } = await send('POST', '/workspace/Home?shared=true');
  const other = await send('POST', '/workspace/Other', { headers: { cookie: 'apikey=one' } });
  const headers = { 'workspace-id': String(id) };
  const at = (method: string, path: string, json?: unknown) => send(method, path, { headers, json });
  await at('GET', '/workspace');
  await at('POST', '/workspace/app/gmail', {});
  const { apps } = await send('GET', '/app');
  const app = Array.isArray(apps) && isRec(apps[0]) ? apps[0].name : 'none';
  await at('POST', `/workspace/app/${app}`, {});
  await send('POST', `/workspace/app/${app}`, { json: {} });
  const chat = await at('POST', '/task/zero', { task: 'Order paper.', title: 'Paper' });
  const elsewhere = { 'workspace-id': String(other.id) };
  await send('GET', '/chat', { headers: elsewhere });
  await mock.clock.advance(3000);
  await at('GET', '/chat');
  await send('GET', '/chat', { headers: elsewhere });
  await at('GET', '/chat?limit=x');
  await at('GET', `/chat/id?t=${chat.t}`);
  await at('POST', `/chat/id?t=${chat.t}&title=Other`);
  await at('GET', `/chat/id?t=${chat.t}`);
  const form = new FormData();
  form.append('message', 'And ink.');
  form.append('files', new Blob(['notes'], { type: 'text/plain' }), 'notes.txt');
  await send('POST', '/chat/message', { headers, json: { message: 'And ink.' } });
  const said = await send('POST', '/chat/message', { headers, form });
  await mock.clock.advance(3000);
  const chatId = { 'chat-id': String(said.id) };
  const { messages } = await send('GET', '/chat/message', { headers: chatId, key: null });
  const all = Array.isArray(messages) ? messages.filter(isRec) : [];
  const attachment = members(all, 'attachments')[0] ?? {};
  const attachmentId = { ...headers, 'attachment-id': String(attachment.id) };
  await send('GET', '/attachment', { headers: attachmentId, key: null });
  await send('POST', `/attachment?t=${attachment.t}`, { headers: attachmentId, json: { name: 'new.txt' } });
  await send('POST', '/attachment', { headers: attachmentId, json: { name: 'new.txt' } });
  await send('POST', `/attachment?t=${attachment.t}`, {
    headers: attachmentId,
    json: { name: 'x' },
    key: null,
  });
  await send('GET', '/attachment', { headers: attachmentId, key: null });
  const request = members(all, 'requests')[0] ?? {};
  const asked = `/request/id?id=${request.id}&t=${request.t}`;
  await send('PUT', `${asked}&status=approved`, { headers: chatId });
  await send('PUT', asked, { headers: chatId });
  await send('PUT', `${asked}&status=approved`, { headers: chatId, key: null });
  await send('GET', `/tool/${request.tool}/${request.id}`, { key: null });
  await send('GET', '/tool/none/none', { key: null });
  await at('DELETE', `/chat/id?t=${chat.t}`);
  await at('GET', `/chat/id?t=${chat.t}`);
  const sops = await at('POST', '/sop?t=0', { title: 'One', content: 'Do it.' });
  await at('POST', '/sop', { title: 'Two', content: 'Do it.' });
  const t = Array.isArray(sops.sops) && isRec(sops.sops[0]) ? sops.sops[0].t : 0;
  await at('POST', `/sop?t=${t}`, { title: 'One', content: 'Do it now.' });
  await at('GET', '/sop');
  await at('DELETE', `/sop?t=${t}`);
  await at('GET', '/sop');
  const automation = await at('POST', '/automation', { name: 'Daily', task: 'Read the news.' });
  await at('GET', '/automation');
  await send('POST', '/webhook', { json: { automation_id: automation.id }, key: null });
  await at('DELETE', `/automation?id=${automation.id}`);
  await at('GET', '/automation');
  for (const path of ['/chat/id', '/sop', '/automation']) await at('DELETE', path);
  await at('GET', '/chat/id');
  for (const path of ['/workspace', '/chat', '/sop', '/automation', '/chat/message', '/attachment']) {
    await send('GET', path);
    await send('GET', path, { headers, key: null });
  }
  for (let i = 0; i < 257; i++)
    await mock.fetch(...quietly('/task/zero', elsewhere, { task: 'Order more.' }));
  await send('GET', '/chat', { headers: elsewhere });
}

/** A request for the mock itself: no line is written. */
function quietly(path: string, headers: Record<string, string>, json: unknown): [string, RequestInit] {
  const sent = { ...headers, apikey: 'one', 'content-type': 'application/json' };
  return [BASE + API_PREFIX + path, { method: 'POST', headers: sent, body: JSON.stringify(json) }];
}

function members(all: readonly Record<string, unknown>[], name: string): Record<string, unknown>[] {
  return all.flatMap((each) => (Array.isArray(each[name]) ? (each[name] as unknown[]).filter(isRec) : []));
}

async function refusals({ send }: Tour): Promise<void> {
  for (const l of ['0', '-1', '129', 'x']) await send('GET', `/task?l=${l}`);
  await send('GET', '/task?t=x');
  for (const path of ['', '/visibility']) await send('GET', `/task/none${path}`);
  await send('GET', '/task/none?event_t=x');
  const { id } = await send('POST', '/task', { json: { task: 'Say hello.' } });
  await send('GET', `/task/${id}?event_t=x`);
  await send('POST', '/task/none/visibility?visibility=true');
  await send('DELETE', '/task/none');
  await send('DELETE', '/task/none/data');
  await send('POST', '/task/none/event', {
    json: { name: 'browser_action', payload: { name: 'close' }, id: 'x', timestamp: 1 },
  });
  await send('POST', '/task', { text: '{"task": ' });
  await send('POST', '/task');
  await send('POST', '/task', { json: { task: { wrong: true } } });
  await send('POST', '/task', { json: { task: 'Look.', custom_tools: 42 } });
  await send('POST', '/webhook', { key: null });
  await send('PATCH', '/proxy/none?auto_renew=true');
  await send('GET', '/workspace', { headers: { 'workspace-id': 'none' } });
  await send('GET', '/attachment', { headers: { 'attachment-id': 'none' }, key: null });
  await send('GET', '/chat/message', { headers: { 'chat-id': 'none' }, key: null });
}

/** Other keys, wrong keys, no keys. */
async function strangers({ send }: Tour): Promise<void> {
  const { id } = await send('POST', '/task', { json: { task: null } });
  const over = await send('POST', '/task', { json: { task: null } });
  await send('DELETE', `/task/${over.id}`);
  await send('POST', '/profile', { json: { id: 'mine' } });
  const file = await send('POST', '/file', { form: formOf('file', ZIP) });
  const extension = await send('POST', '/extension', { form: formOf('file', ZIP) });
  const workspace = await send('POST', '/workspace/Mine');
  const headers = { 'workspace-id': String(workspace.id) };
  const goto = {
    name: 'browser_action',
    payload: { name: 'goto', input: { url: 'https://a.test' } },
    id: 'g',
    timestamp: 1,
  };
  const asks: [string, string, Request?][] = [
    ['GET', '/usage'],
    ['GET', '/org'],
    ['GET', '/org/billing'],
    ['GET', '/task'],
    ['GET', `/task/${id}`],
    ['GET', `/task/${id}/visibility`],
    ['POST', `/task/${id}/visibility?visibility=false`],
    ['POST', `/task/${id}/event`, { json: goto }],
    ['POST', '/task', { json: { task: 'Say hello.' } }],
    ['GET', '/profile'],
    ['POST', '/profile', { json: { id: 'yours' } }],
    ['GET', '/proxy'],
    ['GET', '/extension'],
    ['GET', '/browser/profile'],
    ['POST', '/telemetry', { json: { events: [] } }],
    ['POST', '/workspace/Yours'],
    ['GET', '/workspace', { headers }],
    ['GET', '/chat', { headers }],
    ['GET', '/sop', { headers }],
    ['GET', '/automation', { headers }],
    ['GET', '/app'],
    ['POST', '/file', { form: formOf('file', ZIP) }],
    ['DELETE', '/profile/mine'],
    ['DELETE', `/file/${file.id}`],
    ['DELETE', `/extension/${extension.id}`],
    ['DELETE', `/task/${id}`],
    ['DELETE', `/task/${over.id}/data`],
  ];
  for (const key of ['two', null, 'invalid-key']) {
    for (const [method, path, request] of asks) await send(method, path, { ...request, key });
  }
  await send('POST', '/profile', { json: { id: 'p' }, key: 'free-key' });
  await send('POST', '/task', { json: { task: 'Say hello.' }, key: 'exhausted-key' });
  for (let i = 0; i < 5; i++) await send('GET', '/usage', { key: 'limited-key' });
}
