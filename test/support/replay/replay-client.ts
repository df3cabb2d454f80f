import { afterEach, expect } from 'vitest';
import { createMock, type Exchange, type Mock, type MockOptions } from '../../../index.js';
import { type ReplayMock, type ReplayOptions, replayMock } from '../../../mock/replay/replay-mock.js';
import type { Fetch } from '../../../mock/serve/fetch.js';

const open: (Mock | ReplayMock)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** A mock that records its exchanges. */
export function createRecordedMock(options: MockOptions = {}) {
  const tape: Exchange[] = [];
  const mock = createMock({ clock: 'skipping', onRecord: (exchange) => tape.push(exchange), ...options });
  open.push(mock);
  return { mock, tape };
}

/** A replay of recorded exchanges, read from a file. */
export function openReplay(tape: readonly Exchange[], options: ReplayOptions = {}): ReplayMock {
  const replay = replayMock(JSON.parse(JSON.stringify(tape)), options);
  open.push(replay);
  return replay;
}

interface ReplayResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A small client that records all responses. */
export class ReplayClient {
  readonly got: (ReplayResponse | 'lost' | 'cut off')[] = [];

  constructor(
    private readonly fetch: Fetch,
    private readonly key = 'k',
  ) {}

  async request(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
    const form = body instanceof FormData || body instanceof Uint8Array;
    const type: Record<string, string> =
      body === undefined || form ? {} : { 'content-type': 'application/json' };
    const init = {
      method,
      headers: { apikey: this.key, ...type, ...more },
      ...(body === undefined ? {} : { body: (form ? body : JSON.stringify(body)) as BodyInit }),
    };
    const url = path.startsWith('/api') || path.startsWith('http') ? path : `/api/v1${path}`;
    const response = await this.fetch(url, init).catch(() => undefined);
    const bytes = await response?.arrayBuffer().catch(() => undefined);
    if (!response || !bytes) {
      this.got.push(response ? 'cut off' : 'lost');
      return { status: 0, text: '{}', headers: new Headers() };
    }
    const text = Buffer.from(bytes).toString('latin1');
    this.got.push({ status: response.status, headers: Object.fromEntries(response.headers), text });
    return { status: response.status, text, headers: response.headers };
  }

  async requestJson(method: string, path: string, body?: unknown) {
    return JSON.parse((await this.request(method, path, body)).text).r;
  }
}

const WEATHER = {
  name: 'get_weather',
  description: 'Weather of a city',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'The temperature',
};

/** A session with two actions, tool calls, an upload and the downloads; `name`: prefix of the ids that the client chooses. */
export async function playConversation(
  fetch: Fetch,
  name = 'one',
  time = 1_700_000_000_000,
  key = 'k',
): Promise<ReplayClient> {
  const client = new ReplayClient(fetch, key);
  const { id } = await client.requestJson('POST', '/task', {
    task: 'Look up the weather in New York',
    custom_tools: [WEATHER],
  });
  const handled = new Set<string>();
  for (let n = 0; n < 30; n++) {
    const task = await client.requestJson('GET', `/task/${id}?event_t=0`);
    for (const event of task.events ?? []) {
      if (event.name !== 'tool_call' || handled.has(event.id)) continue;
      handled.add(event.id);
      const payload = { code: 200, output: { temp_c: 21 } };
      await client.request('POST', `/task/${id}/event`, {
        name: 'tool_call',
        id: event.id,
        payload,
        timestamp: time,
      });
    }
    if (task.status !== 'running') break;
  }
  const session = await client.requestJson('POST', '/task', { task: null, url: 'https://example.com' });
  const createAction = (each: string, input?: object) => ({
    name: each === 'close' ? 'session_action' : 'browser_action',
    id: `${name}-made-up-${each}`,
    timestamp: time,
    payload: { name: each, ...(input ? { input } : {}) },
  });
  const results: string[] = [];
  for (const each of [createAction('goto', { url: 'https://example.com' }), createAction('close')]) {
    await client.request('POST', `/task/${session.id}/event`, each);
    for (let n = 0; n < 9; n++) {
      const { events } = await client.requestJson('GET', `/task/${session.id}`);
      const result = events.find((event: { id: string }) => event.id === each.id);
      if (!result) continue;
      results.push(result.id.slice(name.length));
      break;
    }
  }
  expect(results).toEqual(['-made-up-goto', '-made-up-close']);
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array([0, 255, 128, 10])]), 'bytes.bin');
  await client.request('POST', '/file', form);
  const { downloads_url } = await client.requestJson('GET', `/task/${id}?downloads=true`);
  const zip = await client.request('GET', downloads_url);
  expect([zip.status, zip.text.slice(0, 2)]).toEqual([200, 'PK']);
  await client.request('GET', '/nowhere');
  return client;
}
