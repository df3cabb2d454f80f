import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MOST_RESULT_BYTES } from './result.js';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = 'node client.mjs';

interface Answer {
  error: string | undefined;
  value: Record<string, unknown>;
}

/** A client of the protocol that is not ours, connected to `taskdouble mcp` in `cwd`. */
async function connect(cwd: string, ...flags: string[]) {
  const args = [join(ROOT, 'dist/command/main.js'), 'mcp', ...flags];
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'inherit' });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, given: object = {}): Promise<Answer> => {
    const result = await client.callTool({ name, arguments: { ...given } }, { timeout: 300_000 });
    const [content] = result.content as { text: string }[];
    expect(Buffer.byteLength(content!.text), name).toBeLessThanOrEqual(MOST_RESULT_BYTES);
    return {
      error: result.isError ? content!.text : undefined,
      value: (result.structuredContent ?? {}) as Record<string, unknown>,
    };
  };
  return { client, call };
}

function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-mcp-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Writes client.mjs, which behaves like a client of the fixtures. */
function writeClient(directory: string, file: string): void {
  const path = (name: string) => JSON.stringify(join(ROOT, 'fixtures/clients', name));
  const lines = [
    `import { run } from ${path(file)};`,
    `import { main } from ${path('reference.mjs')};`,
    'await main(import.meta.url, run);',
  ];
  writeFileSync(join(directory, 'client.mjs'), `${lines.join('\n')}\n`);
}

describe('taskdouble mcp', () => {
  it('leads from a client with a defect to a green verdict', async () => {
    const directory = createDirectory();
    writeClient(directory, 'buggy/lost-answer-is-failure.mjs');
    const { call } = await connect(directory, '--allow-command', COMMAND);

    const found = await call('check_client', { scenarios: ['races/reply-response-lost'] });
    expect(found.error).toBeUndefined();
    expect(found.value).toMatchObject({ exit_code: 1, verdict: 'violations' });
    const [cause] = found.value.causes as { rule: string; example: string }[];
    expect(cause!.rule).toBe('replies/same-again');
    const why = await call('explain', { name: cause!.rule });
    expect(why.value.explanation).toContain(
      'Cause and remedy: A lost response is reported as a failed tool.',
    );

    const races = await call('explore_client', { scenarios: ['tool-calls/one-call'], schedules: 40 });
    const [race] = races.value.races as { file: string }[];
    expect(readFileSync(join(directory, race!.file), 'utf8')).toContain('tool_call');

    writeClient(directory, 'reference.mjs');
    const mended = await call('replay_race', { file: race!.file });
    expect(mended.value).toMatchObject({ exit_code: 0, verdict: 'conforms' });
    const checked = await call('check_client', { scenarios: ['races/reply-*', 'tool-calls/one-call'] });
    expect(checked.value).toMatchObject({ exit_code: 0, verdict: 'conforms', causes: [] });
  });

  it('starts a mock, plays a scenario with a fault, and shows the conversation', async () => {
    const { call } = await connect(createDirectory());
    expect((await call('timeline')).error).toBe('No mock runs. Call start_mock first.');
    const { value } = await call('start_mock', { clock: 'manual' });
    expect((await call('start_mock')).value).toMatchObject({ was_running: true, base_url: value.base_url });
    await call('next_scenario', { name: 'tool-calls/one-call' });
    const faults = await call('set_faults', { rules: ['fail 503 of poll times 1'] });
    expect(faults.value.rules).toMatchObject([{ hits: 0 }]);
    const tool = { name: 'get_weather', description: 'd', inputs: {}, output: 'o' };
    const headers = { apikey: String(value.api_key), 'content-type': 'application/json' };
    const body = JSON.stringify({ task: 'Weather in Paris?', custom_tools: [tool] });
    const created = await fetch(`${value.base_url}/api/v1/task`, { method: 'POST', headers, body });
    const { id } = ((await created.json()) as { r: { id: string } }).r;
    const poll = async () => (await fetch(`${value.base_url}/api/v1/task/${id}`, { headers })).status;
    expect(await poll()).toBe(503);
    await call('advance_clock', { by: '1s' });
    expect(await poll()).toBe(202);
    expect((await call('wait', { event: 'weather' })).value).toMatchObject({ holds: true });
    const shown = await call('timeline', { task: id });
    expect(shown.value.timeline).toMatch(/service +tool_call get_weather/);
    expect(shown.value.timeline).toMatch(/→ 503/);
    expect((await call('set_faults')).value).toEqual({ rules: [], more: 0 });
    expect((await call('stop_mock')).value).toEqual({ stopped: true });
  });

  it('runs no command, judges no service and reads no file that was not allowed', async () => {
    const directory = createDirectory();
    symlinkSync('/etc', join(directory, 'link'));
    const { call } = await connect(directory, '--allow-command', COMMAND);
    expect((await call('check_client', { client: 'touch harm' })).error).toBe(
      `client: expected one of ${JSON.stringify(COMMAND)}`,
    );
    expect((await call('check_service', { base_url: 'http://127.0.0.1:1' })).error).toContain(
      '--allow-service',
    );
    for (const file of ['/etc/hostname', '../x.har', 'link/hostname', '-h'])
      expect((await call('check_recording', { file })).error, file).toMatch(
        /outside the working directory|begin with/,
      );
    expect((await call('replay_race', { file: 'link/hostname' })).error).toContain(
      'outside the working directory',
    );
    expect((await call('set_faults', { rules: ['x'] })).error).toContain('start_mock');
  });

  it('has pages, requirements, scenarios, reports and prompts to read', async () => {
    const { client } = await connect(createDirectory());
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return (content as { text: string }).text;
    };
    expect(await read('taskdouble://requirements')).toMatch(/^POLL-02 \(service, must\): /m);
    expect(await read('taskdouble://scenarios')).toMatch(/^races\/reply-slow: /m);
    expect(await read('taskdouble://docs/judge-a-client')).toMatch(/^# /);
    await expect(read('taskdouble://docs/..%2Fpackage')).rejects.toThrow(/there is no page|not found/i);
    const { prompts } = await client.listPrompts();
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name });
      expect((messages[0]!.content as { text: string }).text).toMatch(/^1\. /m);
    }
    // Each tool that a text names is there.
    const { tools } = await client.listTools();
    const known = tools.map(({ name }) => name);
    const texts = [client.getInstructions() ?? '', ...tools.map(({ description = '' }) => description)];
    const named = texts
      .join(' ')
      .match(/\b[a-z]+_[a-z]+(?:_[a-z]+)?\b/g)!
      .filter((word) => !/url|key/.test(word));
    expect(known).toEqual(expect.arrayContaining([...new Set(named)]));
  });
});
