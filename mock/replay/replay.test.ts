import { afterEach, describe, expect, it } from 'vitest';
import { type CreateMockOptions, createMock, type Exchange, type Mock } from '../../index.js';
import type { Fetch } from '../serve/fetch.js';
import { REPLAY_HEADER } from './replay.js';
import { type ReplayMock, type ReplayOptions, replayMock } from './replay-mock.js';

const open: (Mock | ReplayMock)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** A mock that writes down what is asked of it. */
function recorded(options: CreateMockOptions = {}) {
  const tape: Exchange[] = [];
  const mock = createMock({ clock: 'skipping', onRecord: (exchange) => tape.push(exchange), ...options });
  open.push(mock);
  return { mock, tape };
}

function replayed(tape: readonly Exchange[], options: ReplayOptions = {}): ReplayMock {
  // What is replayed comes from a file.
  const replay = replayMock(JSON.parse(JSON.stringify(tape)), options);
  open.push(replay);
  return replay;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A client of few words: whatever it gets is written down. */
class Client {
  readonly got: (Answer | 'lost' | 'cut off')[] = [];

  constructor(
    private readonly fetch: Fetch,
    private readonly key = 'k',
  ) {}

  async ask(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
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

  async json(method: string, path: string, body?: unknown) {
    return JSON.parse((await this.ask(method, path, body)).text).r;
  }
}

const WEATHER = {
  name: 'get_weather',
  description: 'Weather of a city',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'The temperature',
};

/** A session with two actions, tool calls, an upload and the downloads; `name` names the client's own ids. */
async function converse(fetch: Fetch, name = 'one', time = 1_700_000_000_000, key = 'k'): Promise<Client> {
  const client = new Client(fetch, key);
  const { id } = await client.json('POST', '/task', {
    task: 'Look up the weather in New York',
    custom_tools: [WEATHER],
  });
  const handled = new Set<string>();
  for (let n = 0; n < 30; n++) {
    const task = await client.json('GET', `/task/${id}?event_t=0`);
    for (const event of task.events ?? []) {
      if (event.name !== 'tool_call' || handled.has(event.id)) continue;
      handled.add(event.id);
      const payload = { code: 200, output: { temp_c: 21 } };
      await client.ask('POST', `/task/${id}/event`, {
        name: 'tool_call',
        id: event.id,
        payload,
        timestamp: time,
      });
    }
    if (task.status !== 'running') break;
  }
  const session = await client.json('POST', '/task', { task: null, url: 'https://example.com' });
  const action = (each: string, input?: object) => ({
    name: each === 'close' ? 'session_action' : 'browser_action',
    id: `${name}-made-up-${each}`,
    timestamp: time,
    payload: { name: each, ...(input ? { input } : {}) },
  });
  const results: string[] = [];
  for (const each of [action('goto', { url: 'https://example.com' }), action('close')]) {
    await client.ask('POST', `/task/${session.id}/event`, each);
    for (let n = 0; n < 9; n++) {
      const { events } = await client.json('GET', `/task/${session.id}`);
      const result = events.find((event: { id: string }) => event.id === each.id);
      if (!result) continue;
      results.push(result.id.slice(name.length));
      break;
    }
  }
  expect(results).toEqual(['-made-up-goto', '-made-up-close']);
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array([0, 255, 128, 10])]), 'bytes.bin');
  await client.ask('POST', '/file', form);
  const { downloads_url } = await client.json('GET', `/task/${id}?downloads=true`);
  const zip = await client.ask('GET', downloads_url);
  expect([zip.status, zip.text.slice(0, 2)]).toEqual([200, 'PK']);
  await client.ask('GET', '/nowhere');
  return client;
}

const line = (exchange: Exchange) => JSON.stringify(exchange);
const inOrder = (tape: readonly Exchange[]) =>
  [...tape].sort((a, b) =>
    a.organisation < b.organisation ? -1 : a.organisation > b.organisation ? 1 : a.seq - b.seq,
  );

describe('a replay', () => {
  it('gives the same client the same answers, byte for byte, and its journal is the recording', async () => {
    const { mock, tape } = recorded();
    const then = await converse(mock.fetch);
    expect(tape.some(({ response }) => response?.body_base64)).toBe(true);
    expect(tape.some(({ request }) => request.body_base64)).toBe(true);
    const again: Exchange[] = [];
    const replay = replayed(tape, { onRecord: (exchange) => again.push(exchange) });
    const now = await converse(replay.fetch);
    expect(now.got).toEqual(then.got);
    const withoutForms = (all: readonly Exchange[]) =>
      inOrder(all).map((each) => line(each).replaceAll(/"body_base64":"[^"]*"|boundary=[\w-]+/g, ''));
    expect(withoutForms(again)).toEqual(withoutForms(tape));
    expect(replay.health()).toMatchObject({
      next: null,
      replay: { exchanges: tape.length, played: tape.length, again: 0, differing: 0, refused: 0 },
    });
    replay.reset();
    expect((await converse(replay.fetch)).got).toEqual(then.got);
  });

  it('takes other keys, times and own ids, says so, and answers with the ids of this client', async () => {
    const { mock, tape } = recorded();
    const then = await converse(mock.fetch);
    const replay = replayed(tape);
    const now = await converse(replay.fetch, 'another', 1_800_000_000_000, 'quite-another-key');
    const texts = (client: Client) =>
      client.got.map((each) =>
        typeof each === 'string' ? each : each.text.replaceAll('another-made', 'one-made'),
      );
    expect(texts(now)).toEqual(texts(then));
    const said = now.got.map((each) => (typeof each === 'string' ? undefined : each.headers[REPLAY_HEADER]));
    expect(said).toContainEqual(expect.stringMatching(/^exchange \d+: its times differ$/));
    expect(said).toContainEqual(expect.stringMatching(/^exchange \d+: its own ids differ/));
    expect(said).toContainEqual(expect.stringMatching(/with the ids of this client$/));
    expect(JSON.stringify(replay.journal())).not.toContain('quite-another-key');
  });

  it('loses again what was lost, and cuts off what was cut off', async () => {
    const network =
      'drop response of create times 1; fail 503 of create skip 1 times 1; truncate of getUsage times 1';
    const { mock, tape } = recorded({ network });
    const talk = async (fetch: Fetch) => {
      const client = new Client(fetch);
      for (let n = 0; n < 3; n++) await client.ask('POST', '/task', { task: 'x' });
      await client.ask('GET', '/usage');
      return client.got;
    };
    const then = await talk(mock.fetch);
    expect(then.map((each) => (typeof each === 'string' ? each : each.status))).toEqual([
      'lost',
      503,
      200,
      'cut off',
    ]);
    expect(await talk(replayed(tape).fetch)).toEqual(then);
  });

  it('gives each key the voice of one recorded key, in the order of their first use', async () => {
    const { mock, tape } = recorded();
    const name = async (fetch: Fetch, key: string) =>
      (await new Client(fetch, key).json('GET', '/org')).id as string;
    const then = [await name(mock.fetch, 'a'), await name(mock.fetch, 'b')];
    mock.reset('a');
    // A new organisation under the same key: the same voice.
    await name(mock.fetch, 'a');
    await new Client(mock.fetch, '').ask('GET', '/usage');
    const replay = replayed(tape);
    expect([await name(replay.fetch, 'x'), await name(replay.fetch, 'y')]).toEqual(then);
    expect(await name(replay.fetch, 'x')).toBe(then[0]);
    expect((await new Client(replay.fetch, '').ask('GET', '/usage')).status).toBe(401);
    expect(replay.health().next).toBeNull();
  });

  it('plays what was appended to a file behind what stood there', async () => {
    const tapes = [1, 2].map(() => recorded());
    for (const { mock } of tapes) {
      const client = new Client(mock.fetch);
      await client.ask('POST', '/task', { task: 'x' });
      await client.ask('POST', '/topup?amount=5');
    }
    const replay = replayed(tapes.flatMap(({ tape }) => tape));
    const client = new Client(replay.fetch);
    for (let n = 0; n < 2; n++) {
      await client.ask('POST', '/task', { task: 'x' });
      await client.ask('POST', '/topup?amount=5');
    }
    expect(client.got.map((each) => typeof each !== 'string' && each.status)).toEqual([200, 200, 200, 200]);
    expect(replay.health()).toMatchObject({ next: null, replay: { differing: 0, again: 0 } });
  });
});

describe('a replay of what was not recorded', () => {
  const talk = async () => {
    const { mock, tape } = recorded();
    const client = new Client(mock.fetch);
    await client.ask('POST', '/topup?amount=5');
    await client.ask('GET', '/usage');
    await client.ask('POST', '/profile', { id: 'p' });
    return { tape, usage: client.got[1] };
  };

  it('gives the last answer again to who reads, and refuses who writes once more', async () => {
    const { tape, usage } = await talk();
    const notes: string[] = [];
    const replay = replayed(tape, { onNote: (each) => notes.push(each) });
    const client = new Client(replay.fetch);
    await client.ask('GET', '/usage');
    await client.ask('GET', '/usage');
    expect(client.got[0]).toEqual(usage);
    expect(client.got[1]).toMatchObject({
      text: (usage as Answer).text,
      headers: { [REPLAY_HEADER]: 'exchange 2 again: it has been asked for more often than it was recorded' },
    });
    await client.ask('POST', '/topup?amount=5');
    const over = await client.ask('POST', '/topup?amount=5');
    expect(over.status).toBe(409);
    expect(JSON.parse(over.text).detail).toBe(
      'POST /api/v1/topup?amount=5 came more often than it was recorded (last as exchange 1). ' +
        'Expected next: POST /api/v1/profile (exchange 3 of the recording).',
    );
    expect(over.headers.get(REPLAY_HEADER)).toBe('refused');
    await client.ask('POST', '/profile', { id: 'p' });
    expect(JSON.parse((await client.ask('POST', '/topup?amount=5')).text).detail).toContain(
      'The whole recording has been played',
    );
    expect(notes).toHaveLength(3);
  });

  it('serves the next of the same address where the body or the query is another one', async () => {
    const { tape } = await talk();
    const client = new Client(replayed(tape).fetch);
    const said = async (...asked: [string, string, unknown?]) =>
      (await client.ask(...asked)).headers.get(REPLAY_HEADER);
    expect(await said('POST', '/topup?amount=6')).toBe('exchange 1: its query differs');
    expect(await said('POST', '/profile', { id: null, more: 1 })).toBe('exchange 3: its body differs');
  });

  it('refuses what nobody has asked, and names what comes nearest', async () => {
    const { tape } = await talk();
    const client = new Client(replayed(tape).fetch);
    const answer = await client.ask('GET', '/profil');
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text).detail).toBe(
      'GET /api/v1/profil is not in this recording. Nearest: POST /api/v1/profile (exchange 3 of the recording). ' +
        'Expected next: POST /api/v1/topup?amount=5 (exchange 1 of the recording).',
    );
  });

  it('says where an answer was not recorded whole', async () => {
    const { tape } = await talk();
    tape[0]!.response!.left_out = 99;
    tape[1]!.response!.body = `${'x'.repeat(70_000)}… (12 more characters left out)`;
    const client = new Client(replayed(tape).fetch);
    const large = await client.ask('POST', '/topup?amount=5');
    expect([large.status, large.text]).toEqual([
      409,
      expect.stringContaining('too large to be recorded (99'),
    ]);
    const old = await client.ask('GET', '/usage');
    expect([old.status, old.text]).toEqual([409, expect.stringContaining('not recorded whole')]);
  });

  it('keeps concurrent replies of the same content apart by what they answer', async () => {
    const { mock, tape } = recorded();
    const client = new Client(mock.fetch);
    const { id } = await client.json('POST', '/task', { task: null });
    for (const each of ['first-own-id', 'second-own-id'])
      await client.ask('POST', `/task/${id}/event`, {
        name: 'browser_action',
        id: each,
        payload: { name: 'goto', input: { url: `https://${each}.example` } },
        timestamp: 1_700_000_000_000,
      });
    const again = new Client(replayed(tape).fetch);
    await again.json('POST', '/task', { task: null });
    for (const each of ['second-own-id', 'first-own-id'])
      await again.ask('POST', `/task/${id}/event`, {
        name: 'browser_action',
        id: each,
        payload: { name: 'goto', input: { url: `https://${each}.example` } },
        timestamp: 1_800_000_000_000,
      });
    const texts = (all: Client) => all.got.map((each) => typeof each !== 'string' && each.text);
    expect(texts(again)).toEqual([texts(client)[0], texts(client)[2], texts(client)[1]]);
  });
});

describe('the door of a replay', () => {
  it('leads the recorded addresses of pages to where it listens', async () => {
    const { mock, tape } = recorded();
    const there = await mock.listen();
    await converse((input, init) => fetch(new URL(String(input), there.base_url), init));
    await mock.close();
    const replay = replayed(tape);
    const here = await replay.listen();
    expect(here.base_url).not.toBe(there.base_url);
    // It downloads by the address in the answer.
    await converse((input, init) => fetch(new URL(String(input), here.base_url), init));
    expect(replay.health()).toMatchObject({ next: null, replay: { refused: 0 } });
    const health = await fetch(`${here.admin_url}/health`);
    expect(await health.json()).toEqual(replay.health());
    expect((await fetch(`${here.admin_url}/state`)).status).toBe(404);
    expect((await fetch(`${here.admin_url}/journal`).then((each) => each.json())).exchanges).toHaveLength(
      tape.length,
    );
    await fetch(`${here.admin_url}/reset`, { method: 'POST' });
    expect(replay.health().replay.played).toBe(0);
  });

  it('answers who asks first (CORS) without a recording of it', async () => {
    const { mock, tape } = recorded();
    await new Client(mock.fetch).ask('GET', '/usage');
    const replay = replayed(tape);
    expect((await replay.fetch('/api/v1/usage', { method: 'OPTIONS' })).status).toBe(204);
    expect(replay.health().replay.played).toBe(0);
  });

  it('says which exchange given in process is none', async () => {
    const replay = replayMock([{ seq: 1, kind: 'x' } as never]);
    await expect(replay.ready).rejects.toThrow('exchanges[0].organisation: expected a text, got nothing');
    await expect(replay.fetch('/api/v1/usage')).rejects.toThrow('exchanges[0]');
  });
});
