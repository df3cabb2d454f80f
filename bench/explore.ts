import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { judgeRun } from '../conformance/client/judge/verdict.js';
import { type PlayOptions, play } from '../conformance/client/run/play.js';
import { ClientThreads } from '../conformance/client/run/threads/client-threads.js';
import type { ClientFunction } from '../conformance/client/types.js';
import { explore } from '../conformance/explore/search/explore.js';
import { loadLibrary } from '../scenarios/format/library/library.js';
import { findPackageRoot } from '../scenarios/format/library/package-root.js';
import { type BenchRow, computeMedian } from './table.js';

const SCHEDULES = 10_000;
/** Until the code that matters has been compiled. */
const WARM_UP = 4000;
const SEARCHES = 5;
const MANY = 100_000;
const ROUNDS = 11;
/** Heap that may come on top between the first tenth and the end, MiB: flat, but for what the finds of a search take. */
const FLAT_MIB = 10;

const CLIENTS = join(findPackageRoot(), 'fixtures/clients');

/** The explorer: schedules a second in process, memory, what a schedule of a Node.js command costs. */
export async function benchExplore(): Promise<BenchRow[]> {
  const { run } = (await import(join(CLIENTS, 'reference.mjs'))) as { run: ClientFunction };
  return [
    await measureRate(run),
    await measureMemory(run),
    await measureCommand(),
    ...(await benchCommands()),
    await measureHang(),
  ];
}

/** A schedule of one search may be longer than that of another: the requests tell how quick the runs themselves are. */
async function measureRate(reference: ClientFunction): Promise<BenchRow> {
  let requests = 0;
  const run: ClientFunction = (context) => {
    const { fetch } = context;
    return reference({
      ...context,
      fetch(...request) {
        requests++;
        return fetch(...request);
      },
    });
  };
  await explore({ client: { kind: 'function', run }, schedules: WARM_UP });
  const rates: number[] = [];
  const requestRates: number[] = [];
  for (let round = 0; round < SEARCHES; round++) {
    requests = 0;
    const { progress } = await explore({ client: { kind: 'function', run }, schedules: SCHEDULES });
    rates.push(progress.schedules / (progress.elapsedMs / 1000));
    requestRates.push(requests / (progress.elapsedMs / 1000));
  }
  const per_s = computeMedian(rates);
  return {
    name: 'schedules explored in process, one core',
    figure: `${Math.round(per_s).toLocaleString('en')}/s`,
    detail: `median of ${SEARCHES} searches of ${SCHEDULES.toLocaleString('en')} schedules of the reference client, judged; ${rates.map(Math.round).join(', ')}; ${Math.round(computeMedian(requestRates)).toLocaleString('en')} requests/s`,
    goal: '≥ 2,000/s',
    met: per_s >= 2000,
  };
}

async function measureMemory(run: ClientFunction): Promise<BenchRow> {
  const heaps: number[] = [];
  const every = MANY / 10;
  let next = every;
  const { progress } = await explore(
    { client: { kind: 'function', run }, schedules: MANY, timeLimitMs: 30 * 60_000 },
    (event) => {
      if (event.type !== 'progress' || event.progress.schedules < next) return;
      next += every;
      heaps.push(readHeapMib());
    },
  );
  heaps.push(readHeapMib());
  const grown = heaps.at(-1)! - heaps[0]!;
  return {
    name: 'memory of a long search',
    figure: `${grown < 0 ? '−' : '+'}${Math.abs(grown).toFixed(1)} MiB`,
    detail: `heap after ${every.toLocaleString('en')} and after ${progress.schedules.toLocaleString('en')} schedules: ${heaps[0]!.toFixed(0)} → ${heaps.at(-1)!.toFixed(0)} MiB`,
    goal: 'flat',
    met: grown < FLAT_MIB,
  };
}

function readHeapMib(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function loadScenario(name: string) {
  return (await loadLibrary()).find((scenario) => scenario.name === name)!;
}

/** A whole run with mock, port and verdict, against starting Node.js with nothing to do. */
async function measureCommand(): Promise<BenchRow> {
  const scenario = await loadScenario('tool-calls/one-call');
  const client = { kind: 'node', command: [process.execPath, join(CLIENTS, 'reference.mjs')] } as const;
  const bare: number[] = [];
  const runs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await measureMs(() => waitForExit(spawn(process.execPath, ['-e', '0']))));
    runs.push(await measureMs(async () => judgeRun(await play(scenario, client))));
  }
  const beyond_ms = computeMedian(runs) - computeMedian(bare);
  return {
    name: 'a schedule of a Node.js command beyond its start',
    figure: `${beyond_ms.toFixed(0)} ms`,
    detail: `${computeMedian(runs).toFixed(0)} ms with a port, the preload and the verdict; node -e 0 takes ${computeMedian(bare).toFixed(0)} ms`,
    goal: '≤ 300 ms',
    met: beyond_ms <= 300,
  };
}

const JOBS = 2;
const RUNS = 40;

/** Schedules a second of a Node.js command on two cores: in a process each and in a thread each, in turns. */
export async function benchCommands(): Promise<BenchRow[]> {
  const scenario = await loadScenario('tool-calls/one-call');
  const file = join(CLIENTS, 'reference.mjs');
  const client = { kind: 'node', command: [process.execPath, file] } as const;
  const threads = new ClientThreads(file, JOBS);
  const inThread = threads.start((what) => {
    throw new Error(`The reference client uses ${what}.`);
  });
  const countPerSecond = async (options: PlayOptions): Promise<number> => {
    let left = RUNS;
    const runWorker = async () => {
      while (left-- > 0) judgeRun(await play(scenario, client, options));
    };
    return (RUNS * 1000) / (await measureMs(() => Promise.all(Array.from({ length: JOBS }, runWorker))));
  };
  const rates = { process: [] as number[], thread: [] as number[] };
  for (let round = 0; round < SEARCHES; round++) {
    rates.process.push(await countPerSecond({}));
    rates.thread.push(await countPerSecond({ start: inThread }));
  }
  await threads.close();
  const ratio = computeMedian(rates.thread.map((each, round) => each / rates.process[round]!));
  const per_s = computeMedian(rates.thread);
  return [
    {
      name: 'schedules of a Node.js command in threads',
      figure: `${per_s.toFixed(1)}/s`,
      detail: `${JOBS} at a time, judged; in processes ${computeMedian(rates.process).toFixed(1)}/s, ratio ${ratio.toFixed(1)}; ${SEARCHES} rounds of ${RUNS} each in turns`,
      goal: '≥ 20/s',
      met: per_s >= 20,
    },
  ];
}

/** A client that waits for ever, its time virtual: as quick as one that ends. */
async function measureHang(): Promise<BenchRow> {
  const scenario = await loadScenario('races/odd-result-code');
  const command = [process.execPath, join(CLIENTS, 'buggy/knows-three-codes.mjs')];
  let found = { end: '', durationMs: 0 };
  const took_ms = await measureMs(async () => {
    found = await play(scenario, { kind: 'node', command });
  });
  return {
    name: 'a hang of a Node.js command',
    figure: `${took_ms.toFixed(0)} ms`,
    detail: `until a client that polls for ever is ended (${found.end}), ${found.durationMs / 1000} s on its own clock`,
    goal: '< 1 s',
    met: took_ms < 1000 && found.end !== 'by-itself',
  };
}

async function measureMs(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

function waitForExit(child: ReturnType<typeof spawn>): Promise<unknown> {
  return new Promise((resolve) => child.once('exit', resolve));
}
