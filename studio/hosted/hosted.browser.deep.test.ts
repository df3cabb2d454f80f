import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { endAll, startMock } from '../../test/support/cli/command.js';
import { connectHttp, connectStdio, createDirectory, writeClient } from '../../test/support/mcp/connect.js';
import { chromium } from '../../test/support/report/browser.js';
import { HOSTILE } from '../../test/support/report/reports.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { useFilePage } from '../../test/support/studio/use-file-page.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';

requireBrowser('the view of a client of the Model Context Protocol');

const VIEW = 'ui://taskdouble/view.html';
const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const ROOT = import.meta.dirname;
/** Of the bridge, and of the frame itself. */
const IGNORED = /^debug: |about:srcdoc/;

/** A host that is not ours: the bridge of the extension, with the page in a sandbox. */
const HOST = `
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
window.openView = async (html, theme) => {
  const frame = document.querySelector('iframe');
  const bridge = new AppBridge(null, { name: 'host', version: '1' }, { serverResources: {} }, { hostContext: { theme } });
  bridge.onreadresource = async ({ uri }) => ({ contents: [{ uri, text: await window.readResource(uri) }] });
  bridge.onsizechange = ({ height }) => { frame.style.height = height + 'px'; };
  window.sendResult = (result) => bridge.sendToolResult(result);
  const ready = new Promise((resolve) => { bridge.oninitialized = resolve; });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await ready;
};`;

declare global {
  function openView(html: string, theme: string): Promise<void>;
  function sendResult(result: unknown): Promise<void>;
}

describe.skipIf(chromium === undefined)('the view in a conversation with an agent', () => {
  const openFile = useFilePage();
  const picture = usePictures();
  let host = '';

  beforeAll(async () => {
    const stdin = { contents: HOST, resolveDir: ROOT };
    const options = { bundle: true, write: false, format: 'iife', platform: 'browser' } as const;
    const { outputFiles } = await build({ stdin, ...options });
    const script = outputFiles[0]!.text.replaceAll('</script', '<\\/script');
    host = `<!doctype html><meta charset="utf-8"><iframe sandbox="allow-scripts" style="width: 100%; height: 200px"></iframe><script>${script}</script>`;
    return endAll;
  });

  const openInHost = async (html: string, read: (uri: string) => Promise<string>, theme = 'light') => {
    const { page, said } = await openFile(host, { viewport: { width: 1200, height: 800 } });
    await page.exposeFunction('readResource', read);
    await page.evaluate(([text, scheme]) => openView(text!, scheme!), [html, theme]);
    const show = (result: unknown) => page.evaluate((given) => sendResult(given), result);
    const frame = page.frameLocator('iframe');
    return { page, frame, show, said: () => said.filter((line) => !IGNORED.test(line)) };
  };

  it('draws the race that a search found, and the causes of a check', async () => {
    const directory = createDirectory();
    writeClient(directory, 'buggy/lost-answer-is-failure.mjs');
    const { client, read } = await connectStdio(directory, ['--allow-command', 'node client.mjs'], UI);
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args }, { timeout: 300_000 });
    const { tools } = await client.listTools();
    const shown = tools.filter(({ _meta }) => (_meta?.ui as { resourceUri?: string })?.resourceUri === VIEW);
    expect(shown.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['timeline', 'check_client', 'explore_client', 'replay_race']),
    );
    const [view] = (await client.readResource({ uri: VIEW })).contents;
    expect(view!.mimeType).toBe('text/html;profile=mcp-app');
    const html = (view as { text: string }).text;
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; /);

    const { page, frame, show, said } = await openInHost(html, read, 'dark');
    await frame.getByText('Waiting for the result').waitFor();
    await show(await call('explore_client', { scenarios: ['tool-calls/one-call'], schedules: 40 }));
    await frame.locator('.run.bad .cross').waitFor();
    expect(await frame.locator('h1').innerText()).toBe('A call got two different replies');
    expect(await frame.locator('.run.good .cross').count()).toBe(0);
    expect((await page.locator('iframe').boundingBox())!.height).toBeGreaterThan(600);
    const paint = await frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    expect(paint).toBe('rgb(20, 23, 29)');
    await picture(page, 'hosted-race');

    await show(await call('check_client', { scenarios: ['races/reply-response-lost'] }));
    await frame.locator('.app.report').waitFor();
    await expect.poll(() => frame.locator('main').innerText()).toContain('A call got two different replies');
    await picture(page, 'hosted-report');

    await show(await call('replay_race', { file: '../none.yaml' }));
    await expect.poll(() => frame.locator('pre').innerText()).toContain('outside the working directory');
    expect(said()).toEqual([]);
  });

  it('draws the conversation of a mock, and hostile texts do nothing', async () => {
    const mock = await startMock('--quiet');
    const { body } = await mock.call('POST', '/task', { task: HOSTILE });
    await mock.call('GET', `/task/${body.r.id}`);
    const { client, read } = await connectHttp(`${mock.base_url}/__mcp`);
    const uris: string[] = [];
    const { page, frame, show, said } = await openInHost(await read(VIEW), (uri) => {
      uris.push(uri);
      return read(uri);
    });
    const result = await client.callTool({ name: 'timeline', arguments: {} });
    await show(result);
    await frame.locator('svg text', { hasText: '202' }).first().waitFor();
    expect(uris).toEqual(['taskdouble://pages/mock']);
    expect(await frame.locator('main').innerText()).toContain('script');
    await frame.locator('svg text', { hasText: '202' }).first().click();
    await frame.locator('.inspector').waitFor();
    await picture(page, 'hosted-conversation');

    // Whatever the host sends, the page shows it as text.
    const live = { kind: 'live', baseUrl: 'http://evil.example' };
    for (const [name, meta] of Object.entries({ none: {}, live: { 'taskdouble/page': live } })) {
      await show({ content: [{ type: 'text', text: name + HOSTILE }], _meta: meta });
      await expect
        .poll(() => frame.locator('pre').innerText())
        .toMatch(new RegExp(`^${name}.*<script>`, 's'));
    }
    expect(await frame.locator('img').count()).toBe(0);
    expect(said()).toEqual([]);
  });
});
