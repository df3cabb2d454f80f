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
function readAnswer(text: string): { status: number; type: string | undefined; body: string } {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    type: /^content-type: *(.*)$/im.exec(head)?.[1]?.trim(),
    body,
  };
}

describe('the API over HTTP', () => {
  it('gives each request of a browser a connection of its own, and keeps those of others', async () => {
    const { url } = await start();
    const usage = (headers: Record<string, string>) =>
      request(url)
        .get('/api/v1/usage')
        .set({ apikey: 'k', connection: 'keep-alive', ...headers });
    await usage({ 'sec-fetch-site': 'same-origin' }).expect('connection', 'close');
    // As Node's fetch sends it.
    await usage({ 'sec-fetch-mode': 'cors' }).expect('connection', 'keep-alive');
  });

  it('answers operations of every kind of input', async () => {
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
  it('loses a request: the connection closes without an answer', async () => {
    const { url, port } = await start({
      network: [{ network: 'drop', of: { create: true }, side: 'request' }],
    });
    const sent =
      'POST /api/v1/task HTTP/1.1\r\nhost: a\r\napikey: k\r\ncontent-length: 13\r\n\r\n{"task":null}';
    expect(await exchangeBytes(port, sent)).toBe('');
    await request(url).get('/api/v1/task').set('apikey', 'k').expect(200, { r: [] });
  });

  it('loses an answer: the service has done what was asked', async () => {
    const { url } = await start({ network: [{ network: 'drop', of: { create: true }, side: 'response' }] });
    await expect(
      fetch(`${url}/api/v1/task`, { method: 'POST', headers: { apikey: 'k' }, body: '{"task":null}' }),
    ).rejects.toThrow(TypeError);
    const listed = await request(url).get('/api/v1/task').set('apikey', 'k');
    expect(listed.body.r).toHaveLength(1);
  });

  it('cuts an answer short: fewer bytes than the headers promise', async () => {
    const { url } = await start({ network: [{ network: 'truncate', bytes: 5 }] });
    const { hostname, port } = new URL(url);
    const got = await new Promise<{ promised: number; text: string; complete: boolean }>(
      (resolve, reject) => {
        const sent = httpRequest(
          { hostname, port, path: '/api/v1/usage', headers: { apikey: 'k' } },
          (answer) => {
            let text = '';
            answer.setEncoding('utf8').on('data', (chunk) => {
              text += chunk;
            });
            answer.on('error', () => {});
            answer.once('close', () =>
              resolve({
                promised: Number(answer.headers['content-length']),
                text,
                complete: answer.complete,
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

describe('a client that goes away', () => {
  it('is not waited for: what the network held for it is let go', async () => {
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

describe('what is not HTTP, or too much of it', () => {
  it('is answered as JSON with a detail', async () => {
    const { port } = await start();
    const answer = readAnswer(await exchangeBytes(port, 'NONSENSE\r\n\r\n'));
    expect(answer).toMatchObject({ status: 400, type: 'application/json' });
    expect(JSON.parse(answer.body).detail).toMatch(/HTTP\/1\.1/);
  });

  it('is told when its headers are too large', async () => {
    const { port } = await start();
    const headers = `GET /api/v1/usage HTTP/1.1\r\nhost: a\r\napikey: ${'k'.repeat(40_000)}\r\n\r\n`;
    const answer = readAnswer(await exchangeBytes(port, headers));
    expect(answer).toMatchObject({ status: 431, type: 'application/json' });
    expect(JSON.parse(answer.body).detail).toMatch(/32 KiB/);
  });

  it('is told when its body is too large, with or without a length', async () => {
    const { url } = await start({ dialect: { 'limits.body-size': 2048 } });
    const large = JSON.stringify({ task: 'x'.repeat(4096) });
    const answer = await request(url).post('/api/v1/task').set('apikey', 'k').type('json').send(large);
    expect(answer.status).toBe(413);
    expect(answer.body.detail).toBe(
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

  it('is told when its body is not UTF-8', async () => {
    const { port } = await start();
    const head =
      'POST /api/v1/task HTTP/1.1\r\nhost: a\r\napikey: k\r\nconnection: close\r\ncontent-length: 12\r\n\r\n';
    const body = Buffer.concat([Buffer.from('{"task":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const answer = readAnswer(await exchangeBytes(port, Buffer.concat([Buffer.from(head), body])));
    expect(answer).toMatchObject({ status: 422, type: 'application/json' });
    expect(JSON.stringify(JSON.parse(answer.body).detail)).toMatch(/UTF-8/);
  });

  it('does not end the server when a client goes away in the middle', async () => {
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

describe('a fault of the mock itself', () => {
  it('is a 500 for that request, told once, and the server goes on', async () => {
    const told: unknown[] = [];
    const { url } = await start({ onFault: (error) => told.push(error) });
    const { pipeline } = getService(mock!);
    const handle = pipeline.handle.bind(pipeline);
    let broken = true;
    pipeline.handle = (wire) => {
      if (broken) throw new Error('the roof is leaking');
      return handle(wire);
    };
    const answer = await request(url).get('/api/v1/usage').set('apikey', 'k');
    expect(answer.status).toBe(500);
    expect(answer.body.detail).not.toContain('roof');
    expect(told.map(String)).toEqual(['Error: the roof is leaking']);
    broken = false;
    await request(url).get('/api/v1/usage').set('apikey', 'k').expect(200);
  });
});
