import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { Mock } from '../../mock/mock.js';
import { loadScenarioText } from '../../scenarios/format/load/load-text.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { checkRecordings } from './check-recordings.js';
import { convertRecording } from './scenario/convert-recording.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-chromium-'));
afterAll(() => rmSync(directory, { recursive: true }));

requireBrowser('a HAR that Chromium records');

const TOOL = {
  name: 'get_weather',
  description: 'Weather of a city',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'The temperature',
};

/** A service that calls a tool without its input, and then finishes the task. */
const scenario = {
  name: 'call-without-input',
  title: 'A call without its input',
  request: { task: 'Look up the weather', custom_tools: [TOOL] },
  timeline: [
    { service: 'tool_call', id: 'weather', tool: 'get_weather', input: { town: 'Kyiv' } },
    { client: 'reply', to: 'weather' },
    { service: 'finish', output: 'It is cold.' },
  ],
};

/** A client in a page that replies with an unknown code, then with a valid one. */
async function client({ base, tool }: { base: string; tool: unknown }): Promise<string> {
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { apikey: 'cmzr-key-of-a-page', 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return (await (await fetch(`${base}/api/v1${path}`, init)).json()).r;
  };
  const { id } = await call('POST', '/task', { task: 'Look up the weather', custom_tools: [tool] });
  let last = 0;
  for (let polls = 0; polls < 200; polls++) {
    const task = await call('GET', `/task/${id}?event_t=${last}`);
    if (task.status !== 'running') return task.status;
    for (const event of task.events ?? []) {
      last = event.timestamp;
      for (const code of [501, 500]) {
        const payload = { code, output: 'it broke' };
        await call('POST', `/task/${id}/event`, {
          id: event.id,
          name: 'tool_call',
          payload,
          timestamp: last,
        });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return 'running';
}

describe.runIf(chromium !== undefined)('what Chromium records of a page that talks with the mock', () => {
  it('shows the defect of each side, and becomes a scenario', async () => {
    const mock = new Mock({ scenarios: [scenario] });
    const server = await mock.listen({ port: 0 });
    const browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
    const path = join(directory, 'page.har');
    try {
      const context = await browser.newContext({ recordHar: { path, content: 'embed' } });
      const page = await context.newPage();
      await page.goto(`${server.adminUrl}/health`);
      await page.evaluate(client, { base: server.baseUrl, tool: TOOL });
      await context.close();
    } finally {
      await browser.close();
      await mock.close();
    }
    expect(JSON.parse(readFileSync(path, 'utf8')).log.browser.name).toBe('chromium');
    const report = await checkRecordings([path]);
    expect(report.target.base_url).toBe(server.baseUrl);
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id }) => id)).toEqual(['client#replies/code', 'service#TOOL-02']);
    const { scenarios } = await convertRecording(path);
    expect(scenarios).toHaveLength(1);
    const { scenario: made } = loadScenarioText(scenarios[0]!.yaml, { file: 'page.yaml', name: 'page' });
    // A machine under load may cause delayed responses.
    expect(made?.timeline.filter((step) => !('network' in step))).toMatchObject([
      { service: 'tool_call', tool: 'get_weather', input: { town: 'Kyiv' } },
      { client: 'reply', code: 500, output: 'it broke' },
      { service: 'finish', output: 'It is cold.' },
    ]);
    expect(JSON.stringify([report, scenarios])).not.toContain('cmzr-key');
  });
});
