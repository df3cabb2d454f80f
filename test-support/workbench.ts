import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHOWN_BASE_URL } from './output.js';

const ROOT = join(import.meta.dirname, '..');
const MAIN = join(ROOT, 'dist/cli/main.js');

export interface Ran {
  code: number | null;
  /** stdout and stderr, as they came. */
  output: string;
}

/** A mock that was started from a command line. */
interface Running {
  child: ChildProcess;
  base_url: string;
}

/** Where the commands of one page are run, as a reader would: one directory, one mock at a time. */
export class Workbench {
  readonly directory = mkdtempSync(join(tmpdir(), 'taskdouble-page-'));
  readonly #modules: string[] = [];
  #running: Running | undefined;

  constructor() {
    symlinkSync(join(ROOT, 'fixtures'), join(this.directory, 'fixtures'));
  }

  get base_url(): string {
    return this.#running?.base_url ?? SHOWN_BASE_URL;
  }

  save(name: string, text: string): string {
    const path = join(this.directory, name);
    writeFileSync(path, `${text}\n`);
    return path;
  }

  /** Starts `npx taskdouble mock ...` on a free port in place of the one that runs. Rejects when it does not listen. */
  async start(commandLine: string): Promise<void> {
    await this.stop();
    const child = this.#spawn(`exec ${withoutNpx(commandLine)} --port 0 --json`);
    this.#running = { child, base_url: await listening(child) };
  }

  async stop(): Promise<void> {
    const { child } = this.#running ?? {};
    this.#running = undefined;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill();
    await gone;
  }

  /** Runs commands in bash until they end; a mock of the default flags is started when none runs. */
  async run(script: string): Promise<Ran> {
    if (!this.#running && script.includes(SHOWN_BASE_URL)) await this.start('npx taskdouble mock');
    if (!this.#running && script.includes('fixtures/clients/')) await this.start('npx taskdouble mock');
    return ended(this.#spawn(`exec 2>&1\n${withoutNpx(script).replaceAll(SHOWN_BASE_URL, this.base_url)}`));
  }

  /** Runs a module that imports the package by its name: it has to lie inside of the package for that. */
  async runModule(text: string): Promise<Ran> {
    const file = join(ROOT, 'dist', `page-${process.pid}-${this.#modules.length}.mjs`);
    this.#modules.push(file);
    writeFileSync(file, text);
    return ended(this.#spawn(`exec 2>&1; exec node ${quoted(file)}`));
  }

  /** Runs a file of tests with vitest: it lies inside of the package too, and finds the package as it was built. */
  async runTests(text: string): Promise<Ran> {
    if (!this.#running) await this.start('npx taskdouble mock');
    const name = `page-${process.pid}-${this.#modules.length}`;
    const tests = join(ROOT, 'dist', `${name}.test.mjs`);
    const config = join(ROOT, 'dist', `${name}.config.mjs`);
    this.#modules.push(tests, config);
    writeFileSync(tests, text.replaceAll(SHOWN_BASE_URL, this.base_url));
    writeFileSync(config, configOf(tests));
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    return ended(this.#spawn(`exec 2>&1; exec node ${quoted(vitest)} run --config ${quoted(config)}`));
  }

  async clear(): Promise<void> {
    await this.stop();
    for (const path of [...this.#modules, this.directory]) rmSync(path, { recursive: true, force: true });
  }

  #spawn(script: string): ChildProcess {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(TASKDOUBLE_|NODE_OPTIONS|FORCE_COLOR|VITEST)/.test(name),
    );
    // The example client takes its address from here; its pauses are shorter than a person would want to watch.
    const env = { TASKDOUBLE_BASE_URL: this.base_url, POLL_MS: '100', DEADLINE_MS: '30000', NO_COLOR: '1' };
    return spawn('bash', ['-c', script], {
      cwd: this.directory,
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

function configOf(tests: string): string {
  const door = join(ROOT, 'dist/conformance/vitest-door.js');
  const alias = { 'taskdouble/conformance/vitest': door };
  return `export default ${JSON.stringify({
    resolve: { alias },
    test: { root: join(ROOT, 'dist'), dir: join(ROOT, 'dist'), include: [tests], exclude: [] },
  })};\n`;
}

function withoutNpx(script: string): string {
  return script.replaceAll(/\bnpx taskdouble\b/g, `node ${quoted(MAIN)}`);
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function ended(child: ChildProcess): Promise<Ran> {
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** The `base_url` in the line that it prints once it listens. */
function listening(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: string) => {
      said += chunk;
      const line = /^\{"base_url".*\}$/m.exec(said)?.[0];
      if (line !== undefined) resolve((JSON.parse(line) as { base_url: string }).base_url);
    };
    child.stdout!.setEncoding('utf8').on('data', read);
    child.stderr!.setEncoding('utf8').on('data', read);
    child.once('close', () => reject(new Error(`It ended before it listened:\n${said}`)));
  });
}
