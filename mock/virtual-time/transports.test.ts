import { Agent, request as httpRequest } from 'node:http';
import { delay, HttpResponse, http as mswHttp } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEY, runTask } from '../../test/support/virtual-time/poller.js';
import { Mock } from '../mock.js';
import type { MockServer } from '../options/mock-options.js';
import { handlers } from '../serve/msw.js';

const MSW_URL = 'https://service.example';
const PATIENT = { stalledMs: 1e9, deadlineMs: 1e9 };
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let mock: Mock;
let server: MockServer;
beforeEach(async () => {
  mock = new Mock({ clock: 'manual' });
  server = await mock.listen();
});
afterEach(() => mock.close());

/** `fetch` over node:http, as in older clients. */
function overHttp(agent?: Agent): typeof fetch {
  return async (input, init) => {
    const { method = 'GET', headers, body } = init ?? {};
    return new Promise<Response>((resolve, reject) => {
      const request = httpRequest(String(input), { method, headers: headers as never, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve(new Response(Buffer.concat(chunks), { status: response.statusCode! })),
        );
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(body as string | undefined);
    });
  };
}

describe('a client on virtual time', () => {
  const trace = () => mock.journal().map(({ kind, request }) => `${kind} ${request.at}`);

  it.each<[string, () => Promise<unknown>]>([
    ['mock.fetch', () => runTask(mock.fetch, 'http://mock.test')],
    ['the global fetch', () => runTask(fetch, server.baseUrl)],
    ['node:http', () => runTask(overHttp() as never, server.baseUrl)],
    [
      'node:http with an agent that keeps its connections',
      () => runTask(overHttp(new Agent({ keepAlive: true })) as never, server.baseUrl),
    ],
  ])('with %s: half a minute of polling, the same every time', async (_, client) => {
    const traces = [];
    for (let time = 0; time < 3; time++) {
      mock.reset();
      expect(await mock.time.run(client)).toEqual({ status: 'done', polls: 31 });
      traces.push(trace());
    }
    expect(traces[0]).toHaveLength(32);
    expect(traces[1]).toEqual(traces[0]);
    expect(traces[2]).toEqual(traces[0]);
  });

  describe('with MSW', () => {
    const msw = setupServer();
    beforeEach(() => {
      msw.listen({ onUnhandledRequest: 'bypass' });
      msw.use(
        ...handlers(mock, { baseUrl: MSW_URL }),
        mswHttp.get('https://slow.example/', async () => {
          await delay(50);
          return HttpResponse.text('late');
        }),
      );
    });
    afterEach(() => {
      msw.resetHandlers();
      msw.close();
    });

    it.each<[string, () => Promise<unknown>]>([
      ['the global fetch', () => runTask(fetch, MSW_URL)],
      ['node:http', () => runTask(overHttp() as never, MSW_URL.replace('https', 'http'))],
    ])('%s: half a minute of polling', async (name, client) => {
      if (name === 'node:http') msw.use(...handlers(mock, { baseUrl: MSW_URL.replace('https', 'http') }));
      expect(await mock.time.run(client)).toEqual({ status: 'done', polls: 31 });
      expect(mock.clock.now(KEY)).toBe(mock.journal()[0]!.request.at + 30_000);
    });

    it('a response of another server takes real time, and no virtual time', async () => {
      const seen = await mock.time.run(async () => {
        const timer = wait(1).then(() => 'timer');
        const body = fetch('https://slow.example/').then((response) => response.text());
        return [await Promise.race([timer, body]), Date.now() - (await wait(1).then(() => Date.now()))];
      });
      expect(seen).toEqual(['late', -1]);
    });

    it('unhandled requests pass through, and MSW may start and stop within a run', async () => {
      msw.close();
      const own = setupServer(...handlers(mock, { baseUrl: MSW_URL }));
      const { baseUrl } = server;
      const statuses = await mock.time.run(async () => {
        own.listen({ onUnhandledRequest: 'bypass' });
        const headers = { apikey: KEY };
        const handled = await fetch(`${MSW_URL}/api/v1/usage`, { headers });
        const through = await fetch(`${baseUrl}/api/v1/usage`, { headers });
        await wait(1_000);
        own.close();
        const after = await fetch(`${baseUrl}/api/v1/usage`, { headers });
        return [handled, through, after].map(({ status }) => status);
      });
      expect(statuses).toEqual([200, 200, 200]);
      expect((await fetch(`${baseUrl}/api/v1/usage`, { headers: { apikey: KEY } })).status).toBe(200);
    });
  });

  it('waits on virtual time for responses that the mock holds, over every transport', async () => {
    await mock.network.set('delay 1m of any', KEY);
    for (const send of [fetch, overHttp() as typeof fetch, mock.fetch]) {
      const began = mock.clock.now(KEY);
      await mock.time.run(async () => {
        for (let count = 0; count < 20; count++) {
          const response = await send(`${server.baseUrl}/api/v1/usage`, { headers: { apikey: KEY } });
          expect(response.status).toBe(200);
        }
      }, PATIENT);
      expect(mock.clock.now(KEY) - began).toBe(20 * 60_000);
    }
  });

  it('aborts at its own time-out, on virtual time', async () => {
    await mock.network.set('delay 10m of any', KEY);
    const began = mock.clock.now(KEY);
    const give = (send: typeof fetch) =>
      mock.time.run(async () => {
        const signal = AbortSignal.timeout(5_000);
        await send(`${server.baseUrl}/api/v1/usage`, { headers: { apikey: KEY }, signal });
      });
    await expect(give(fetch)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(mock.clock.now(KEY) - began).toBe(5_000);
    await expect(give(mock.fetch as typeof fetch)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(mock.clock.now(KEY) - began).toBe(10_000);
  });

  it('detects a lost response', async () => {
    await mock.network.set('drop of any', KEY);
    for (const send of [fetch, overHttp() as typeof fetch]) {
      const lost = mock.time.run(() => send(`${server.baseUrl}/api/v1/usage`, { headers: { apikey: KEY } }));
      await expect(lost).rejects.toThrow();
    }
  });

  it('sends many requests at once', async () => {
    const keys = Array.from({ length: 20 }, (_, n) => `client ${n}`);
    const tasks = await mock.time.run(() =>
      Promise.all(keys.map((key) => runTask(fetch, server.baseUrl, { key }))),
    );
    expect(tasks.map(({ status }) => status)).toEqual(keys.map(() => 'done'));
  });
});
