import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../spec/vocabulary.js';
import { exchangeBytes } from '../../test/support/proxy/raw.js';
import { Mock } from '../mock.js';
import { replayMock } from '../replay/replay-mock.js';

const PAGE = { origin: 'http://shop.example:8080' };
const OPEN = {
  'access-control-allow-origin': PAGE.origin,
  'access-control-allow-credentials': 'true',
  vary: 'origin',
};

let open: { close(): Promise<void> } | undefined;
afterEach(() => open?.close());

function create(...options: ConstructorParameters<typeof Mock>) {
  const mock = new Mock({ clock: 'manual', ...options[0] });
  open = mock;
  return mock;
}

type Send = (path: string, headers: Record<string, string>, method?: string) => Promise<Response>;

const TRANSPORTS: readonly [string, (mock: Mock) => Send | Promise<Send>][] = [
  ['fetch', (mock) => (path, headers, method) => mock.fetch(path, { headers, method: method ?? 'GET' })],
  [
    'HTTP',
    async (mock) => {
      const { baseUrl } = await mock.listen();
      return (path, headers, method) => fetch(baseUrl + path, { headers, method: method ?? 'GET' });
    },
  ],
];

describe.each(TRANSPORTS)('a page of another origin, over %s', (_, connect) => {
  it('may send a cookie', async () => {
    const send = await connect(create());
    const found = await send('/api/v1/usage', { ...PAGE, cookie: 'apikey=k' });
    expect(found.status).toBe(200);
    expect(Object.fromEntries(found.headers)).toMatchObject(OPEN);
    const refused = await send('/api/v1/usage', PAGE);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, PAGE.origin]);
  });

  it('may send a preflight request', async () => {
    const send = await connect(create());
    const preflightHeaders = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'apikey,x-own',
    };
    const preflight = await send('/api/v1/task', { ...PAGE, ...preflightHeaders }, 'OPTIONS');
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      ...OPEN,
      'access-control-allow-headers': 'apikey,x-own',
    });
  });

  it('cannot use the admin API', async () => {
    const send = await connect(create());
    for (const method of ['GET', 'OPTIONS']) {
      const refused = await send('/__admin/health', PAGE, method);
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect([...refused.headers.keys()].filter((name) => /^access-control|vary/.test(name))).toEqual([]);
    }
  });

  it('is in no journal, and does not change responses to other clients', async () => {
    const recorded: Exchange[] = [];
    const mock = create({ onRecord: (each) => recorded.push(each) });
    const send = await connect(mock);
    await send('/api/v1/usage', { ...PAGE, apikey: 'k' });
    const other = await send('/api/v1/usage', { apikey: 'k' });
    expect(other.headers.get('access-control-allow-origin')).toBe('*');
    expect(other.headers.has('vary')).toBe(false);
    const [first, second] = mock.journal().map(({ response }) => response?.headers);
    expect(first).toEqual(second);
    expect(recorded[0]!.response!.headers).toEqual(recorded[1]!.response!.headers);
    const replay = replayMock(recorded);
    const again = await replay.fetch('/api/v1/usage', { headers: { ...PAGE, apikey: 'k' } });
    expect(Object.fromEntries(again.headers)).toMatchObject(OPEN);
  });
});

it('a compressed response varies by both', async () => {
  const mock = create({ network: [{ network: 'compress' }] });
  const { port } = await mock.listen();
  const got = await exchangeBytes(
    port,
    `GET /api/v1/usage HTTP/1.1\r\nhost: x\r\napikey: k\r\norigin: ${PAGE.origin}\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n`,
  );
  const [head, body] = got.split('\r\n\r\n');
  expect(head).toMatch(/^vary: origin, accept-encoding\r?$/m);
  expect(gunzipSync(Buffer.from(body!, 'latin1')).toString()).toContain('credits');
});

it('an origin that no header can have is not echoed', async () => {
  const response = await create().fetch('/api/v1/usage', { headers: { origin: 'a\nb', apikey: 'k' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});
