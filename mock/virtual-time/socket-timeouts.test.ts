import { once } from 'node:events';
import {
  createServer,
  get,
  Agent as HttpAgent,
  type RequestListener,
  type RequestOptions,
  type Server,
} from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEY } from '../../test/support/virtual-time/poller.js';
import { Mock } from '../mock.js';

const TIMEOUT_MS = 5_000;
const headers = { apikey: KEY };
const PATIENT = { stalledMs: 1e9, deadlineMs: 1e9 };
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let mock: Mock;
let url: string;
beforeEach(async () => {
  mock = new Mock({ clock: 'manual' });
  url = `${(await mock.listen()).baseUrl}/api/v1/usage`;
});
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
  await mock.close();
});

/** Starts another server; returns its address. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a request with node:http and aborts it at its time-out. */
function sendRequest(options: RequestOptions, timeout_ms = 0, address = url): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(address, { headers, ...options }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    const giveUp = () => request.destroy(new Error('gave up'));
    if (timeout_ms) request.setTimeout(timeout_ms, giveUp);
    else request.on('timeout', giveUp);
    request.on('error', reject);
  });
}

/** Returns the result or the error code, and the elapsed virtual time in ms. */
function timed(client: () => Promise<unknown>): Promise<[unknown, number]> {
  return mock.time.run(async () => {
    const began = Date.now();
    const outcome = await client().catch((error: Error) => {
      const cause = (error.cause ?? error) as Error & { code?: string };
      return cause.code ?? cause.message;
    });
    return [outcome, Date.now() - began];
  }, PATIENT);
}

describe('a time-out of a socket, on virtual time', () => {
  const keptAlive = new HttpAgent({ keepAlive: true, timeout: TIMEOUT_MS });
  afterEach(() => keptAlive.destroy());

  const ways: [string, sendRequest: () => Promise<number>, error: string, ms: number][] = [
    ['http.get({ timeout })', () => sendRequest({ timeout: TIMEOUT_MS }), 'gave up', TIMEOUT_MS],
    ['request.setTimeout', () => sendRequest({}, TIMEOUT_MS), 'gave up', TIMEOUT_MS],
    [
      'new http.Agent({ timeout })',
      () => sendRequest({ agent: new HttpAgent({ timeout: TIMEOUT_MS }) }),
      'gave up',
      TIMEOUT_MS,
    ],
    ['an agent that keeps its connections', () => sendRequest({ agent: keptAlive }), 'gave up', TIMEOUT_MS],
  ];
  it.each(ways)('%s: the response arrives before, or too late', async (_, client, error, ms) => {
    await mock.network.set(`delay ${ms - 1}ms of any`, KEY);
    expect(await timed(client)).toEqual([200, ms - 1]);
    await mock.network.set(`delay ${ms + 1}ms of any`, KEY);
    expect(await timed(client)).toEqual([error, ms]);
    // The first requests must not influence it.
    expect(await timed(client)).toEqual([error, ms]);
    await mock.network.set(`delay ${ms - 1}ms of any`, KEY);
    expect(await timed(client)).toEqual([200, ms - 1]);
  });

  it('ends with the request: none stays pending', async () => {
    const oneRequest = async () => {
      await sendRequest({ agent: false, timeout: TIMEOUT_MS });
      await new Promise(() => {});
    };
    await expect(mock.time.run(oneRequest)).rejects.toMatchObject({ reason: 'idle', passedMs: 0 });
  });

  it('restarts with traffic on the socket, and is cleared by 0', async () => {
    const base = await listen((_, response) => response.end());
    const port = Number(new URL(base).port);
    const client = async () => {
      const socket = connect({ port, host: '127.0.0.1', timeout: TIMEOUT_MS });
      await once(socket.resume(), 'connect');
      const idle = once(socket, 'timeout').then(() => Date.now());
      for (let line = 0; line < 3; line++) {
        await wait(TIMEOUT_MS - 1);
        socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
      }
      const began = Date.now();
      const idle_ms = (await idle) - began;
      const isReadable = socket.timeout === TIMEOUT_MS;
      let after = 0;
      socket.on('timeout', () => after++);
      socket.setTimeout(TIMEOUT_MS).setTimeout(0);
      await wait(2 * TIMEOUT_MS);
      socket.destroy();
      return { idle_ms, isReadable, after, timeout: socket.timeout };
    };
    const seen = await mock.time.run(client, PATIENT);
    expect(seen).toEqual({ idle_ms: TIMEOUT_MS, isReadable: true, after: 0, timeout: 0 });
  });

  it('is real before a run and in parallel to it', async () => {
    const REAL_MS = 20;
    const silent = await listen(() => {});
    const giveUp = () =>
      expect(sendRequest({ timeout: REAL_MS, agent: false }, 0, silent)).rejects.toThrow('gave up');
    await giveUp();
    let isThere = () => {};
    const run = mock.time.run(
      () =>
        new Promise<void>((resolve) => {
          isThere = resolve;
        }),
    );
    await giveUp();
    isThere();
    await run;
  });

  it('is real again for the late response to a request of a completed run', async () => {
    await mock.network.set('delay 1m of any', KEY);
    const agent = new HttpAgent({ keepAlive: true, timeout: 20 });
    const idle = new Promise((resolve) => agent.once('free', (socket) => socket.once('timeout', resolve)));
    await mock.time.run(async () => {
      const request = get(url, { headers, agent }, (response) => response.resume());
      await once(request, 'finish');
    });
    await mock.clock.advance('1m');
    await idle;
    agent.destroy();
  });

  it('is real for connections to the client', async () => {
    const client = async () => {
      let timeouts = 0;
      const server = createNetServer((socket) => {
        socket.setTimeout(TIMEOUT_MS, () => timeouts++).write('hello');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'data');
      await wait(2 * TIMEOUT_MS);
      socket.destroy();
      server.close();
      return timeouts;
    };
    expect(await mock.time.run(client)).toBe(0);
  });
});
