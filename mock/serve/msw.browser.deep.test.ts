import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageParts } from '../../test/support/browser-page/page.js';
import { bundle } from '../../test/support/bundle.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { type StaticServer, serveDirectory } from '../../test/support/static-server.js';

/** Code inside the page. */
declare const parts: PageParts;

requireBrowser('setupWorker');

describe.skipIf(chromium === undefined)('setupWorker in Chromium', () => {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-worker-'));
  let browser: Browser;
  let server: StaticServer;
  let page: Page;

  beforeAll(async () => {
    await bundle(join(import.meta.dirname, '../../test/support/browser-page'), { outDir: directory });
    server = await serveDirectory(directory);
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.goto(server.origin);
    await page.waitForFunction(() => 'parts' in globalThis);
  });
  beforeEach(() => page.evaluate(() => parts.worker.resetHandlers()));
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(['/', '', '/service', 'https://service.example', 'http://service.example:8080/below'])(
    'responds to fetch and XMLHttpRequest at %j',
    async (baseUrl) => {
      const results = await page.evaluate(async (baseUrl) => {
        const mock = parts.createMock();
        parts.worker.use(...parts.handlers(mock, { baseUrl }));
        const address = `${baseUrl.replace(/\/$/, '')}/api/v1/usage`;
        const fetched = await fetch(address, { headers: { apikey: 'k' } });
        const xhr = await new Promise<XMLHttpRequest>((resolve) => {
          const request = new XMLHttpRequest();
          request.open('GET', address);
          request.setRequestHeader('apikey', 'k');
          request.addEventListener('loadend', () => resolve(request));
          request.send();
        });
        const seen = mock.journal().length;
        await mock.close();
        return [fetched.status, await fetched.text(), xhr.status, xhr.responseText, seen, mock.baseUrl];
      }, baseUrl);
      const [status, text, ...others] = results;
      expect(JSON.parse(text as string).r).toHaveProperty('credits');
      const origin = new URL(baseUrl, server.origin).href.replace(/\/$/, '');
      expect([status, ...others]).toEqual([200, 200, text, 2, origin]);
    },
  );

  it('applies network faults: a lost response, a truncated body, a refusal', async () => {
    const outcome = await page.evaluate(async () => {
      const mock = parts.createMock();
      parts.worker.use(...parts.handlers(mock, { baseUrl: '/' }));
      const sendRequest = () => fetch('/api/v1/usage', { headers: { apikey: 'k' } });
      const nameOf = (error: Error) => error.name;
      await mock.network.set([{ network: 'drop', side: 'response' }]);
      const lost = await sendRequest().then(String, nameOf);
      await mock.network.set([{ network: 'truncate', bytes: 10 }]);
      const cut = await sendRequest().then((response) => response.text().then(String, nameOf));
      await mock.network.set([{ network: 'fail', status: 503 }]);
      const refused = await sendRequest().then(({ status }) => status);
      await mock.network.set([]);
      const well = await sendRequest().then(({ status }) => status);
      await mock.close();
      const closed = await sendRequest().then(String, nameOf);
      return { lost, cut, refused, well, closed };
    });
    expect(outcome).toEqual({
      lost: 'TypeError',
      cut: 'TypeError',
      refused: 503,
      well: 200,
      closed: 'TypeError',
    });
  });

  it('transfers uploads and downloads, byte for byte, and a page can abort', async () => {
    const outcome = await page.evaluate(async () => {
      const mock = parts.createMock({ clock: 'manual' });
      parts.worker.use(...parts.handlers(mock, { baseUrl: '/' }));
      const headers = { apikey: 'k' };
      const form = new FormData();
      form.set('file', new File([Uint8Array.from({ length: 256 }, (_, byte) => byte)], 'bytes.bin'));
      const upload = await fetch('/api/v1/file', { method: 'POST', headers, body: form });
      const file = (await upload.json()).r.id;
      const create = { method: 'POST', headers, body: JSON.stringify({ task: 'Find tea' }) };
      const { id } = (await (await fetch('/api/v1/task', create)).json()).r;
      const running = (await fetch(`/api/v1/task/${id}`, { headers })).status;
      await mock.clock.advance('10m');
      const done = (await fetch(`/api/v1/task/${id}`, { headers })).status;
      const zip = new Uint8Array(await (await fetch(`/downloads/${id}.zip`)).arrayBuffer());
      const own = new Uint8Array(await (await mock.fetch(`/downloads/${id}.zip`)).arrayBuffer());
      const leaving = new AbortController();
      await mock.network.set([{ network: 'delay', time: '60s' }]);
      const left = fetch('/api/v1/usage', { headers, signal: leaving.signal }).then(
        String,
        (e: Error) => e.name,
      );
      leaving.abort();
      const [kept] = mock.snapshot().organisations;
      const size = (new Map(kept!.state.records.files).get(file) as { size?: number } | undefined)?.size;
      return {
        running,
        done,
        size,
        same: String(zip) === String(own),
        zip: zip.length > 100,
        left: await left,
      };
    });
    expect(outcome).toEqual({
      running: 202,
      done: 200,
      size: 256,
      same: true,
      zip: true,
      left: 'AbortError',
    });
  });

  it('accepts light responses of a mock', async () => {
    const status = await page.evaluate(async () => {
      parts.worker.use(...parts.handlers(parts.createMock({ lightResponses: true }), { baseUrl: '/' }));
      const response = await fetch('/api/v1/usage', { headers: { apikey: 'k' } });
      return [response.status, Object.keys(await response.json())];
    });
    expect(status).toEqual([200, ['r']]);
  });

  it('passes everything else to the network', async () => {
    const before = server.asked.length;
    const statuses = await page.evaluate(async () => {
      parts.worker.use(...parts.handlers(parts.createMock(), { baseUrl: '/' }));
      const paths = ['/api/v2/usage', '/__admin/health', '/index.html'];
      return Promise.all(paths.map(async (path) => (await fetch(path)).status));
    });
    expect(statuses).toEqual([404, 404, 200]);
    expect(server.asked.slice(before).sort()).toEqual(['/__admin/health', '/api/v2/usage', '/index.html']);
  });

  it('plays the library, scenarios as objects, and shorthand network rules', async () => {
    const outcome = await page.evaluate(async () => {
      const own = {
        title: 'Says hello',
        request: { task: 'Say hello' },
        timeline: [{ service: 'finish', output: 'Hello' }],
      };
      const mock = parts.createMock({
        clock: 'skipping',
        scenarios: [own],
        network: 'fail 503 of poll times 1',
      });
      const headers = { apikey: 'k', 'content-type': 'application/json' };
      const run = async (body: object, more = {}) => {
        const init = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) };
        const created = await mock.fetch('/api/v1/task', init);
        const text = await created.text();
        if (!created.ok) return text;
        const address = `/api/v1/task/${JSON.parse(text).r.id}`;
        const statuses: number[] = [];
        for (;;) {
          const response = await mock.fetch(address, { headers });
          statuses.push(response.status);
          if (response.status === 200) return [...statuses, (await response.json()).r.output];
        }
      };
      const hello = await run({ task: 'Say hello' });
      const { length } = await mock.scenarios.list();
      const library = await run({ task: 'x' }, { 'x-taskdouble-scenario': 'polling/one-shot' });
      return { hello, scenarios: length, library, findings: mock.findings() };
    });
    expect(outcome.hello).toEqual([503, 200, 'Hello']);
    expect(outcome.scenarios).toBeGreaterThan(40);
    expect(outcome.library).toBeInstanceOf(Array);
    expect(outcome.findings).toEqual([]);
  });

  it('needs no eval, which the page forbids, for schemas, scenarios and fixtures', async () => {
    const outcome = await page.evaluate(async () => {
      const forbidden = await new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.blockedURI), {
          once: true,
        });
        // Not called by this script, which the debugger is allowed to run, but by a script of the page.
        setTimeout('0');
      });
      const mock = parts.createMock({
        clock: 'skipping',
        fixtures: { organisation: { plan: 'growth' } },
      });
      const headers = { apikey: 'k', 'content-type': 'application/json' };
      const create = (response_model: object) => {
        const body = JSON.stringify({ task: 'Find tea', response_model });
        return mock.fetch('/api/v1/task', { method: 'POST', headers, body });
      };
      const sku = { type: 'string', pattern: '^[A-Z]{3}$' };
      const created = await create({ type: 'object', properties: { sku }, required: ['sku'] });
      const { id } = (await created.json()).r;
      let response = await mock.fetch(`/api/v1/task/${id}`, { headers });
      while (response.status === 202) response = await mock.fetch(`/api/v1/task/${id}`, { headers });
      const refused = await create({ type: 'text' });
      const message = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.message);
      return {
        forbidden,
        output: (await response.json()).r.output,
        refused: [refused.status, await refused.text()],
        scenario: await message(
          parts.createMock({ scenarios: [{ title: 'a', request: { task: 'a' }, timelines: [] } as never] })
            .ready,
        ),
      };
    });
    expect(outcome.forbidden).toBe('eval');
    expect(outcome.output.sku).toMatch(/^[A-Z]{3}$/);
    expect(outcome.refused).toEqual([422, expect.stringContaining('draft 2020-12')]);
    expect(outcome.scenario).toContain('unknown key "timelines"; did you mean timeline?');
  });

  it('runs the script of an evaluate_js if the page allows WebAssembly, and reports it otherwise', async () => {
    const html = readFileSync(join(directory, 'index.html'), 'utf8');
    const allowing = html.replace("script-src 'self'", "$& 'wasm-unsafe-eval'");
    expect(allowing).not.toBe(html);
    writeFileSync(join(directory, 'wasm.html'), allowing);
    const allowed = await browser.newPage();
    await allowed.goto(`${server.origin}/wasm.html`);
    await allowed.waitForFunction(() => 'parts' in globalThis);
    const result = async () => {
      const mock = parts.createMock({ clock: 'manual' });
      const send = async (path: string, body?: object) => {
        const init = {
          method: body ? 'POST' : 'GET',
          headers: { apikey: 'k', 'content-type': 'application/json' },
        };
        const response = await mock.fetch(`/api/v1/task${path}`, {
          ...init,
          body: body && JSON.stringify(body),
        });
        return (await response.json()).r;
      };
      const { id } = await send('', { task: null });
      const payload = { name: 'evaluate_js', input: { js: '6*7' } };
      await send(`/${id}/event`, { id: 'script', name: 'browser_action', payload, timestamp: 1 });
      await mock.clock.advance('5s');
      const { events } = await send(`/${id}`);
      await mock.close();
      return events.find((event: { id: string }) => event.id === 'script').payload;
    };
    expect(await allowed.evaluate(result)).toMatchObject({ code: 200, output: { output: 42 } });
    expect(await page.evaluate(result)).toEqual({
      code: 500,
      output: expect.stringMatching(/^This mock cannot run scripts here.*WebAssembly/),
    });
  });

  it('reports what needs Node.js, and the alternative', async () => {
    const messages = await page.evaluate(async () => {
      const message = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.message);
      return Promise.all([
        message(parts.createMock().listen()),
        message(parts.createMock().time.run(() => {})),
        message(parts.createMock({ scenarios: ['scenarios/mine'] }).ready),
        message(parts.createMock({ fixtures: 'fixtures.yaml' }).ready),
        message(parts.createMock({ dialect: 'strict' }).ready),
        message(parts.createMock({ network: 'network.yaml' }).ready),
        message(parts.createMock({ network: 'flail 503' }).ready),
      ]);
    });
    expect(messages).toEqual([
      expect.stringMatching(
        /^mock\.listen\(\) opens a port.* requires Node\.js; in a browser hand mock\.fetch/,
      ),
      expect.stringMatching(/^mock\.time\.run makes the time of Node\.js virtual.*in a browser/),
      expect.stringMatching(/^scenarios: "scenarios\/mine" is the path.*give scenarios as objects/),
      expect.stringMatching(/^fixtures: "fixtures\.yaml" is the path.*give an object/),
      expect.stringMatching(/^dialect: "strict" is the name of a file.*give the choices/),
      expect.stringMatching(/^network: "network\.yaml" is the path.*rules/),
      expect.stringContaining('flail'),
    ]);
  });
});
