import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import request from 'supertest';
import { afterEach, describe, expect, it } from 'vitest';
import { exchangeBytes } from '../../test/support/proxy/raw.js';
import { Mock } from '../mock.js';
import type { MockOptions } from '../options/mock-options.js';
import { getService } from '../service.js';

let mock: Mock | undefined;
afterEach(() => mock?.close());

async function start(options: MockOptions = {}): Promise<{ url: string; port: number }> {
  mock = new Mock({ clock: 'manual', ...options });
  const { baseUrl, port } = await mock.listen();
  return { url: baseUrl, port };
}

/** Parses the result of `exchangeBytes`. */
function readResponse(text: string): { status: number; type: string | undefined; body: string } {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    type: /^content-type: *(.*)$/im.exec(head)?.[1]?.trim(),
    body,
  };
}

describe('the API over HTTP', () => {
  it('uses a new connection for each request of a browser, and keeps those of other clients', async () => {
    const { url } = await start();
    const usage = (headers: Record<string, string>) =>
      request(url)
        .get('/api/v1/usage')
        .set({ apikey: 'k', connection: 'keep-alive', ...headers });
    await usage({ 'sec-fetch-site': 'same-origin' }).expect('connection', 'close');
    // As Node's fetch sends it.
    await usage({ 'sec-fetch-mode': 'cors' }).expect('connection', 'keep-alive');
  });

  it('responds to operations with every kind of input', async () => {
    const { url } = await start();
    const api = () => request(url);
    const created = await api().post('/api/v1/task').set('apikey', 'k').send({ task: 'Find tea', url: null });
    expect(created.status).toBe(200);
    const { id } = created.body.r;
    await api()
      .get(`/api/v1/task/${id}?event_t=0`)
      .set('apikey', 'k')
      .expect(202)
      .expect('content-type', 'application/json');
    await api().get('/api/v1/task?l=1').set('apikey', 'k').expect(200);
    await api().get('/api/v1/task?l=129').set('apikey', 'k').expect(422);
    await api().post('/api/v1/topup?amount=5').set('apikey', 'k').expect(200);
    const upload = await api()
      .post('/api/v1/file')
      .set('apikey', 'k')
      .attach('file', Buffer.from('tea'), 'tea.txt');
    expect(upload.body.r.id).toBeTypeOf('string');
    await api().delete(`/api/v1/file/${upload.body.r.id}`).set('apikey', 'k').expect(200, { r: true });
    await api().delete(`/api/v1/task/${id}`).set('apikey', 'k').expect(200);
    await api().get('/api/v1/nothing').set('apikey', 'k').expect(404);
    await api().patch('/api/v1/task').set('apikey', 'k').expect(405).expect('allow', /GET/);
    await api().get('/api/v1/usage').expect(401);
    await api().get('/api/v1/usage').set('cookie', 'apikey=k').expect(200);
  });

  it('may be called from any page in a browser; the admin API may not', async () => {
    const { url } = await start();
    const page = { origin: 'https://shop.example' };
    await request(url)
      .get('/api/v1/usage')
      .set({ ...page, apikey: 'k' })
      .expect(200)
      .expect('access-control-allow-origin', page.origin);
    await request(url)
      .options('/api/v1/task')
      .set({ ...page, 'access-control-request-method': 'POST', 'access-control-request-headers': 'apikey' })
      .expect(204)
      .expect('access-control-allow-origin', page.origin)
      .expect('access-control-allow-headers', 'apikey');
    const refused = await request(url).get('/api/v1/usage').set(page);
    expect(refused.status).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe(page.origin);

    const admin = await request(url).get('/__admin/health').set(page);
    expect(admin.status).toBe(403);
    expect(admin.headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await request(url)
      .options('/__admin/reset')
      .set({ ...page, 'access-control-request-method': 'POST' });
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    expect(preflight.status).toBeGreaterThanOrEqual(400);
  });
});

describe('a network that fails', () => {
  it('loses a request: the connection closes without a response', async () => {
    const { url, port } = await start({
      network: [{ network: 'drop', of: { create: true }, side: 'request' }],
    });
    const sent =
      'POST /api/v1/task HTTP/1.1\r\nhost: a\r\napikey: k\r\ncontent-length: 13\r\n\r\n{"task":null}';
    expect(await exchangeBytes(port, sent)).toBe('');
    await request(url).get('/api/v1/task').set('apikey', 'k').expect(200, { r: [] });
  });

  it('loses a response: the service has handled the request', async () => {
    const { url } = await start({ network: [{ network: 'drop', of: { create: true }, side: 'response' }] });
    await expect(
      fetch(`${url}/api/v1/task`, { method: 'POST', headers: { apikey: 'k' }, body: '{"task":null}' }),
    ).rejects.toThrow(TypeError);
    const listed = await request(url).get('/api/v1/task').set('apikey', 'k');
    expect(listed.body.r).toHaveLength(1);
  });

  it('truncates a response: fewer bytes than the headers announce', async () => {
    const { url } = await start({ network: [{ network: 'truncate', bytes: 5 }] });
    const { hostname, port } = new URL(url);
    const got = await new Promise<{ promised: number; text: string; complete: boolean }>(
      (resolve, reject) => {
        const sent = httpRequest(
          { hostname, port, path: '/api/v1/usage', headers: { apikey: 'k' } },
          (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (chunk) => {
              text += chunk;
            });
            response.on('error', () => {});
            response.once('close', () =>
              resolve({
                promised: Number(response.headers['content-length']),
                text,
                complete: response.complete,
              }),
            );
          },
        );
        sent.on('error', reject);
        sent.end();
      },
    );
    expect(got.text).toBe('{"r":');
    expect(got.promised).toBeGreaterThan(5);
    expect(got.complete).toBe(false);
  });
});

describe('a client that disconnects', () => {
  it('is not awaited: its pending requests are released', async () => {
    const { url } = await start({
      network: [{ network: 'hold', of: { operation: 'getUsage' }, until: { gate: 'never' } }],
    });
    const going = new AbortController();
    const left = fetch(`${url}/api/v1/usage`, { headers: { apikey: 'k' }, signal: going.signal });
    const inFlight = async () => (await request(url).get('/__admin/health')).body.in_flight;
    await until(async () => (await inFlight()) === 1);
    going.abort();
    await expect(left).rejects.toThrow(/abort/i);
    await until(async () => (await inFlight()) === 0);
  });
});

/** Repeats until the condition holds; the test's own time-out is the limit. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}

describe('invalid or too large HTTP', () => {
  it('gets a JSON response with a detail', async () => {
    const { port } = await start();
    const response = readResponse(await exchangeBytes(port, 'NONSENSE\r\n\r\n'));
    expect(response).toMatchObject({ status: 400, type: 'application/json' });
    expect(JSON.parse(response.body).detail).toMatch(/HTTP\/1\.1/);
  });

  it('is reported if its headers are too large', async () => {
    const { port } = await start();
    const headers = `GET /api/v1/usage HTTP/1.1\r\nhost: a\r\napikey: ${'k'.repeat(40_000)}\r\n\r\n`;
    const response = readResponse(await exchangeBytes(port, headers));
    expect(response).toMatchObject({ status: 431, type: 'application/json' });
    expect(JSON.parse(response.body).detail).toMatch(/32 KiB/);
  });

  it('is reported if its body is too large, with or without a length', async () => {
    const { url } = await start({ dialect: { 'limits.body-size': 2048 } });
    const large = JSON.stringify({ task: 'x'.repeat(4096) });
    const response = await request(url).post('/api/v1/task').set('apikey', 'k').type('json').send(large);
    expect(response.status).toBe(413);
    expect(response.body.detail).toBe(
      'The body is larger than this service takes: 2048 bytes (limits.body-size).',
    );
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: { apikey: 'k' }, body: stream, duplex: 'half' } as RequestInit;
    const chunked = await fetch(`${url}/api/v1/task`, init);
    expect([chunked.status, Object.keys(await chunked.json())]).toEqual([413, ['detail']]);
    const small = await request(url).post('/api/v1/task').set('apikey', 'k').send({ task: 'x' });
    expect(small.status).toBe(200);
  });

  it('is reported if its body is not UTF-8', async () => {
    const { port } = await start();
    const head =
      'POST /api/v1/task HTTP/1.1\r\nhost: a\r\napikey: k\r\nconnection: close\r\ncontent-length: 12\r\n\r\n';
    const body = Buffer.concat([Buffer.from('{"task":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const response = readResponse(await exchangeBytes(port, Buffer.concat([Buffer.from(head), body])));
    expect(response).toMatchObject({ status: 422, type: 'application/json' });
    expect(JSON.stringify(JSON.parse(response.body).detail)).toMatch(/UTF-8/);
  });

  it('does not end the server when a client disconnects early', async () => {
    const { url, port } = await start();
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('POST /api/v1/task HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"ta', () =>
          socket.destroy(),
        );
      });
      socket.once('close', () => resolve());
    });
    await request(url).get('/api/v1/usage').set('apikey', 'k').expect(200);
  });
});

describe('an internal error of the mock', () => {
  it('is a 500 for that request, reported once, and the server continues', async () => {
    const faults: unknown[] = [];
    const { url } = await start({ onFault: (error) => faults.push(error) });
    const { pipeline } = getService(mock!);
    const handle = pipeline.handle.bind(pipeline);
    let broken = true;
    pipeline.handle = (wire) => {
      if (broken) throw new Error('the roof is leaking');
      return handle(wire);
    };
    const response = await request(url).get('/api/v1/usage').set('apikey', 'k');
    expect(response.status).toBe(500);
    expect(response.body.detail).not.toContain('roof');
    expect(faults.map(String)).toEqual(['Error: the roof is leaking']);
    broken = false;
    await request(url).get('/api/v1/usage').set('apikey', 'k').expect(200);
  });
});
