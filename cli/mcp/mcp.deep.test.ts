import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allRules } from '../../conformance/rules/all-rules.js';
import { startMock } from '../../test/support/cli/command.js';
import { connectStdio, createDirectory, writeClient } from '../../test/support/mcp/connect.js';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = 'node client.mjs';
const ALLOW = ['--allow-command', COMMAND];

describe('taskdouble mcp', () => {
  it('leads from a client with a defect to a green verdict', async () => {
    const directory = createDirectory();
    writeClient(directory, 'buggy/lost-answer-is-failure.mjs');
    const { call } = await connectStdio(directory, ALLOW);

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

  it('shows the advice in the scenario of a cause, which says why', async () => {
    const directory = createDirectory();
    const code = readFileSync(join(ROOT, 'fixtures/adapters/adapter.mjs'), 'utf8');
    // An action that is sent again has another id, so it is performed twice.
    const changed = code.replace(
      'body: JSON.stringify(body)',
      "body: JSON.stringify(body && 'id' in body && body.name !== 'tool_call' ? Object.assign(body, { id: crypto.randomUUID() }) : body)",
    );
    expect(changed).not.toBe(code);
    writeFileSync(join(directory, 'client.mjs'), changed);
    const { call } = await connectStdio(directory, ALLOW);
    const { value } = await call('check_client', { scenarios: ['errors/action-response-lost'] });
    expect(value.causes).toMatchObject([{ rule: 'actions/once' }]);
    expect(value.advice).toMatchObject([
      { rule: 'actions/once', message: expect.stringContaining('Send the same event again') },
    ]);
  });

  it('starts a mock, plays a scenario with a fault, and shows the conversation', async () => {
    const { call } = await connectStdio(createDirectory());
    expect((await call('timeline')).error).toBe('No mock runs. Call start_mock first.');
    const { value } = await call('start_mock', { clock: 'manual' });
    expect((await call('start_mock')).value).toMatchObject({ was_running: true, base_url: value.base_url });
    await call('next_scenario', { name: 'tool-calls/one-call' });
    const rules = ['drop response of reply times 1', 'fail 503 of poll times 1'];
    expect((await call('set_faults', { rules })).value.rules).toMatchObject([{ hits: 0 }, { hits: 0 }]);
    expect((await call('set_faults', { rules: ['explode'] })).error).toContain('explode');
    expect((await call('set_faults', { rules: rules.slice(1) })).value.rules).toMatchObject([{ hits: 0 }]);
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

  it('names tools, not commands, in errors about names', async () => {
    const directory = createDirectory();
    writeClient(directory, 'reference.mjs');
    const service = ['--allow-service', 'http://127.0.0.1:9'];
    const { call } = await connectStdio(directory, [...ALLOW, ...service]);
    const say = async (tool: string, given: object) => (await call(tool, given)).error;
    const listed = 'the tool list_scenarios shows those there are';
    expect(await say('check_client', { scenarios: ['xyzzy'] })).toContain(`"xyzzy"; ${listed}`);
    expect(await say('explore_client', { scenarios: ['xyzzy/*'] })).toContain(`"xyzzy/*"; ${listed}`);
    expect(await say('check_client', { scenarios: ['polling/one-shoot'] })).toBe(
      'there is no scenario "polling/one-shoot"; did you mean "polling/one-shot"?',
    );
    expect(await say('check_client', { scenarios: ['none.yaml'] })).toContain('none.yaml: expected a file');
    expect(await say('check_service', { only: ['xyzzy/*'] })).toContain('the suites are polling/*, ');
    expect(await say('explain', { name: 'xyzzy' })).toContain('taskdouble://requirements');
    await call('start_mock', { clock: 'manual' });
    expect(await say('next_scenario', { name: 'xyzzy' })).toBe(`There is no scenario "xyzzy"; ${listed}`);
    for (const given of [{}, { name: 'polling/one-shot', yaml: 'title: x' }])
      expect(await say('next_scenario', given)).toContain('Give either the name');
    expect(await say('next_scenario', { yaml: 'title: x' })).toMatch(/"request".*; .*"timeline"/);
    expect(await say('start_mock', { clock: 'real' })).toContain('Call stop_mock first');
    expect(await say('wait', { timeout_s: 1 })).toContain('status, event or gate');
    expect(await say('check_client', { scenario: 'polling/one-shot' })).toContain('"scenario"');
    expect(await say('check_service', {})).toContain('in the variable TASKDOUBLE_API_KEY');
    for (const file of ['', '\0'])
      expect(await say('check_recording', { file })).toBe(`${JSON.stringify(file)} is no path.`);
  });

  it('counts the reasons of checks that were not decided', async () => {
    const directory = createDirectory();
    const { call } = await connectStdio(directory);
    const mock = await startMock('--journal', join(directory, 'traffic.jsonl'));
    await mock.call('GET', '/usage');
    await mock.command.stop();
    const { value } = await call('check_recording', { file: 'traffic.jsonl' });
    const { inconclusive } = value.summary as { inconclusive: number };
    const reasons = value.inconclusive as { reason: string; checks: number; example: string }[];
    const counts = reasons.map(({ checks }) => checks);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts.reduce((total, each) => total + each, 0)).toBeLessThanOrEqual(inconclusive);
    expect(reasons[0]).toMatchObject({
      reason: expect.stringMatching(/\S/),
      example: expect.stringContaining('#'),
    });
  });

  it('removes its reports at its end, and the oldest before', async () => {
    const directory = createDirectory();
    writeFileSync(join(directory, 'empty.jsonl'), '');
    const { client, call } = await connectStdio(directory);
    const journal = join(directory, 'traffic.jsonl');
    const mock = await startMock('--journal', journal);
    await mock.call('GET', '/usage');
    await mock.command.stop();
    const first = await call('check_recording', { file: 'traffic.jsonl' });
    const folder = dirname(String(first.value.html));
    expect(folder.startsWith(tmpdir())).toBe(true);
    for (let run = 0; run < 20; run++) await call('check_recording', { file: 'empty.jsonl' });
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(dirname(folder))).toHaveLength(20);
    await client.close();
    await expect.poll(() => existsSync(dirname(folder))).toBe(false);
  });

  it('says why nothing could be tested, and that a run goes on', async () => {
    const directory = createDirectory();
    writeFileSync(join(directory, 'client.mjs'), "import './missing.mjs';");
    const { client, call } = await connectStdio(directory, ALLOW);
    const scenarios = ['polling/one-shot'];
    const { value } = await call('check_client', { scenarios });
    expect(value).toMatchObject({
      exit_code: 3,
      causes: [],
      stopped: expect.stringContaining('missing.mjs'),
    });
    // It waits for the progress that is reported.
    const wait = `import { existsSync } from 'node:fs';
      while (!existsSync('reported')) await new Promise((resolve) => setTimeout(resolve, 50));`;
    writeFileSync(join(directory, 'client.mjs'), wait);
    const messages: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string }) => {
      messages.push(message);
      writeFileSync(join(directory, 'reported'), '');
    };
    const given = { name: 'check_client', arguments: { scenarios } };
    await client.callTool(given, { onprogress, timeout: 300_000 });
    expect(messages[0]).toBe('running for 2 s');
  });

  it('explains each rule within a result', async () => {
    const { call } = await connectStdio(createDirectory());
    for (const { id } of allRules) {
      const { error, value } = await call('explain', { name: id });
      expect([error, String(value.explanation).split(' ')[0]], id).toEqual([undefined, id]);
    }
    expect((await call('explain', { name: 'the tool runs twice' })).error).toBeUndefined();
    expect((await call('explain', { name: 'replies/onc' })).error).toContain('Did you mean replies/once?');
  });

  it('runs no command, judges no service and reads no file that was not allowed', async () => {
    const directory = createDirectory();
    symlinkSync('/etc', join(directory, 'link'));
    const { call } = await connectStdio(directory, ALLOW);
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
    for (const name of ['../x.yaml', '/etc/hostname', 'link/hostname'])
      expect((await call('check_client', { scenarios: [name] })).error, name).toContain('outside');
    expect((await call('replay_race', { file: 'link/hostname' })).error).toContain(
      'outside the working directory',
    );
    expect((await call('set_faults', { rules: ['x'] })).error).toContain('start_mock');
  });

  it('has pages, requirements, scenarios, reports and prompts to read', async () => {
    const { client, read } = await connectStdio(createDirectory());
    expect(await read('taskdouble://requirements')).toMatch(/^POLL-02 \(service, must\): /m);
    expect(await read('taskdouble://scenarios')).toMatch(/^races\/reply-slow: /m);
    expect(await read('taskdouble://docs/judge-a-client')).toMatch(/^# /);
    const { resources } = await client.listResources();
    const page = resources.find(({ uri }) => uri === 'taskdouble://docs/hunt-a-race')!;
    expect(await read(page.uri)).toContain(`# ${page.description}\n`);
    expect(await read('taskdouble://scenarios/races/reply-slow')).toMatch(/^title: /m);
    for (const uri of ['docs/..%2Fpackage', 'scenarios/..%2F..%2Fpackage', 'reports/..', 'pages/report-9'])
      await expect(read(`taskdouble://${uri}`), uri).rejects.toThrow(/there is no |not found/i);
    await expect(read('taskdouble://docs/..%2Fpackage')).rejects.toThrow(/there is no page|not found/i);
    const { prompts } = await client.listPrompts();
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name });
      expect((messages[0]!.content as { text: string }).text).toMatch(/^1\. /m);
    }
    const { tools } = await client.listTools();
    for (const { name, title, annotations, inputSchema, outputSchema } of tools) {
      expect(title, name).toMatch(/^[A-Z]/);
      expect(annotations, name).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
      expect([inputSchema.type, outputSchema?.type], name).toEqual(['object', 'object']);
    }
    // Each tool that a text names is there.
    const known = tools.map(({ name }) => name);
    const texts = [client.getInstructions() ?? '', ...tools.map(({ description = '' }) => description)];
    const named = texts
      .join(' ')
      .match(/\b[a-z]+_[a-z]+(?:_[a-z]+)?\b/g)!
      .filter((word) => !/url|key/.test(word));
    expect(known).toEqual(expect.arrayContaining([...new Set(named)]));
  });
});
