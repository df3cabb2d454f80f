import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Mock } from '../mock.js';
import type { MockServer } from '../options/mock-options.js';
import { MockServiceTime } from './mock-service-time.js';
import { openRemoteTime, type RemoteOptions } from './remote.js';
import { receive, send, type TimeServerMessage } from './remote-messages.js';

const START = 1_767_225_600_000;
const KEY = 'time';

const FETCH = `
  const call = async (path, init) =>
    (await (await fetch(process.env.BASE + '/api/v1' + path, { headers: HEADERS, signal: AbortSignal.timeout(10_000), ...init })).json()).r;
`;
const HTTP = `
  import http from 'node:http';
  const agent = new http.Agent({ keepAlive: true });
  const call = (path, { method, body } = {}) => new Promise((resolve, reject) => {
    const request = http.request(process.env.BASE + '/api/v1' + path, { method, agent, headers: HEADERS, timeout: 10_000 }, (answer) => {
      let text = '';
      answer.on('data', (more) => { text += more; });
      answer.on('end', () => resolve(JSON.parse(text).r));
    });
    request.on('timeout', () => request.destroy(new Error('timed out at ' + (Date.now() - ${START}))));
    request.on('error', reject);
    request.end(body);
  });
`;
const COMMON = `
  import { setTimeout as sleep } from 'node:timers/promises';
  const HEADERS = { apikey: '${KEY}', 'content-type': 'application/json', 'x-taskdouble-scenario': 'polling/slow-agent' };
`;
const POLL = `
  const { id } = await call('/task', { method: 'POST', body: JSON.stringify({ task: 'Look something up' }) });
  for (;;) {
    const { status } = await call('/task/' + id);
    if (status === 'done') break;
    await sleep(5_000);
  }
  console.log(Date.now() - ${START}, Math.round(performance.now()));
`;

describe('a Node.js command on virtual time', () => {
  const mock = new Mock({ clock: 'manual', startMs: START });
  let server: MockServer;
  beforeAll(async () => {
    expect(existsSync('dist/mock/virtual-time/preload.js'), 'run "npm run build" first').toBe(true);
    await mock.warmUp();
    server = await mock.listen();
  });
  beforeEach(() => mock.reset(KEY));
  afterAll(() => mock.close());

  async function run(command: readonly string[], more: Partial<RemoteOptions> = {}) {
    const service = new MockServiceTime(mock);
    const remote = await openRemoteTime({
      service,
      patience: { deadlineMs: 600_000, stalledMs: 60_000 },
      baseUrl: server.baseUrl,
      ...more,
    });
    const env = { ...process.env, ...remote.env, BASE: server.baseUrl };
    const child = spawn(command[0]!, command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (more) => {
        output += more;
      });
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    const { ended, at, why } = await remote.done;
    if (ended !== 'by-itself') child.kill('SIGKILL');
    const code = await closed;
    await remote.close();
    service.release();
    const trace = mock.journal({ key: KEY }).map(({ kind, request }) => `${kind} ${request.at - START}`);
    return { ended, at: at - START, why, code, output, trace };
  }
  const node = (code: string, more?: Partial<RemoteOptions>) =>
    run([process.execPath, '--input-type=module', '-e', COMMON + code], more);

  const POLLED = ['create 0', 'poll 0', 5, 10, 15, 20, 25, 30].map((each) =>
    typeof each === 'number' ? `poll ${each}000` : each,
  );

  it.each([
    ['fetch', FETCH],
    ['node:http with an agent', HTTP],
  ])('polls with %s: half a minute takes no time, and every run is the same', async (_, call) => {
    const first = await node(call + POLL);
    expect(first).toEqual({
      ended: 'by-itself',
      at: 30_000,
      why: undefined,
      code: 0,
      output: '30000 30000\n',
      trace: POLLED,
    });
    mock.reset(KEY);
    expect(await node(call + POLL)).toEqual(first);
  });

  it('draws random numbers by the seed, different in each process, also if they start together', async () => {
    const draw =
      "import { randomUUID } from 'node:crypto'; console.log(process.argv[1], Math.random() + randomUUID() + crypto.randomUUID());";
    const all = `import { spawn } from 'node:child_process'; ${draw}
      for (const name of 'abcd') spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(draw)}, name], { stdio: 'inherit' });`;
    const drawnBy = async (script: string, seed = 1) =>
      (await node(script, { seed })).output.trim().split('\n').sort();
    const [one, again, other] = [await drawnBy(all), await drawnBy(all), await drawnBy(draw, 2)];
    expect(again).toEqual(one);
    expect(one.map((line) => line.split(' ')[0])).toEqual(['a', 'b', 'c', 'd', 'undefined']);
    expect(new Set([...one, ...other].map((line) => line.split(' ')[1])).size).toBe(6);
  });

  it.each([
    ['fetch', FETCH, /timeout/],
    ['node:http', HTTP, /timed out at 10000/],
  ])('a time-out of %s is on virtual time', async (_, call, words) => {
    await mock.network.set('delay 20s of poll', KEY);
    const { at, code, output } = await node(`${call} await call('/task/none');`);
    expect({ at, code }).toEqual({ at: 10_000, code: 1 });
    expect(output).toMatch(words);
  });

  it('a time-out of undici’s own is on virtual time, by the ticks in which undici counts it', async () => {
    await mock.network.set('delay 20s of poll', KEY);
    const headersTimeout = `
      const [two, one] = [2, 1].map((n) => globalThis[Symbol.for('undici.globalDispatcher.' + n)]);
      const dispatcher = new (two ?? one).constructor({ headersTimeout: 10_000 });
      await fetch(process.env.BASE + '/api/v1/task/none', { headers: HEADERS, dispatcher });
    `;
    const { at, code, output } = await node(`await fetch('data:,'); ${headersTimeout}`);
    expect({ at: Math.trunc(at / 1_000), code }).toEqual({ at: 10, code: 1 });
    expect(output).toMatch('UND_ERR_HEADERS_TIMEOUT');
  });

  it('ends when it exits in the middle of an await', async () => {
    const { ended, at, code } = await node(`${FETCH} await call('/task/none'); await new Promise(() => {});`);
    expect({ ended, at, code }).toEqual({ ended: 'by-itself', at: 0, code: 13 });
  });

  it('ends when it crashes in a timer', async () => {
    const { ended, at, code, output } = await node('setTimeout(() => { throw new Error("late") }, 5_000);');
    expect({ ended, at, code }).toEqual({ ended: 'by-itself', at: 5_000, code: 1 });
    expect(output).toMatch('late');
  });

  it('a hang is detected in virtual time', async () => {
    const { ended, at } = await node('setInterval(() => {}, 1_000);');
    expect({ ended, at }).toEqual({ ended: 'stalled', at: 60_000 });
  });

  it('files, compression and a child process are waited for before time advances', async () => {
    const { output } = await node(`
      import { spawn } from 'node:child_process';
      import { readFile } from 'node:fs/promises';
      import { promisify } from 'node:util';
      import { gzip } from 'node:zlib';
      const timer = setTimeout(() => {}, 1);
      await readFile(process.execPath);
      await promisify(gzip)(Buffer.alloc(5_000_000, 'abc'));
      clearTimeout(timer);
      console.log(Date.now() - ${START});
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => console.log(Date.now() - ${START}), 7_000)'], { stdio: 'inherit' });
      child.on('exit', () => console.log(Date.now() - ${START}));
    `);
    expect(output).toBe('0\n7000\n7000\n');
  });

  it('reports that time cannot be made virtual', async () => {
    const none = await run(['sleep', '600'], { connectMs: 100 });
    expect(none).toMatchObject({
      ended: 'not-virtual',
      why: 'no process of the command connected to the virtual time within 100 ms: check that it runs Node.js',
    });
    const busy = await node('for (;;);', { busyMs: 100 });
    expect(busy).toMatchObject({ ended: 'not-virtual' });
    expect(busy.why).toMatch(/was busy for longer than 100 ms of real time: it computes, or waits where/);
  });
});

it('a process may report late that it waits: a new time that it confirms first counts', async () => {
  // So many requests at once that time advances although the process has not reported yet.
  const arrived = [0, 1_000];
  const service: RemoteOptions['service'] = {
    now: () => START,
    next: () => Infinity,
    advanceTo: async () => {},
    countArrived: () => arrived.shift() ?? 1_000,
    countResponded: () => 1_000,
    countWaiting: () => 0,
    countProgress: () => 0,
  };
  const remote = await openRemoteTime({
    service,
    patience: { deadlineMs: 52, stalledMs: 60_000 },
    busyMs: 300,
  });
  const { port, token } = JSON.parse(remote.env.TASKDOUBLE_TIME);
  const socket = connect(port, '127.0.0.1');
  const reports: number[] = [];
  receive<TimeServerMessage>(socket, (message) => {
    if ('ask' in message) reports.push(message.ask);
    if (!('now' in message)) return;
    const standing = { next: null, started: 1_000, open: 0, children: 0 };
    send(socket, { response: message.n }, ...reports.splice(0).map((response) => ({ response, standing })));
  });
  send(socket, { hello: token, pid: 1, process: '1' });
  expect(await remote.done).toEqual({ ended: 'deadline', at: START + 52 });
  socket.destroy();
  await remote.close();
});
