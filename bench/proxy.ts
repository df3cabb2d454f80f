import { Agent, request } from 'node:http';
import { applyLoad, type LoadRequest } from './load.js';
import { type BenchServer, readMemoryMib, startBare, startServer } from './servers.js';
import { type BenchRow, computeMedian } from './table.js';

const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_S = 3;
/** Requests one after the other, for latency. */
const CALLS = 3000;
/** Exchanges after which memory may not have grown, in rounds of so many seconds; the long ones by `npm run bench proxy-soak`. */
const SOAK = 100_000;
const LONG_SOAK = 1_000_000;
const SOAK_ROUND_S = 5;

/** A service that is as fast as one can be: what is measured is the way to it. */
const RESPONSE = {
  status: 202,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    r: { id: 't1', status: 'running', output: null, live_url: 'http://live.example/t1', events: [] },
  }),
};

/** The least that a proxy can be: node:http with connections that are kept, and pipes. */
const BARE_PROXY = `
const { createServer, request, Agent } = require('node:http');
let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const { hostname, port } = new URL(text);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((message, response) => {
    const sent = request({ agent, hostname, port, method: message.method, path: message.url, headers: message.headers }, (upstream) => {
      response.writeHead(upstream.statusCode, upstream.rawHeaders);
      upstream.pipe(response);
    });
    message.pipe(sent);
  });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ base_url: 'http://127.0.0.1:' + server.address().port })));
});`;

const POLL: LoadRequest = { method: 'GET', path: '/api/v1/task/t1?event_t=0', headers: { apikey: 'bench' } };

/** What a proxy costs, which judges both sides as it goes, beside the least that passes bytes on. */
export async function benchProxy(): Promise<BenchRow[]> {
  const service = await startBare(RESPONSE);
  const bare = await startServer('bare pass-through', [process.execPath, '-e', BARE_PROXY], service.base_url);
  const proxy = await startProxy(service);
  try {
    await applyLoad(bare, POLL, WARM_UP_S);
    await applyLoad(proxy, POLL, WARM_UP_S);
    return [
      await compareRates(bare, proxy),
      await compareLatency(bare, proxy),
      await measureSoak(proxy, SOAK),
      await measureKeyMemory(proxy),
    ];
  } finally {
    for (const each of [proxy, bare, service]) each.stop();
  }
}

/** A proxy left running, for a million exchanges. */
export async function benchProxySoak(): Promise<BenchRow[]> {
  const service = await startBare(RESPONSE);
  const proxy = await startProxy(service);
  try {
    return [await measureSoak(proxy, LONG_SOAK)];
  } finally {
    for (const each of [proxy, service]) each.stop();
  }
}

function startProxy(service: BenchServer): Promise<BenchServer> {
  const command = [process.execPath, 'dist/command/main.js', 'proxy', service.base_url];
  return startServer('taskdouble proxy', [...command, '--port', '0', '--json', '--quiet']);
}

async function compareRates(bare: BenchServer, proxy: BenchServer): Promise<BenchRow> {
  const rounds: { bare: number; proxy: number; cpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const least = await applyLoad(bare, POLL, SECONDS);
    const measured = await applyLoad(proxy, POLL, SECONDS);
    if (measured.errors > 0) throw new Error(`${measured.errors} requests through the proxy failed.`);
    rounds.push({ bare: least.per_s, proxy: measured.per_s, cpu: measured.cpu_us });
  }
  const ratio = computeMedian(rounds.map((each) => each.proxy / each.bare));
  const [rate, bareRate, cpu] = (['proxy', 'bare', 'cpu'] as const).map((name) =>
    computeMedian(rounds.map((each) => each[name])),
  );
  return {
    name: 'proxy, polls',
    figure: `${ratio.toFixed(2)} of a bare pass-through`,
    detail: `${Math.round(rate!)}/s, ${cpu!.toFixed(0)} µs CPU (bare ${Math.round(bareRate!)}/s)`,
    goal: '≥ 0.5',
    met: ratio >= 0.5,
  };
}

const KEYS = 1000;
/** Exchanges of all keys before memory is measured first, and at the end. */
const EARLY_EXCHANGES = 50_000;
const ALL_EXCHANGES = 150_000;

/** The sum over keys is bounded as each key is. */
async function measureKeyMemory(proxy: BenchServer): Promise<BenchRow> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let sent = 0;
  const sendUntil = (most: number) =>
    Promise.all(
      Array.from({ length: 64 }, async () => {
        while (sent++ < most) await poll(proxy, agent, `key-${sent % KEYS}`);
      }),
    );
  await sendUntil(EARLY_EXCHANGES);
  const early = readMemoryMib(proxy.process.pid!);
  await sendUntil(ALL_EXCHANGES);
  const late = readMemoryMib(proxy.process.pid!);
  agent.destroy();
  return {
    name: 'proxy, memory over keys',
    figure: `${(late / early).toFixed(2)} × (150,000 exchanges to 50,000)`,
    detail: `${KEYS} keys; ${early.toFixed(0)} → ${late.toFixed(0)} MiB`,
    goal: '≤ 1.5 ×',
    met: late / early <= 1.5,
  };
}

function poll(proxy: BenchServer, agent: Agent, apikey: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(proxy.base_url + POLL.path, { agent, headers: { apikey } }, (response) => {
      response.on('end', resolve).on('error', reject).resume();
    })
      .on('error', reject)
      .end();
  });
}

/** Alternating, so that what else the machine does concerns both. */
async function compareLatency(bare: BenchServer, proxy: BenchServer): Promise<BenchRow> {
  const times = { bare: [] as number[], proxy: [] as number[] };
  const agent = new Agent({ keepAlive: true });
  for (let call = 0; call < CALLS; call++) {
    times.bare.push(await measurePoll(bare, agent));
    times.proxy.push(await measurePoll(proxy, agent));
  }
  agent.destroy();
  const [least, proxied] = [computeP99(times.bare), computeP99(times.proxy)];
  return {
    name: 'proxy, latency',
    figure: `p99 ${(proxied - least).toFixed(2)} ms above a bare pass-through`,
    detail: `p99 ${proxied.toFixed(2)} ms, median ${computeMedian(times.proxy).toFixed(2)} ms (bare ${least.toFixed(2)} and ${computeMedian(times.bare).toFixed(2)} ms)`,
    goal: '≤ 2 ms',
    met: proxied - least <= 2,
  };
}

function measurePoll({ base_url }: BenchServer, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const sent = request(base_url + POLL.path, { agent, headers: POLL.headers }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - from));
    });
    sent.on('error', reject).end();
  });
}

function computeP99(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
}

async function measureSoak(proxy: BenchServer, exchanges: number): Promise<BenchRow> {
  const headers = { apikey: 'soak', 'content-type': 'application/json' };
  const memory: number[] = [];
  let done = 0;
  for (let round = 0; done < exchanges; round++) {
    // Ever new tasks.
    const path = `/api/v1/task/soak-${round}?event_t=0`;
    const { per_s, errors } = await applyLoad(proxy, { method: 'GET', path, headers }, SOAK_ROUND_S);
    if (errors > 0) throw new Error(`${errors} requests through the proxy failed.`);
    done += per_s * SOAK_ROUND_S;
    memory.push(readMemoryMib(proxy.process.pid!));
  }
  const third = Math.max(1, Math.floor(memory.length / 3));
  const early = Math.max(...memory.slice(0, third));
  const late = Math.max(...memory.slice(-third));
  return {
    name: 'proxy, memory over a soak',
    figure: `${(late / early).toFixed(2)} × (last third to first)`,
    detail: `${Math.round(done).toLocaleString('en')} exchanges; ${early.toFixed(0)} → ${late.toFixed(0)} MiB`,
    goal: '≤ 1.25 ×',
    met: late / early <= 1.25,
  };
}
