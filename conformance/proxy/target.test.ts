import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeAll,
  closeLater,
  createDeferred,
  send,
  startProxy,
  startService,
} from '../../test/support/proxy/servers.js';
import { createProxy } from './service-proxy.js';
import { parseTarget } from './target.js';

afterEach(closeAll);

/** A port on which nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

async function detail(url: string): Promise<[status: number, detail: string]> {
  const { status, headers, body } = await send(`${url}/api/v1/task`, {
    headers: { apikey: 'my-secret-key' },
  });
  expect(headers.join().toLowerCase()).toContain('content-type,application/json');
  return [status, JSON.parse(body.toString()).detail];
}

describe('the address of a target', () => {
  it.each([
    ['localhost:8080', 'http://localhost:8080', ''],
    ['api.example.com', 'http://api.example.com', ''],
    ['https://api.example.com/api/v1', 'https://api.example.com', ''],
    ['http://127.0.0.1:1/base/api/', 'http://127.0.0.1:1', '/base'],
  ])('%s', (given, origin, base) => {
    expect(parseTarget(given)).toEqual({ origin, base, baseUrl: origin + base });
  });

  it.each(['ftp://x', 'http://', 'http://user:secret@host', 'http://host/?a=1', ''])('is not %j', (given) => {
    expect(() => createProxy({ target: given })).toThrow(TypeError);
    try {
      parseTarget(given);
    } catch (error) {
      expect(String(error)).not.toContain('secret');
    }
  });
});

describe('a faulty target', () => {
  it('is down: 502, with a network effect', async () => {
    const target = await closedPort();
    const { proxy, url } = await startProxy(target);
    expect(await detail(url)).toEqual([502, expect.stringMatching(/nothing listens at 127\.0\.0\.1:\d+/)]);
    await expect(proxy.checkReachable()).rejects.toThrow(/nothing listens/);
    const [exchange] = proxy.journal();
    expect(exchange!.network).toMatchObject([{ effect: 'replaced' }]);
    const { checks } = proxy.report();
    expect(checks.filter(({ side, outcome }) => side === 'service' && outcome !== 'inconclusive')).toEqual(
      [],
    );
  });

  it('does not respond in time: 504', async () => {
    const target = await startService(() => {});
    const { url } = await startProxy(target, { timeoutMs: 50 });
    expect(await detail(url)).toEqual([504, expect.stringMatching(/did not respond in time/)]);
  });

  it('closes the connection: 502', async () => {
    const target = await startService((request) => request.socket.destroy());
    const { url } = await startProxy(target);
    expect(await detail(url)).toEqual([502, expect.stringMatching(/closed the connection/)]);
  });

  it('sends invalid HTTP: 502', async () => {
    const server = createServer((socket) => socket.resume().end('220 smtp ready\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeLater(() => new Promise((resolve) => server.close(resolve)));
    const { url } = await startProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await detail(url)).toEqual([502, expect.stringMatching(/invalid HTTP response/)]);
  });

  it('redirects to another origin: 502, and the key is not sent there', async () => {
    let asked = 0;
    const elsewhere = await startService((_, response) => {
      asked++;
      response.end('{}');
    });
    const target = await startService((_, response) => {
      response.writeHead(307, { location: `${elsewhere}/api/v1/task` }).end();
    });
    const { url } = await startProxy(target);
    const [status, text] = await detail(url);
    expect([status, text]).toEqual([502, expect.stringContaining(`redirects (307) to ${elsewhere},`)]);
    // A client that follows redirects follows none.
    const followed = await fetch(`${url}/api/v1/task`, { headers: { apikey: 'my-secret-key' } });
    expect([followed.status, asked]).toEqual([502, 0]);
  });

  it.each([
    ['/api/v1/task/', '/api/v1/task/'],
    ['ORIGIN/api/v1/task?x=1#y', '/api/v1/task?x=1#y'],
    ['task/', 'task/'],
  ])('redirects within itself, to %s: the client continues to use the proxy', async (location, passed) => {
    const target = await startService((request, response) => {
      response
        .writeHead(308, { location: location.replace('ORIGIN', `http://${request.headers.host}`) })
        .end();
    });
    const { url } = await startProxy(target);
    const { status, headers } = await send(`${url}/api/v1/task`);
    expect(status).toBe(308);
    expect(headers[headers.indexOf('location') + 1]).toBe(passed);
  });

  it('is the proxy itself, at once or through another: one line, and 508', async () => {
    const address = await closedPort();
    const proxy = createProxy({ target: address.replace('127.0.0.1', 'localhost') });
    closeLater(() => proxy.close());
    await expect(proxy.listen({ port: Number(new URL(address).port) })).rejects.toThrow(
      /is the address of the proxy itself/,
    );
    const port = createDeferred<string>();
    const ring = createProxy({
      target: 'http://ring.example',
      fetch: async (input, init) => fetch(input.replace('http://ring.example', await port.promise), init),
    });
    closeLater(() => ring.close());
    port.settle((await ring.listen()).baseUrl);
    const { status, body } = await send(`${await port.promise}/api/v1/task`);
    expect([status, body.toString()]).toEqual([508, expect.stringMatching(/leads back to this proxy/)]);
  });
});
