import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type BenchServer, readCpuMs } from './servers.js';

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Requests per second; as many as the server takes unless given. */
  per_s?: number;
}

export interface LoadMeasurement {
  per_s: number;
  /** CPU time of the server for each request, µs. */
  cpu_us: number;
  errors: number;
}

/** So many that the server is never idle, waiting for the load to be woken up. */
export const CONNECTIONS = 64;

/** Keeps a server busy for `seconds`, with wrk where the machine has it, else with autocannon. */
export async function applyLoad(
  target: BenchServer,
  load: LoadRequest,
  seconds: number,
  connections = CONNECTIONS,
): Promise<LoadMeasurement> {
  const before = readCpuMs(target.process.pid!);
  const run = hasWrk() && load.per_s === undefined ? runWrk : runAutocannon;
  const { requests, per_s, errors } = await run(target, load, seconds, connections);
  return { per_s, cpu_us: ((readCpuMs(target.process.pid!) - before) * 1000) / requests, errors };
}

interface LoadCounts {
  requests: number;
  per_s: number;
  errors: number;
}

let wrkFound: boolean | undefined;

export function hasWrk(): boolean {
  if (wrkFound !== undefined) return wrkFound;
  try {
    execFileSync('wrk', ['--version'], { stdio: 'pipe' });
    wrkFound = true;
  } catch (error) {
    // It prints its version and exits with 1.
    wrkFound = (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
  return wrkFound;
}

async function runWrk(
  target: BenchServer,
  load: LoadRequest,
  seconds: number,
  connections: number,
): Promise<LoadCounts> {
  const script = join(mkdtempSync(join(tmpdir(), 'bench-')), 'load.lua');
  const headers = Object.entries(load.headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  writeFileSync(
    script,
    [`wrk.method = "${load.method}"`, ...headers, load.body ? `wrk.body = [==[${load.body}]==]` : ''].join(
      '\n',
    ),
  );
  const child = spawn('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    target.base_url + load.path,
  ]);
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return {
    requests: Number(/(\d+) requests in/.exec(text)![1]),
    per_s: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)![1]),
    errors: Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0),
  };
}

async function runAutocannon(
  target: BenchServer,
  load: LoadRequest,
  seconds: number,
  connections: number,
): Promise<LoadCounts> {
  const { path, per_s, ...rest } = load;
  const result = await autocannon({
    url: target.base_url + path,
    ...rest,
    ...(per_s !== undefined && { overallRate: per_s }),
    connections,
    duration: seconds,
    pipelining: 1,
  });
  return {
    requests: result.requests.total,
    per_s: result.requests.average,
    errors: result.non2xx + result.errors,
  };
}
