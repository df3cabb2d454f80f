import { describe, expect, it } from 'vitest';
import { createMock, type MockOptions } from '../../index.js';
import { type LogOptions, MockLog } from './log.js';

const headers = { apikey: 'k', 'content-type': 'application/json' };

const near = 'Tell me the title of the page at https://example.com';
const nearest = /no scenario matched; the closest is polling\/one-shot: its task is/;

/** Tasks of chats wait for no approval. */
const unasked = { dialect: { 'request.approval': 'not-needed' } };

/** A mock and what its log says of it. */
function logged(options: MockOptions = {}, logOptions: LogOptions = {}) {
  const lines: string[] = [];
  const write = (label: string, text: string) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are of no interest here.
    lines.push(`${label} ${text}`.replace(/\u001b\[\d+m/g, ''));
  const log = new MockLog(write, () => 0, logOptions);
  const mock = createMock({
    clock: 'skipping',
    ...options,
    onExchange: (exchange) => log.logExchange(exchange),
  });
  const call = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const form = body instanceof FormData;
    const { apikey, ...type } = headers;
    const response = await mock.fetch(`/api/v1${path}`, {
      method,
      headers: { apikey, ...(form ? {} : type), ...more },
      ...(body && { body: form ? body : JSON.stringify(body) }),
    });
    return JSON.parse(await response.text());
  };
  return { mock, lines, call };
}

/** What the log says about one task request through this network. */
async function logOf(network: string, body: object = { task: 'Something of my own' }): Promise<string[]> {
  const { mock, lines, call } = logged({ network });
  await call('POST', '/task', body).catch(() => undefined);
  await mock.close();
  return lines;
}

describe('the log of tasks', () => {
  it.each([
    ['delay 0ms', /^created \S+ improvises \(network: response delayed 0 ms/],
    ['fail 500 side response of create', /^created \S+ improvises; the client got 500 .*\(network: /],
    ['garble of create', /^created \S+ improvises; the client got 502 \(network: /],
    ['drop side response of create', /^created \S+ improvises; the client got no response \(network: /],
    [
      'drop response of create',
      /^created \S{36} improvises; the client got no response \(network: response dropped\)/,
    ],
    [
      'duplicate of create',
      /^created \S+ improvises; the same request made another task: \S{36} \(network: handled twice/,
    ],
    ['drop request of create', /^lost {4}a request for a new task was lost: it was not handled/],
    ['fail 503 of create', /^refused a task: 503 /],
  ])('says what became of it when the network does this: %s', async (network, line) => {
    expect(await logOf(network)).toEqual([expect.stringMatching(line)]);
  });

  it('says which scenario of the library a task comes near to, and why it does not follow it', async () => {
    expect(await logOf('delay 0ms', { task: near })).toEqual([expect.stringMatching(nearest)]);
  });

  it("names no scenario of the library beside a task of the user's own", async () => {
    const tool = { name: 'get_weather', description: 'x', inputs: {}, output: {} };
    for (const body of [
      { task: 'Tell me the title of the page' },
      { task: 'Plan a trip', custom_tools: [tool] },
    ])
      expect(await logOf('delay 0ms', body)).toEqual([expect.not.stringContaining('the closest is')]);
  });

  it('logs tasks of chats and webhooks too', async () => {
    const { mock, lines, call } = logged({ clock: 'manual', ...unasked });
    const workspace = { 'workspace-id': (await call('POST', '/workspace/w')).id };
    const { task_id } = await call('POST', '/task/zero', { task: near }, workspace);
    const message = new FormData();
    message.set('message', near);
    const said = await call('POST', '/chat/message', message, workspace);
    const { r } = await call('POST', '/automation', { name: 'a', task: near }, workspace);
    await call('POST', '/webhook', { automation_id: r.id });
    const run = mock.journal().at(-1)!.task!;
    for (const [index, id] of [task_id, said.task_id, run].entries()) {
      expect(lines[index]).toMatch(new RegExp(`^created ${id} improvises; .*${nearest.source}`));
    }
    await call('POST', '/task/zero', { task: near }, { 'workspace-id': 'nowhere' });
    expect(lines[3]).toMatch(/^refused a task: 404 There is no workspace "nowhere"/);
    await call('DELETE', `/task/${said.task_id}`);
    await mock.clock.advance(600_000);
    await call('GET', `/task/${run}`);
    await call('GET', `/task/${task_id}`);
    expect(lines.slice(4)).toEqual([
      expect.stringMatching(`^ended   ${said.task_id} stopped by the client`),
      expect.stringMatching(`^ended   ${run} done`),
      expect.stringMatching(`^ended   ${task_id} done`),
    ]);
    await mock.close();
  });

  it('says that the task of a chat waits for an approval', async () => {
    const { mock, lines, call } = logged();
    const workspace = { 'workspace-id': (await call('POST', '/workspace/w')).id };
    const { messages } = await call('POST', '/task/zero', { task: 'x' }, workspace);
    const [{ id }] = messages[1].requests;
    expect(lines).toEqual([
      expect.stringContaining(`waits until request ${id} is approved (PUT /request/id)`),
    ]);
    await mock.close();
  });

  it('works nothing out for lines that it leaves out', () => {
    const log = new MockLog(
      () => undefined,
      () => 0,
    );
    let made = 0;
    for (let n = 0; n < 30; n++) log.logLine('created', () => String(made++));
    expect(made).toBe(20);
  });
});

describe('requests', () => {
  it('are logged when they are refused or the network changed them, all of them with --verbose', async () => {
    const send = async (options: LogOptions) => {
      const { lines, call } = logged({ network: 'fail 503 of getUsage' }, options);
      await call('GET', '/task/abc', undefined);
      await call('GET', '/usage', undefined);
      await call('GET', '/profile', undefined);
      return lines;
    };
    const few = await send({});
    expect(few).toEqual([
      expect.stringMatching(/^request GET \/api\/v1\/task\/abc → 404 There is no task "abc"/),
      expect.stringMatching(/^request GET \/api\/v1\/usage → 503 .* \(network: failed with 503\)/),
    ]);
    const all = await send({ isVerbose: true });
    expect(all).toEqual([...few, expect.stringMatching(/^request GET \/api\/v1\/profile → 200 org-/)]);
    const [first] = (await send({ isJson: true })).map((line) => JSON.parse(line));
    expect(first).toMatchObject({ event: 'request', method: 'GET', status: 404, url: '/api/v1/task/abc' });
  });

  it('with every mistake of a body, unknown fields, and the path that was meant', async () => {
    const { mock, call } = logged();
    const { detail } = await call('POST', '/task', { task: 5, max_steps: 1 });
    expect(detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'body.task',
      'body.max_steps',
    ]);
    await call('POST', '/task', { tsk: 'x' });
    const notes = mock.journal({ key: 'k', kind: 'create' }).at(-1)?.notes;
    expect(notes).toEqual(['unknown field "tsk": did you mean "task"?', 'no "task": this opened a session']);
    expect((await call('POST', '/tasks')).detail).toContain('Did you mean POST /api/v1/task?');
    expect(
      (await call('GET', '/task', undefined, { apikey: '', authorization: 'Bearer k' })).detail,
    ).toContain('send it in the header "apikey", not in "authorization"');
    expect(() => mock.journal({ kind: 'polls' })).toThrow('did you mean poll?');
  });
});
