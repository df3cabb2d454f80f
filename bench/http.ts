import { type Load, type Measured, press } from './load.js';
import { start, startBare, startMock, type Target } from './servers.js';
import { median, type Row } from './table.js';

const KEY = { apikey: 'bench' };
const ROUNDS = 5;
const SECONDS = 2;
/** Both sides get so long to warm up. */
const WARM_UP_S = 3;

/**
 * Poll and post over HTTP, against bare node:http that sends the same bytes and against Prism, in one run. Both sides are
 * started anew for each, so that none has more behind it than the other.
 */
export async function benchHttp(): Promise<Row[]> {
  const prism = await startPrism();
  try {
    const body = JSON.stringify({ task: 'Measure me', url: 'https://example.com' });
    const json = { ...KEY, 'content-type': 'application/json' };
    const post: Load = { method: 'POST', path: '/api/v1/task', headers: json, body };
    return [
      ...(await compare('poll (GET /task/{id})', prism, pollOfSession, 0.8)),
      ...(await compare('post (POST /task)', prism, () => post, 0.7)),
    ];
  } finally {
    prism.stop();
  }

  async function pollOfSession(mock: Target): Promise<Load> {
    const created = await fetch(`${mock.base_url}/api/v1/task`, {
      method: 'POST',
      headers: { ...KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ task: null }),
    });
    const { id } = ((await created.json()) as { r: { id: string } }).r;
    return { method: 'GET', path: `/api/v1/task/${id}?event_t=0`, headers: KEY };
  }
}

async function compare(
  name: string,
  prism: Target,
  loadOf: (mock: Target) => Load | Promise<Load>,
  goal: number,
): Promise<Row[]> {
  const mock = await startMock();
  const load = await loadOf(mock);
  const bare = await startBare(await sample(mock, load));
  try {
    await press(bare, load, WARM_UP_S);
    await press(mock, load, WARM_UP_S);
    const rounds: { mock: Measured; bare: Measured }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ bare: await press(bare, load, SECONDS), mock: await press(mock, load, SECONDS) });
    }
    const witness = await press(prism, { ...load, path: load.path.replace('/api/v1', '') }, SECONDS);
    const bareRate = median(rounds.map((each) => each.bare.per_s));
    const ratio = median(rounds.map((each) => each.mock.per_s / each.bare.per_s));
    const cpu = median(rounds.map((each) => each.mock.cpu_us));
    const bareCpu = median(rounds.map((each) => each.bare.cpu_us));
    const errors = rounds.reduce((sum, each) => sum + each.mock.errors, 0);
    if (errors > 0) throw new Error(`${name}: ${errors} requests were answered with an error`);
    const figures = `${Math.round(bareRate * ratio)}/s, ${cpu.toFixed(1)} µs CPU (bare ${Math.round(bareRate)}/s, ${bareCpu.toFixed(1)} µs)`;
    return [
      {
        name,
        figure: `${ratio.toFixed(2)} of bare node:http`,
        detail: figures,
        goal: `≥ ${goal}`,
        met: ratio >= goal,
      },
      {
        name: `${name}, Prism static`,
        figure: `${(witness.per_s / bareRate).toFixed(2)} of bare node:http`,
        detail: `${Math.round(witness.per_s)}/s, ${witness.cpu_us.toFixed(0)} µs CPU`,
      },
    ];
  } finally {
    bare.stop();
    mock.stop();
  }
}

async function sample(
  mock: Target,
  load: Load,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const answer = await fetch(mock.base_url + load.path, load);
  const headers = Object.fromEntries(answer.headers);
  for (const name of ['date', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[name];
  return { status: answer.status, headers, body: await answer.text() };
}

const PRISM = `
const { createRequire } = require('node:module');
const { spawn } = require('node:child_process');
const { createServer } = require('node:net');
const testCase = createServer().listen(0, '127.0.0.1', () => {
  const { port } = testCase.address();
  testCase.close(() => {
    process.argv = [process.execPath, 'prism', 'mock', 'spec/openapi.yaml', '-p', String(port), '-v', 'silent'];
    require(process.cwd() + '/node_modules/@stoplight/prism-cli/dist/index.js');
    const timer = setInterval(async () => {
      try { await fetch('http://127.0.0.1:' + port + '/usage'); clearInterval(timer); console.log(JSON.stringify({ base_url: 'http://127.0.0.1:' + port })); } catch {}
    }, 50);
  });
});`;

function startPrism(): Promise<Target> {
  return start('Prism', [process.execPath, '-e', PRISM]);
}
