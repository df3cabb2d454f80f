import { applyLoad } from './load.js';
import { type BenchServer, readMemoryMib, startMock } from './servers.js';
import type { BenchRow } from './table.js';

const REQUESTS = 1_000_000;
const ROUND_S = 5;

/** A mock left running: a million requests, half of them polls, half of them new tasks; memory must not grow. */
export async function benchSoak(): Promise<BenchRow[]> {
  const mock = await startMock('--speed', '10', '--max-finished-tasks', '2000', '--max-exchanges', '2000');
  try {
    return [await measureSoak(mock)];
  } finally {
    mock.stop();
  }
}

async function measureSoak(mock: BenchServer): Promise<BenchRow> {
  const headers = { apikey: 'soak', 'content-type': 'application/json' };
  const post = { method: 'POST' as const, path: '/api/v1/task', headers, body: '{"task":"Soak"}' };
  const list = { method: 'GET' as const, path: '/api/v1/task?l=1', headers };
  const memory: number[] = [];
  let done = 0;
  while (done < REQUESTS) {
    for (const load of [post, list]) {
      const { per_s, errors } = await applyLoad(mock, load, ROUND_S);
      if (errors > 0) throw new Error(`The soak got ${errors} errors.`);
      done += per_s * ROUND_S;
    }
    memory.push(readMemoryMib(mock.process.pid!));
  }
  const third = Math.max(1, Math.floor(memory.length / 3));
  const early = Math.max(...memory.slice(0, third));
  const late = Math.max(...memory.slice(-third));
  const growth = late / early;
  return {
    name: 'memory over a soak',
    figure: `${growth.toFixed(2)} × (last third to first)`,
    detail: `${Math.round(done).toLocaleString('en')} requests; ${early.toFixed(0)} → ${late.toFixed(0)} MiB`,
    goal: '≤ 1.25 ×',
    met: growth <= 1.25,
  };
}
