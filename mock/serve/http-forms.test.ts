import { afterEach, describe, expect, it } from 'vitest';
import { exchangeBytes } from '../../test/support/proxy/raw.js';
import { Mock } from '../mock.js';
import type { MockOptions } from '../options/mock-options.js';

let mock: Mock | undefined;
afterEach(() => mock?.close());

async function start(options: MockOptions = {}) {
  mock = new Mock({ clock: 'manual', ...options });
  return mock.listen();
}

const get = (target: string, more = '') =>
  `GET ${target} HTTP/1.1\r\nhost: localhost\r\napikey: k\r\n${more}\r\n`;
const LAST = 'connection: close\r\n';

describe('the HTTP transport', () => {
  it.each([
    ['the API', 'http://localhost:4010/api/v1/usage'],
    ['the admin API', 'http://localhost:4010/__admin/health'],
    ['a page', 'http://localhost:4010'],
  ])('accepts the absolute address as proxies send it: %s', async (_, target) => {
    const { port } = await start();
    expect(await exchangeBytes(port, get(target, LAST))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    [
      'no Host',
      'GET /api/v1/usage HTTP/1.1\r\napikey: k\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 .*\{"detail":"The request has no Host header/s,
    ],
    [
      'an odd Expect',
      get('/api/v1/usage', `expect: a-miracle\r\n${LAST}`),
      /^HTTP\/1\.1 417 .*\{"detail":"Expect: a-miracle/s,
    ],
  ])('responds in JSON to a request with %s', async (_, sent, expected) => {
    const { port } = await start();
    expect(await exchangeBytes(port, sent)).toMatch(expected);
  });

  it('closes the connection for a lost response, also behind a pending one', async () => {
    const network = [
      { network: 'hold', until: { gate: 'go' }, of: { operation: 'getUsage' } },
      { network: 'drop', side: 'response', of: { operation: 'getOrganisation' } },
    ] as const;
    const { port } = await start({ network });
    expect(await exchangeBytes(port, get('/api/v1/usage') + get('/api/v1/org'))).toBe('');
  });

  it('accepts its own state through the admin API, in any size', async () => {
    const { baseUrl, adminUrl } = await start({ dialect: { 'limits.body-size': 2000 } });
    const headers = { apikey: 'k', 'content-type': 'application/json' };
    const body = JSON.stringify({ task: 'x'.repeat(1500) });
    await fetch(`${baseUrl}/api/v1/task`, { method: 'POST', headers, body });
    const state = await (await fetch(`${adminUrl}/state`)).text();
    expect(state.length).toBeGreaterThan(2000);
    expect((await fetch(`${adminUrl}/state`, { method: 'PUT', body: state })).status).toBe(200);
  });
});
