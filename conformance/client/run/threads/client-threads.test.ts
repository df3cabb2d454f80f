import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SMALL_CLIENT } from '../../../../test/support/client/inline.js';
import { oneCall } from '../../../../test/support/client/scenarios.js';
import type { ClientRun } from '../../types.js';
import { findError } from '../first-error.js';
import { type PlayOptions, play } from '../play.js';
import { ClientThreads } from './client-threads.js';

const directory = mkdtempSync(join(tmpdir(), 'threads-'));
afterAll(() => rmSync(directory, { recursive: true }));

let files = 0;

function fileWith(code: string, extension = 'mjs'): string {
  const file = join(directory, `client-${++files}.${extension}`);
  writeFileSync(file, code);
  return file;
}

async function inThread(file: string, options: PlayOptions = {}): Promise<ClientRun & { needs: string[] }> {
  const threads = new ClientThreads(file, 0);
  const needs: string[] = [];
  const start = threads.start((what) => needs.push(what));
  const command = [process.execPath, file, 'one', '{base_url}'];
  const run = await play(oneCall, { kind: 'node', command }, { ...options, start });
  await threads.close();
  return { ...run, needs };
}

const inProcess = (file: string) =>
  play(oneCall, { kind: 'node', command: [process.execPath, file, 'one', '{base_url}'] });

/** What a client, its test and its report can see of a run. Each has a port of its own. */
const shown = ({ end, exitCode, signal, line, lineProblem, stderr, trace, durationMs }: ClientRun) => {
  // Of a process that waits for ever Node.js 22 and later say where.
  const error = exitCode === WAITS_FOR_EVER ? undefined : findError(stderr);
  const all = { end, exitCode, signal, line, lineProblem, error, trace, durationMs };
  return JSON.parse(JSON.stringify(all).replace(/127\.0\.0\.1:\d+/g, 'host'));
};

/** The exit code of Node.js. */
const WAITS_FOR_EVER = 13;

describe('a client in a thread', () => {
  it.each([
    ['plays a scenario', SMALL_CLIENT],
    ['exits in the middle', 'console.log(JSON.stringify({ n: 1 })); process.exit(3); console.log("{}")'],
    ['throws', 'console.error("é"); throw new TypeError("no such thing")'],
    ['rejects', 'Promise.reject(new Error("nobody listens"))'],
    ['waits forever', 'console.log("{}"); await new Promise(() => {})'],
    [
      'writes its line at the end',
      'process.on("exit", (code) => { console.log(JSON.stringify({ code })); process.exitCode = 4 })',
    ],
    [
      'catches what nothing else does',
      'process.on("uncaughtException", (e) => { console.log(JSON.stringify({ caught: e.message })); process.exit(0) }); throw new Error("oh")',
    ],
    ['warns', 'process.emitWarning("old", "Deprecation"); console.log("{}")'],
    [
      'looks around',
      `import { isMainThread, threadId, parentPort } from 'node:worker_threads';
       import { readFileSync } from 'node:fs';
       import { createRequire } from 'node:module';
       let read = ''; for await (const chunk of process.stdin) read += chunk;
       const { TASKDOUBLE_API_KEY, TASKDOUBLE_TIME, PATH, NODE_OPTIONS } = process.env;
       globalThis.count = (globalThis.count ?? 0) + 1;
       console.log(JSON.stringify({ argv: process.argv, execArgv: process.execArgv, cwd: process.cwd(), read, count, isMainThread, threadId,
         parent: parentPort === null, key: TASKDOUBLE_API_KEY, PATH, NODE_OPTIONS, isTTY: process.stdout.isTTY ?? false, now: Date.now(),
         random: Math.random(), up: process.uptime(), date: String(new Date()), main: createRequire(process.argv[1]).main?.id ?? null, own: readFileSync(process.argv[1], 'utf8').length }))`,
    ],
  ])('%s as in a process', async (_, code) => {
    const file = fileWith(code);
    const run = await inThread(file);
    expect(run.needs).toEqual([]);
    expect(shown(run)).toEqual(shown(await inProcess(file)));
  });

  it('is the main module, as CommonJS too', async () => {
    const run = await inThread(
      fileWith('console.log(JSON.stringify({ main: require.main === module }))', 'cjs'),
    );
    expect(run).toMatchObject({ exitCode: 0, line: { main: true } });
  });

  it.each([
    ['process.chdir', 'process.chdir("/")'],
    ['process.kill', 'process.kill(process.pid, "SIGTERM")'],
    ["process.once('SIGTERM')", 'process.once("SIGTERM", () => {})'],
    ['process.umask', 'process.umask(0)'],
    ['process.env.TZ', 'process.env.TZ = "Asia/Tokyo"'],
    [
      'process.dlopen',
      'import { createRequire } from "node:module"; import fs from "node:fs"; fs.writeFileSync(process.argv[1] + ".node", ""); createRequire(import.meta.url)(process.argv[1] + ".node")',
    ],
    ['child_process.spawn', 'import { spawn } from "node:child_process"; spawn("true")'],
    ['child_process.fork', 'import cluster from "node:cluster"; cluster.fork()'],
    [
      'worker_threads.Worker',
      'import { Worker } from "node:worker_threads"; new Worker("1", { eval: true })',
    ],
    ['globalThis.BroadcastChannel', 'new BroadcastChannel("all")'],
    ['fs.writeSync of a stream', 'import { writeSync } from "node:fs"; writeSync(process.stdout.fd, "{}")'],
    ['fs.readFile of a stream', 'import { readFile } from "node:fs/promises"; await readFile("/dev/stdin")'],
  ])('needs a process for %s', async (need, code) => {
    expect(await inThread(fileWith(code))).toMatchObject({ needs: [need], end: 'aborted' });
  });

  it('that never ends is ended at its deadline, without real waiting', async () => {
    const run = await inThread(fileWith('setInterval(() => {}, 1000)'), { deadlineMs: 600_000 });
    expect(run).toMatchObject({ end: 'deadline', exitCode: null, leftBehind: 0, needs: [] });
  });

  it('that writes without end is ended', async () => {
    const run = await inThread(
      fileWith('const text = "x".repeat(1e6); setInterval(() => console.log(text), 1)'),
    );
    expect(run).toMatchObject({ end: 'output-flood', needs: [] });
  });
});
