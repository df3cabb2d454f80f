import { createHash, randomBytes } from 'node:crypto';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { SELF_SIGNED } from '../../test/support/proxy/self-signed.js';
import {
  closeAll,
  closeLater,
  createDeferred,
  send,
  startProxy,
  startService,
} from '../../test/support/proxy/servers.js';

afterEach(closeAll);

const JSON_TYPE = { 'content-type': 'application/json' };

/** Headers without those of the connection. */
function ofMessage(headers: readonly string[]): string[] {
  return headers.filter((_, at) => !/^(connection|keep-alive)$/i.test(headers[at - (at % 2)]!));
}

describe('what a proxy forwards', () => {
  it('is the response as it was sent: status, reason, headers in their order and case, every byte', async () => {
    const body = Buffer.from([0, 255, 254, 13, 10, 0x80]);
    const target = await startService((_, response) => {
      response.sendDate = false;
      response.writeHead(207, 'As You Like It', [
        ...[
          'X-Second',
          'b',
          'Content-Type',
          'application/octet-stream',
          'set-cookie',
          'a=1',
          'Set-Cookie',
          'b=2',
        ],
        ...['X-First', 'a', 'Content-Length', '6'],
      ]);
      response.end(body);
    });
    const { url } = await startProxy(target);
    const direct = await send(`${target}/api/v1/usage`);
    const passed = await send(`${url}/api/v1/usage`);
    expect(passed.status).toBe(207);
    expect(passed.reason).toBe('As You Like It');
    expect(passed.body).toEqual(body);
    expect(ofMessage(passed.headers)).toEqual(ofMessage(direct.headers));
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('is an unchanged body in %s, which rules can read', async (encoding, compress) => {
    const text = JSON.stringify({ r: { id: 't1', status: 'running', live_url: 'http://live.example' } });
    const body = compress(text);
    const target = await startService((_, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': encoding }).end(body);
    });
    const { proxy, url } = await startProxy(target);
    const passed = await send(`${url}/api/v1/task/t1`, { headers: { apikey: 'k' } });
    expect(passed.body).toEqual(body);
    expect(passed.headers.join()).toContain(`content-encoding,${encoding}`);
    const [exchange] = proxy.journal();
    expect(exchange!.response!.body).toBe(text);
    expect(exchange!.notes).toEqual([`the body was compressed: ${encoding}`]);
  });

  it.each([200, 204, 304])('is a response without a body: HEAD, and GET with %i', async (status) => {
    const target = await startService((request, response) => {
      const length = request.method === 'HEAD' ? { 'content-length': '1234' } : {};
      response.writeHead(status, { etag: '"x"', ...length }).end();
    });
    const { url } = await startProxy(target);
    const head = await send(`${url}/api/v1/usage`, { method: 'HEAD' });
    const get = await send(`${url}/api/v1/usage`);
    expect([head.status, get.status, head.body.length, get.body.length]).toEqual([status, status, 0, 0]);
    if (status === 200) expect(head.headers.join()).toContain('content-length,1234');
  });

  it('is the request as it was sent, at the target and below its base path', async () => {
    const seen: { method?: string; url?: string; headers: string[]; body: string }[] = [];
    const target = await startService(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = '', url = '', rawHeaders: headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.end('{}');
    });
    const { url } = await startProxy(`${target}/some/base/api/v1/`);
    await send(`${url}/api/v1/task/a%2Fb?event_t=0&x=%20y`, {
      method: 'PATCH',
      headers: {
        'X-Mixed-Case': 'V',
        apikey: 'the-key',
        connection: 'close, x-of-this-hop',
        'x-of-this-hop': '1',
        te: 'trailers',
        'proxy-authorization': 'Basic eA==',
        ...JSON_TYPE,
      },
      body: '{"é":1}',
    });
    await send(`${url}/elsewhere`);
    const [first, second] = seen;
    expect(first).toMatchObject({
      method: 'PATCH',
      url: '/some/base/api/v1/task/a%2Fb?event_t=0&x=%20y',
      body: '{"é":1}',
    });
    const text = first!.headers.join('|');
    expect(text).toContain('X-Mixed-Case|V|apikey|the-key');
    expect(text).toContain(`|${new URL(target).host}|`);
    expect(text).toMatch(/\|via\|1\.1 taskdouble-/);
    expect(text).not.toMatch(/x-of-this-hop|trailers|proxy-authorization/);
    expect(second!.url).toBe('/some/base/elsewhere');
  });

  it('is an upload, however large, byte for byte', async () => {
    const file = randomBytes(5 * 1024 * 1024);
    const target = await startService((request, response) => {
      const hash = createHash('sha256');
      request.on('data', (chunk) => hash.update(chunk)).on('end', () => response.end(hash.digest('hex')));
    });
    const { proxy, url } = await startProxy(target);
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const expected = createHash('sha256').update(file).digest('hex');
    for (const headers of [type, { ...type, 'transfer-encoding': 'chunked' }]) {
      const passed = await send(`${url}/api/v1/file`, { method: 'POST', headers, body: file });
      expect(passed.body.toString()).toBe(expected);
    }
    expect(proxy.journal().map(({ request }) => request.left_out)).toEqual([0, 0]);
  });

  it('is a streamed body: each part arrives before the rest is sent', async () => {
    const goOn = createDeferred();
    const target = await startService(async (_, response) => {
      response.writeHead(200, JSON_TYPE).write('{"r":');
      await goOn.promise;
      response.end('1}');
    });
    const { proxy, url } = await startProxy(target);
    const response = await fetch(`${url}/api/v1/usage`);
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('{"r":');
    goOn.settle();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('1}');
    expect((await reader.read()).done).toBe(true);
    expect(proxy.journal()[0]!.response!.body).toBe('{"r":1}');
  });

  it('ends an endless body and a pending request when the client disconnects', async () => {
    const gone = [createDeferred(), createDeferred()];
    const arrived = createDeferred();
    const target = await startService((request, response) => {
      const isBody = request.url!.endsWith('usage');
      response.once('close', () => gone[isBody ? 0 : 1]!.settle());
      if (isBody) response.writeHead(200).write('x');
      else arrived.settle();
    });
    const notes: unknown[] = [];
    const { proxy, url } = await startProxy(target, {
      onExchange: ({ response, network }) =>
        notes.push([response, network?.map(({ effect, note }) => `${effect}: ${note}`)]),
    });
    const abort = new AbortController();
    const endless = await fetch(`${url}/api/v1/usage`, { signal: abort.signal });
    await endless.body!.getReader().read();
    const waiting = fetch(`${url}/api/v1/org`, { signal: abort.signal }).catch(() => 'aborted');
    await arrived.promise;
    abort.abort();
    expect(await waiting).toBe('aborted');
    await Promise.all(gone.map(({ promise }) => promise));
    await proxy.close();
    expect(proxy.journal().map(({ response }) => response)).toEqual([]);
    expect(notes.sort()).toEqual([
      [undefined, ['lost: the client closed the connection before it had the whole response']],
      [undefined, ['lost: the client closed the connection before the target had responded']],
    ]);
  });

  it('records that a request was open when the proxy ended, and blames neither side', async () => {
    const arrived = createDeferred();
    const target = await startService(() => arrived.settle());
    const notes: unknown[] = [];
    const { proxy, url } = await startProxy(target, {
      onExchange: ({ response, network }) => notes.push([response, network?.map(({ note }) => note)]),
    });
    const headers = { apikey: 'k' };
    const waiting = fetch(`${url}/api/v1/org`, { headers }).catch(() => 'aborted');
    await arrived.promise;
    await proxy.close();
    expect(await waiting).toBe('aborted');
    expect(notes).toEqual([[undefined, ['the proxy was ended before the target had responded']]]);
    expect(proxy.findings()).toEqual([]);
  });

  it('aborts a body where the target aborts it', async () => {
    const target = await startService((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"r":', () => response.destroy());
    });
    const seen: unknown[] = [];
    const { url } = await startProxy(target, { onExchange: ({ network }) => seen.push(network) });
    await expect(send(`${url}/api/v1/usage`)).rejects.toThrow(/aborted|hang up/);
    expect(seen).toEqual([[{ effect: 'cut', note: 'the target aborted the response in its body' }]]);
  });

  it.each(['HTTP/1.1', 'HTTP/1.1 and HTTP/2'])(
    'goes over HTTP/1.1 to an https target with %s',
    async (spoken) => {
      const serve = (
        request: { httpVersion: string; url?: string },
        response: { end(text: string): unknown },
      ) => response.end(`${request.httpVersion} ${request.url}`);
      const server =
        spoken === 'HTTP/1.1'
          ? createTlsServer(SELF_SIGNED, serve)
          : createSecureServer({ ...SELF_SIGNED, allowHTTP1: true }, serve);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const target = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { proxy, url } = await startProxy(target, { insecure: true });
      closeLater(() => new Promise((resolve) => server.close(resolve)));
      closeLater(() => proxy.close());
      expect((await send(`${url}/api/v1/usage`)).body.toString()).toBe('1.1 /api/v1/usage');
      await proxy.checkReachable();
      const strict = await startProxy(target);
      const refused = await send(`${strict.url}/api/v1/usage`);
      expect([refused.status, refused.body.toString()]).toEqual([
        502,
        expect.stringMatching(/self-signed.*--insecure/),
      ]);
      await expect(strict.proxy.checkReachable()).rejects.toThrow(/self-signed.*--insecure/);
    },
  );

  it('refuses invalid HTTP, and continues', async () => {
    const target = await startService((_, response) => response.end('{}'));
    const { url, port } = await startProxy(target);
    const socket = connect(port, '127.0.0.1', () => socket.write('no http\r\n\r\n'));
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect((await send(`${url}/x`)).status).toBe(200);
  });
});
