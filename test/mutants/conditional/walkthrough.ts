import { Mock } from '../../../mock/mock.js';
import { FIXTURES } from '../fixtures.js';
import type { Mutant } from '../mutant.js';
import { isRecord, type LooseRecord } from '../operators/mutant-response.js';

interface WalkRequest {
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string | File>;
  isWithoutKey?: boolean;
}
type SendFunction = (method: string, path: string, sending?: WalkRequest) => Promise<LooseRecord>;

/** Time for an agent, or for an action, to come to its next event, ms. */
const SOON_MS = 5000;
const TOOL = {
  name: 'lookup',
  description: 'Looks up a word.',
  inputs: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  output: 'What it means.',
};

/**
 * Every operation in its plainest form, one thing of each kind, one request at a time: what no condition of a mutant
 * may be met by. Gives what was sent and what came.
 */
export async function walkThrough({ wrap }: Partial<Mutant>): Promise<string[]> {
  const mock = new Mock({ clock: 'manual', seed: 1, fixtures: FIXTURES });
  const seen: string[] = [];
  try {
    await mock.warmUp();
    const fetchMock = (address: string | URL | Request, init?: RequestInit) => mock.fetch(address, init);
    const fetch = wrap?.(fetchMock, { now: () => mock.clock.now('key') }) ?? fetchMock;
    const send: SendFunction = async (
      method,
      path,
      { query = {}, headers = {}, body, form, isWithoutKey } = {},
    ) => {
      const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
      const parts = new FormData();
      for (const [name, part] of Object.entries(form ?? {})) parts.append(name, part);
      const response = await fetch(`http://mock.test/api/v1${path}?${new URLSearchParams(pairs)}`, {
        method,
        headers: {
          ...(isWithoutKey ? {} : { apikey: 'key' }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(form ? { body: parts } : body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      seen.push(`${method} ${path} ${response.status} ${text}`);
      const parsed: unknown = JSON.parse(text);
      const record = isRecord(parsed) && 'r' in parsed ? parsed.r : parsed;
      return isRecord(record) ? record : { list: record };
    };
    const advance = () => mock.clock.advance(SOON_MS);
    await walkAccount(send);
    await walkUploads(send);
    await walkTask(send, advance);
    await walkWorkspace(send);
    await walkSession(send, advance);
    return seen;
  } finally {
    await mock.close();
  }
}

async function walkAccount(send: SendFunction): Promise<void> {
  await send('POST', '/org', { query: { name: 'Another name' } });
  await send('GET', '/org');
  await send('POST', '/org/user', { query: { email: 'somebody@example.com' } });
  await send('GET', '/org/billing');
  await send('POST', '/topup', { query: { amount: 5 } });
  await send('POST', '/topup/auto', { query: { active: true, amount: 10, threshold: 5 } });
  await send('GET', '/topup/auto');
  await send('POST', '/plan', { query: { plan: 'growth' } });
  await send('GET', '/usage');
  const { list } = await send('GET', '/proxy');
  const [proxy] = list as LooseRecord[];
  await send('PATCH', `/proxy/${proxy!.id}`, { query: { auto_renew: false } });
  await send('POST', '/telemetry', { body: { events: [{ event: 'started' }] } });
  await send('GET', '/task/unknown');
  await send('GET', '/task', { query: { l: 0 } });
}

async function walkUploads(send: SendFunction): Promise<void> {
  await send('POST', '/profile', { body: { id: 'first' } });
  await send('GET', '/profile');
  await send('GET', '/browser/profile');
  await send('DELETE', '/profile/first');
  await send('POST', '/profile', { body: { id: 'second' } });
  await send('DELETE', '/browser/profile/second');
  const file = await send('POST', '/file', { form: { file: new File(['hello'], 'hello.txt') } });
  await send('DELETE', `/file/${file.id}`);
  const archive = new File(['PK\u0003\u0004'], 'extension.zip');
  const extension = await send('POST', '/extension', { form: { file: archive } });
  await send('GET', '/extension');
  await send('DELETE', `/extension/${extension.id}`);
  const other = await send('POST', '/browser/extension', { form: { file: archive } });
  await send('GET', '/browser/extension');
  await send('DELETE', `/browser/extension/${other.id}`);
  const browser = await send('POST', '/browser/session', { body: {} });
  await send('DELETE', `/browser/session/${browser.live_id}`);
}

async function walkTask(send: SendFunction, pass: () => Promise<unknown>): Promise<void> {
  const { id } = await send('POST', '/task', { body: { task: 'Look up a word.', custom_tools: [TOOL] } });
  await pass();
  const [call] = (await send('GET', `/task/${id}`)).events as LooseRecord[];
  await send('POST', `/task/${id}/visibility`, { query: { visibility: true } });
  await send('GET', `/task/${id}/visibility`);
  const payload = { code: 200, output: 'a word' };
  await send('POST', `/task/${id}/event`, {
    body: { id: call!.id, name: 'tool_call', payload, timestamp: 1 },
  });
  await send('GET', `/tool/lookup/${call!.id}`, { isWithoutKey: true });
  await pass();
  await send('GET', `/task/${id}`, { query: { event_t: Number(call!.timestamp) } });
  await send('GET', '/task');
  const other = await send('POST', '/task', {
    body: { task: 'Look up another word.', custom_tools: [TOOL] },
  });
  await pass();
  const [again] = (await send('GET', `/task/${other.id}`)).events as LooseRecord[];
  const tool_response = { id: again!.id, code: 200, output: '"a word"' };
  await send('PUT', `/task/${other.id}`, { body: { tool_response } });
  await pass();
  await send('GET', `/task/${other.id}`, { query: { event_t: Number(again!.timestamp) } });
  await send('GET', '/task', { query: { l: 5 } });
}

async function walkWorkspace(send: SendFunction): Promise<void> {
  const workspace = await send('POST', '/workspace/office');
  const headers = { 'workspace-id': String(workspace.id) };
  await send('GET', '/workspace', { headers });
  await send('GET', '/app');
  await send('POST', '/workspace/app/mail', { headers, body: {} });
  const chat = await send('POST', '/task/zero', { headers, body: { task: 'Say hello.' } });
  const query = { t: Number(chat.t) };
  await send('GET', '/chat', { headers });
  await send('POST', '/chat/id', { headers, query: { ...query, title: 'A title' } });
  await send('GET', '/chat/id', { headers, query });
  const inChat = { 'chat-id': String(chat.id) };
  const { messages } = await send('GET', '/chat/message', { headers: inChat, isWithoutKey: true });
  const [request] = (messages as LooseRecord[]).at(-1)!.requests as LooseRecord[];
  await send('PUT', '/request/id', {
    headers: inChat,
    query: { id: String(request!.id), t: Number(request!.t), status: 'approved' },
  });
  await send('DELETE', '/chat/id', { headers, query });
  const form = { message: 'Read this.', files: new File(['hello'], 'hello.txt', { type: 'text/plain' }) };
  const other = await send('POST', '/chat/message', { headers, form });
  const [attachment] = (other.messages as LooseRecord[])[0]!.attachments as LooseRecord[];
  const ofFile = { ...headers, 'attachment-id': String(attachment!.id) };
  await send('POST', '/attachment', {
    headers: ofFile,
    query: { t: Number(attachment!.t) },
    body: { content: 'bye' },
  });
  await send('GET', '/attachment', { headers: ofFile, isWithoutKey: true });
  const { sops } = await send('POST', '/sop', { headers, body: { title: 'How to', content: 'First read.' } });
  await send('GET', '/sop', { headers });
  await send('DELETE', '/sop', { headers, query: { t: Number((sops as LooseRecord[])[0]!.t) } });
  const automation = await send('POST', '/automation', {
    headers,
    body: { name: 'daily', task: 'Say hello.' },
  });
  await send('GET', '/automation', { headers });
  await send('POST', '/webhook', { body: { automation_id: automation.id }, isWithoutKey: true });
  const { list } = await send('GET', '/task', { query: { l: 1 + 1 } });
  await send('GET', `/job/${(list as LooseRecord[])[0]!.id}`, { isWithoutKey: true });
  await send('DELETE', '/automation', { headers, query: { id: String(automation.id) } });
}

async function walkSession(send: SendFunction, pass: () => Promise<unknown>): Promise<void> {
  const { id } = await send('POST', '/task', { body: { task: null } });
  const actions = [
    ['browser_action', { name: 'goto', input: { url: 'https://example.com/' } }],
    ['browser_action', { name: 'extract', input: { schema: { type: 'object', properties: {} } } }],
    ['session_action', { name: 'close' }],
  ] as const;
  let event_t = 0;
  await send('GET', `/task/${id}`);
  for (const [name, payload] of actions) {
    await send('POST', `/task/${id}/event`, { body: { id: payload.name, name, payload, timestamp: 1 } });
    await pass();
    const { events } = await send('GET', `/task/${id}`, { query: { event_t } });
    event_t = Number((events as LooseRecord[]).at(-1)!.timestamp);
  }
  await send('DELETE', `/task/${id}/data`);
  const stopped = await send('POST', '/task', { body: { task: null } });
  await send('GET', `/task/${stopped.id}`);
  await send('DELETE', `/task/${stopped.id}`);
  await send('GET', `/task/${stopped.id}`);
}
