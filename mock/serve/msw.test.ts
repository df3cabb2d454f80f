import { setupServer } from 'msw/node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MSW_CHECKS } from '../../test/support/serve/msw-checks.js';
import { Mock } from '../mock.js';
import { handlers } from './msw.js';

/** An unmodified client: it uses only an address and the global fetch. */
async function runTask(base_url: string, task: string): Promise<{ status: string; output: unknown }> {
  const headers = { apikey: 'k', 'content-type': 'application/json' };
  const created = await fetch(`${base_url}/api/v1/task`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ task }),
  });
  const { id } = (await created.json()).r;
  for (;;) {
    const result = await fetch(`${base_url}/api/v1/task/${id}?event_t=0`, { headers });
    const { r } = await result.json();
    if (result.status === 200) return r;
  }
}

const BASE_URL = 'https://service.example';
let mock: Mock;
const server = setupServer();

beforeEach(() => {
  mock = new Mock({ clock: 'skipping' });
  server.listen({ onUnhandledRequest: 'error' });
  server.use(...handlers(mock, { baseUrl: BASE_URL }));
});
afterEach(async () => {
  server.close();
  server.resetHandlers();
  await mock.close();
});

describe('MSW handlers', () => {
  it('let a client run a task at an address without a server', async () => {
    const task = await runTask(BASE_URL, 'Find tea');
    expect(task.status).toBe('done');
    expect(task.output).toBeTypeOf('string');
    expect(mock.journal({ kind: 'create' })).toHaveLength(1);
  });

  it('let a page of another origin send the key in a cookie', async () => {
    const headers = { origin: 'https://shop.example', cookie: 'apikey=k' };
    const response = await fetch(`${BASE_URL}/api/v1/usage`, { headers });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-credentials': 'true',
    });
  });

  it('serve the addresses in the responses', async () => {
    await runTask(BASE_URL, 'Find tea');
    const headers = { apikey: 'k' };
    const { r } = await (await fetch(`${BASE_URL}/api/v1/task?l=1`, { headers })).json();
    const live = await fetch(r[0].live_url);
    expect([live.status, await live.text()]).toEqual([200, expect.stringContaining('Find tea')]);
  });

  it('serve addresses below a path, and those of billing', async () => {
    const baseUrl = `${BASE_URL}/sub`;
    server.resetHandlers(...handlers(mock, { baseUrl }));
    await runTask(baseUrl, 'Find tea');
    const headers = { apikey: 'k' };
    const { r } = await (await fetch(`${baseUrl}/api/v1/task?l=1`, { headers })).json();
    expect(r[0].live_url.startsWith(`${baseUrl}/live/`)).toBe(true);
    expect((await fetch(r[0].live_url)).status).toBe(200);
    expect((await fetch(`${baseUrl}/billing/nobody`)).status).toBe(404);
    const elsewhere = new Mock({ origin: 'https://given.example' });
    handlers(elsewhere, { baseUrl });
    expect(elsewhere.baseUrl).toBe('https://given.example');
    await elsewhere.close();
  });

  it('serve a path, and pass the rest of the host on', async () => {
    server.resetHandlers(...handlers(mock, { baseUrl: `${BASE_URL}/sub/` }));
    const result = await fetch(`${BASE_URL}/sub/api/v1/usage`, { headers: { apikey: 'k' } });
    expect([result.status, Object.keys((await result.json()).r)]).toEqual([
      200,
      expect.arrayContaining(['credits']),
    ]);
    for (const path of ['/api/v1/usage', '/sub/__admin/health', '/sub/other']) {
      await expect(fetch(BASE_URL + path)).rejects.toThrow();
    }
  });

  it('transfer uploads, errors and headers', async () => {
    const form = new FormData();
    form.set('file', new File(['tea'], 'tea.txt'));
    const upload = await fetch(`${BASE_URL}/api/v1/file`, {
      method: 'POST',
      headers: { apikey: 'k' },
      body: form,
    });
    expect((await upload.json()).r.id).toBeTypeOf('string');
    const refused = await fetch(`${BASE_URL}/api/v1/usage`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/json']);
  });

  it('accept base addresses that end in /api or /api/v1 too', async () => {
    for (const baseUrl of [`${BASE_URL}/`, `${BASE_URL}/api`, `${BASE_URL}/api/v1`, `${BASE_URL}/api/v1/`]) {
      server.resetHandlers(...handlers(mock, { baseUrl }));
      const result = await fetch(`${BASE_URL}/api/v1/usage`, { headers: { apikey: 'k' } });
      expect(result.status, baseUrl).toBe(200);
    }
  });

  it('pass everything else on', async () => {
    await expect(fetch(`${BASE_URL}/elsewhere`)).rejects.toThrow();
    await expect(fetch('https://other.example/api/v1/usage')).rejects.toThrow();
    expect(mock.journal()).toEqual([]);
  });

  it.each(Object.entries(MSW_CHECKS))('MSW %s', (_, check) =>
    check({ server, createMock: (options) => new Mock(options), handlers }),
  );

  it('abort in the middle of a body', async () => {
    await mock.network.set([{ network: 'truncate', bytes: 10 }]);
    const result = await fetch(`${BASE_URL}/api/v1/usage`, { headers: { apikey: 'k' } });
    expect(result.status).toBe(200);
    await expect(result.text()).rejects.toThrow(TypeError);
  });

  it('accept an address in any spelling', async () => {
    for (const baseUrl of ['HTTPS://Service.Example', 'https://service.example:443/']) {
      server.resetHandlers(...handlers(mock, { baseUrl }));
      expect(mock.baseUrl, baseUrl).toBe(BASE_URL);
      expect((await fetch(`${BASE_URL}/api/v1/usage`, { headers: { apikey: 'k' } })).status).toBe(200);
    }
  });

  it('resolve a path against the page’s own host', async () => {
    vi.stubGlobal('location', new URL('https://page.example/deep/index.html'));
    for (const [baseUrl, meant] of [
      ['/', 'https://page.example'],
      ['', 'https://page.example'],
      ['/service/', 'https://page.example/service'],
      ['service', 'https://page.example/deep/service'],
      ['/api/v1', 'https://page.example'],
    ] as const) {
      server.resetHandlers(...handlers(mock, { baseUrl }));
      expect(mock.baseUrl, baseUrl).toBe(meant);
      const result = await fetch(`${meant}/api/v1/usage`, { headers: { apikey: 'k' } });
      expect(result.status, baseUrl).toBe(200);
    }
    vi.unstubAllGlobals();
  });

  it('report an invalid address', () => {
    const given = (baseUrl: string) => () => handlers(mock, { baseUrl });
    expect(given('/service')).toThrow(
      'baseUrl: expected an address such as https://service.example, got "/service"',
    );
    expect(given('ftp://service.example')).toThrow('got "ftp://service.example"');
    expect(given('http://')).toThrow(TypeError);
    expect(given('https://service.example/x?x=1')).toThrow(
      'baseUrl: expected an address that ends with its path, such as https://service.example/x, got "https://service.example/x?x=1": leave the query "?x=1" out, because clients append their paths to this address',
    );
    expect(given('https://service.example#top')).toThrow(
      'such as https://service.example, got "https://service.example#top": leave "#top" out',
    );
    const misspelt = { baseUrl: BASE_URL, baseURL: BASE_URL };
    expect(() => handlers(mock, misspelt)).toThrow('handlers: unknown key "baseURL"; did you mean baseUrl?');
    expect(given(7 as never)).toThrow('handlers: baseUrl: expected a text; found 7');
  });

  it('report why a mock could not be created', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const broken = new Mock({ scenarios: ['no/such/file.yaml'] });
    server.resetHandlers(...handlers(broken, { baseUrl: BASE_URL }));
    const result = await fetch(`${BASE_URL}/api/v1/usage`, { headers: { apikey: 'k' } });
    expect([result.status, await result.text()]).toEqual([500, expect.stringContaining('no/such/file.yaml')]);
    expect(logged.mock.calls.join()).toContain('no/such/file.yaml');
    logged.mockRestore();
  });

  it('fail like fetch if the network loses a response', async () => {
    await mock.network.set([{ network: 'drop', side: 'response' }]);
    const lost = fetch(`${BASE_URL}/api/v1/usage`, { headers: { apikey: 'k' } });
    await expect(lost).rejects.toThrow(TypeError);
    expect(mock.journal()[0]!.response).toBeUndefined();
  });
});
