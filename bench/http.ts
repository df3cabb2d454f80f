import { applyLoad, type LoadMeasurement, type LoadRequest } from './load.js';
import { type BenchServer, startBare, startMock, startServer } from './servers.js';
import { type BenchRow, computeMedian } from './table.js';

const KEY = { apikey: 'bench' };
const ROUNDS = 5;
const SECONDS = 2;
/** Both sides get so long to warm up. */
const WARM_UP_S = 3;

/**
 * Poll and post over HTTP, against bare node:http that sends the same bytes and against Prism, in one run. Both sides are
 * started anew for each, so that none has more behind it than the other.
 */
export async function benchHttp(): Promise<BenchRow[]> {
  const prism = await startPrism();
  try {
    const body = JSON.stringify({ task: 'Measure me', url: 'https://example.com' });
    const json = { ...KEY, 'content-type': 'application/json' };
    const post: LoadRequest = { method: 'POST', path: '/api/v1/task', headers: json, body };
    return [
      ...(await compare('poll (GET /task/{id})', prism, createSessionPoll, 0.8)),
      ...(await compare('post (POST /task)', prism, () => post, 0.7)),
    ];
  } finally {
    prism.stop();
  }

  async function createSessionPoll(mock: BenchServer): Promise<LoadRequest> {
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
  prism: BenchServer,
  prepareLoad: (mock: BenchServer) => LoadRequest | Promise<LoadRequest>,
  goal: number,
): Promise<BenchRow[]> {
  const mock = await startMock();
  const load = await prepareLoad(mock);
  const bare = await startBare(await fetchSample(mock, load));
  try {
    await applyLoad(bare, load, WARM_UP_S);
    await applyLoad(mock, load, WARM_UP_S);
    const rounds: { mock: LoadMeasurement; bare: LoadMeasurement }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ bare: await applyLoad(bare, load, SECONDS), mock: await applyLoad(mock, load, SECONDS) });
    }
    const prismMeasurement = await applyLoad(
      prism,
      { ...load, path: load.path.replace('/api/v1', '') },
      SECONDS,
    );
    const bareRate = computeMedian(rounds.map((each) => each.bare.per_s));
    const ratio = computeMedian(rounds.map((each) => each.mock.per_s / each.bare.per_s));
    const cpu = computeMedian(rounds.map((each) => each.mock.cpu_us));
    const bareCpu = computeMedian(rounds.map((each) => each.bare.cpu_us));
    const errors = rounds.reduce((sum, each) => sum + each.mock.errors, 0);
    if (errors > 0) throw new Error(`${name}: ${errors} requests failed`);
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
        figure: `${(prismMeasurement.per_s / bareRate).toFixed(2)} of bare node:http`,
        detail: `${Math.round(prismMeasurement.per_s)}/s, ${prismMeasurement.cpu_us.toFixed(0)} µs CPU`,
      },
    ];
  } finally {
    bare.stop();
    mock.stop();
  }
}

async function fetchSample(
  mock: BenchServer,
  load: LoadRequest,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const response = await fetch(mock.base_url + load.path, load);
  const headers = Object.fromEntries(response.headers);
  for (const name of ['date', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[name];
  return { status: response.status, headers, body: await response.text() };
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

function startPrism(): Promise<BenchServer> {
  return startServer('Prism', [process.execPath, '-e', PRISM]);
}
