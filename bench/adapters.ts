import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { judgeRun } from '../conformance/client/judge/verdict.js';
import type { Client, ClientFunction } from '../conformance/client/types.js';
import { explore } from '../conformance/explore/search/explore.js';
import { openTools } from '../conformance/explore/search-tools.js';
import { loadLibrary } from '../scenarios/format/library/library.js';
import { findPackageRoot } from '../scenarios/format/library/package-root.js';
import { type BenchRow, computeMedian } from './table.js';

const ROOT = findPackageRoot();
const ADAPTER = join(ROOT, 'fixtures/adapters/adapter.py');
const SEARCH_MS = 30_000;
const SCENARIO = 'tool-calls/one-call';
const RUNS = 60;
/** As many at once as processes were started before the search adapted to the load. */
const ONE_SHOT_JOBS = 2;

/** Explores the Python adapter as a one-shot command and as a persistent adapter, and a function beside it; splits the cost of a schedule. */
export async function benchAdapters(): Promise<BenchRow[]> {
  process.env['PYTHONPATH'] ??= join(ROOT, 'python');
  const { run } = (await import(join(ROOT, 'fixtures/clients/reference.mjs'))) as { run: ClientFunction };
  const { per_s: inProcess } = await countPerSecond({ kind: 'function', run });
  // A command with the address in its words cannot be persistent.
  const { per_s: oneShot } = await countPerSecond(
    { kind: 'command', command: ['python3', ADAPTER, '{base_url}'] },
    { jobs: ONE_SHOT_JOBS },
  );
  const persistent: Client = { kind: 'command', command: ['python3', ADAPTER], timeOfAdapter: 'virtual' };
  const { per_s } = await countPerSecond(persistent);
  const ratio = per_s / oneShot;
  const share = per_s / inProcess;
  return [
    {
      name: 'schedules of a Python client, persistent',
      figure: `${ratio.toFixed(0)} ×`,
      detail: `${per_s.toFixed(1)}/s in virtual time, a forked process for each; one-shot in real time, ${ONE_SHOT_JOBS} at a time, ${oneShot.toFixed(2)}/s; ${SEARCH_MS / 1000} s each`,
      goal: '≥ 25 × one-shot',
      met: ratio >= 25,
    },
    {
      name: 'schedules of a persistent Python client, beside a JavaScript function',
      figure: share.toFixed(3),
      detail: `${per_s.toFixed(1)}/s and ${inProcess.toFixed(0)}/s; ${SEARCH_MS / 1000} s each`,
      goal: '≥ 0.05',
      met: share >= 0.05,
    },
    await splitCost(persistent),
    await compareJobs(),
  ];
}

/** A one-shot command in real time: one run at a time, and as many as the machine carries. */
async function compareJobs(): Promise<BenchRow> {
  const client: Client = { kind: 'command', command: ['python3', ADAPTER, '{base_url}'] };
  const one = await countPerSecond(client, { jobs: 1 });
  const many = await countPerSecond(client);
  const ratio = many.per_s / one.per_s;
  const failures = one.failures + many.failures;
  return {
    name: 'schedules of a one-shot Python client in real time, as many at once as the machine carries',
    figure: `${ratio.toFixed(1)} ×`,
    detail: `${many.per_s.toFixed(2)}/s, one at a time ${one.per_s.toFixed(2)}/s; ${SEARCH_MS / 1000} s each; ${failures} failures of a correct client`,
    goal: '≥ 8 × one at a time, no failure',
    met: ratio >= 8 && failures === 0,
  };
}

async function countPerSecond(
  client: Client,
  options: { jobs?: number } = {},
): Promise<{ per_s: number; failures: number }> {
  const { progress, failures } = await explore({
    client,
    timeLimitMs: SEARCH_MS,
    schedules: 100_000,
    ...options,
  });
  return { per_s: (progress.schedules * 1000) / progress.elapsedMs, failures: failures.length };
}

/** One schedule at a time: what is not CPU time of this process is the client's. */
async function splitCost(client: Client): Promise<BenchRow> {
  const scenario = (await loadLibrary()).find(({ name }) => name === SCENARIO)!;
  const tools = await openTools(client, 1);
  const costs = { all: [] as number[], judge: [] as number[], protocol: [] as number[] };
  for (let round = 0; round < 2 * RUNS; round++) {
    const from = performance.now();
    const before = process.cpuUsage();
    const run = await tools.play(scenario);
    const { user, system } = process.cpuUsage(before);
    const played = performance.now();
    judgeRun(run);
    // The first half is for the compiler.
    if (round < RUNS) continue;
    costs.protocol.push((user + system) / 1000);
    costs.judge.push(performance.now() - played);
    costs.all.push(performance.now() - from);
  }
  await tools.close();
  const [all, protocol, judge] = [costs.all, costs.protocol, costs.judge].map(computeMedian) as [
    number,
    number,
    number,
  ];
  const client_ms = all - protocol - judge;
  return {
    name: 'a schedule of a persistent Python client',
    figure: `${all.toFixed(1)} ms`,
    detail: `client ${client_ms.toFixed(1)} ms, service and protocol ${protocol.toFixed(1)} ms, verdict ${judge.toFixed(1)} ms; median of ${RUNS} of ${SCENARIO}, one at a time`,
  };
}
