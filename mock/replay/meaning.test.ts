import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { Exchange } from '../../index.js';
import { openReplay, ReplayClient } from '../../test/support/replay/replay-client.js';
import { replayMock } from './replay-mock.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-meaning-'));
afterAll(() => rmSync(directory, { recursive: true }));

const TYPE = { 'Content-Type': 'application/json' };

function exchange(request: Partial<Exchange['request']>, more: Partial<Exchange> = {}): Exchange {
  return {
    ...{ seq: 1, kind: 'other', organisation: 'org-1' },
    request: { method: 'GET', url: '/api/v1/usage', headers: {}, at: 0, ...request },
    response: { status: 200, headers: { 'Content-Encoding': 'gzip' }, body: '{"r":1}', at: 1 },
    ...more,
  };
}

describe('a replay finds a request with the same meaning', () => {
  it.each([
    ['/api/v1/org?name=a%20b', '/org?name=a+b'],
    ['/api/v1/org?name=%c3%bc', '/org?name=%C3%BC'],
    ['/api/v1/org?name=%7Ea', '/org?name=~a'],
    ['/api/v1/task/a%2fb?event_t=5&downloads=true', '/task/a%2Fb?downloads=true&event_t=5'],
    ['/api/v1/task/%74-1?event_t=0', '/task/t-1'],
    ['/api/v1//task/t-1/', '/task/t-1?downloads=false'],
    ['/api/v1/usage', '/usage?'],
    ['/api/v1/usage', '/usage/'],
  ])('%s is %s', async (url, path) => {
    const client = new ReplayClient(openReplay([exchange({ url })]).fetch);
    expect(await client.request('GET', path)).toMatchObject({ status: 200, text: '{"r":1}' });
  });

  it.each([
    ['/api/v1/org?name=a%2Bb', '/org?name=a+b'],
    ['/api/v1/task/a%2Fb', '/task/a/b'],
    ['/api/v1/task/t?event_t=5', '/task/t?event_t=6'],
    ['/api/v1/task/t', '/task/T'],
    ['/api/v1/org?name=a&name=b', '/org?name=b&name=a'],
  ])('%s is not %s', async (url, path) => {
    const client = new ReplayClient(openReplay([exchange({ url })]).fetch);
    expect((await client.request('GET', path)).status).toBe(404);
  });

  it('with differently formatted JSON and its own ids', async () => {
    const body =
      '{ "id": "made-1", "name": "session_action",\n "payload": {"name": "close", "note": "\\u00fc"} }';
    const send = { method: 'post', url: '/api/v1/task/t/event', headers: TYPE, body };
    const poll = exchange({ url: '/api/v1/task/t' }, { seq: 2 });
    poll.response!.body = '{"r":{"events":[{"id":"made-1"}]}}';
    const client = new ReplayClient(openReplay([exchange(send), poll]).fetch);
    const { status } = await client.request('POST', '/task/t/event', {
      payload: { note: 'ü', name: 'close' },
      name: 'session_action',
      id: 'made-9',
    });
    expect(status).toBe(200);
    expect((await client.request('GET', '/task/t')).text).toBe('{"r":{"events":[{"id":"made-9"}]}}');
  });

  it('refuses a request without a recorded response, and loses a lost response', async () => {
    const { response: _, ...lost } = exchange({});
    const unknown: Exchange = { ...lost, unrecorded: ['response'] };
    const client = new ReplayClient(openReplay([unknown, { ...lost, seq: 2 }]).fetch);
    const { status, text } = await client.request('GET', '/usage');
    expect([status, JSON.parse(text).detail]).toEqual([
      409,
      'GET /api/v1/usage: its response was not recorded, and cannot be replayed.',
    ]);
    await client.request('GET', '/usage');
    expect(client.got[1]).toBe('lost');
  });
});

it('a replay of a HAR decompresses what the program has kept compressed', async () => {
  const text = gzipSync('{"r":{"id":"t1"}}').toString('base64');
  const path = join(directory, 'packed.har');
  const entry = {
    startedDateTime: '2026-01-01T00:00:00.125Z',
    request: { method: 'GET', url: 'https://api.example/api/v1/task/t1', headers: [] },
    response: {
      status: 200,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Content-Encoding', value: 'gzip' },
      ],
      content: { size: 37, encoding: 'base64', text },
    },
  };
  writeFileSync(path, JSON.stringify({ log: { entries: [entry] } }));
  const replay = replayMock(path);
  const client = new ReplayClient(replay.fetch);
  expect((await client.request('GET', '/task/t1?event_t=0')).text).toBe('{"r":{"id":"t1"}}');
  expect(client.got).toMatchObject([{ headers: { 'content-type': 'application/json' } }]);
  await replay.close();
});
