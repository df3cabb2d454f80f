import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startChild } from '../../support/children.js';
import { openReadersProject } from '../../support/installed.js';
import { findPython, NO_PYTHON } from '../../support/python.js';
import { SHOWN_BASE_URL } from './output.js';
import { listTypeErrors } from './type-check.js';

const ROOT = join(import.meta.dirname, '../../..');

export interface WorkbenchRun {
  code: number | null;
  /** stdout and stderr, as they came. */
  output: string;
}

/** The languages of modules, as their files end. */
export type ModuleLanguage = 'js' | 'ts';

/** A mock that was started from a command line. */
interface RunningMock {
  child: ChildProcess;
  base_url: string;
}

/** Where the commands of one page are run, as a reader would: one directory of a project, one mock at a time. */
export class Workbench {
  readonly directory = mkdtempSync(join(openReadersProject(), 'page-'));
  readonly #bin = join(openReadersProject(), 'node_modules/.bin');
  #modules = 0;
  #running: RunningMock | undefined;

  constructor() {
    symlinkSync(join(ROOT, 'fixtures'), join(this.directory, 'fixtures'));
    symlinkSync(join(openReadersProject(), 'node_modules'), join(this.directory, 'node_modules'));
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  get base_url(): string {
    return this.#running?.base_url ?? SHOWN_BASE_URL;
  }

  save(name: string, text: string): string {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
    return path;
  }

  /** Starts `npx taskdouble mock ...` on a free port in place of the one that runs. Rejects when it does not listen. */
  async start(commandLine: string): Promise<void> {
    await this.stop();
    const child = this.#spawn(`exec ${stripNpx(commandLine)} --port 0 --json`);
    this.#running = { child, base_url: await waitForBaseUrl(child) };
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
  async run(script: string): Promise<WorkbenchRun> {
    if (!this.#running && script.includes(SHOWN_BASE_URL)) await this.start('npx taskdouble mock');
    if (!this.#running && script.includes('fixtures/clients/')) await this.start('npx taskdouble mock');
    return waitForExit(this.#spawn(`exec 2>&1\n${this.#replaceBaseUrl(stripNpx(script))}`));
  }

  /** Runs a module that imports the package by its name. TypeScript has to satisfy a strict compiler first. */
  async runModule(
    text: string,
    language: ModuleLanguage,
    name = this.#nextName(`module.${language}`),
  ): Promise<WorkbenchRun> {
    const file = await this.#saveModule(name, text);
    const loader = /\.[cm]?ts$/.test(name) ? '--import tsx ' : '';
    return waitForExit(this.#spawn(`exec 2>&1; exec node ${loader}${quotePath(file)}`));
  }

  /** Runs a file of tests with vitest, in the reader's project. */
  async runTests(
    text: string,
    language: ModuleLanguage,
    name = this.#nextName(`test.${language}`),
  ): Promise<WorkbenchRun> {
    await this.#saveModule(name, text);
    return waitForExit(this.#spawn(`exec 2>&1; exec vitest run --root . ${quotePath(`./${name}`)}`));
  }

  /** Runs a file of tests with pytest; no run keeps anything for the next one. */
  async runPytest(text: string, name: string): Promise<WorkbenchRun> {
    this.save(name, text);
    const python = findPython();
    if (python === undefined) throw new Error(NO_PYTHON);
    return waitForExit(
      this.#spawn(`exec 2>&1; exec ${python} -m pytest -q -p no:cacheprovider ${quotePath(name)}`),
    );
  }

  async clear(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async #saveModule(name: string, text: string): Promise<string> {
    if (!this.#running && text.includes(SHOWN_BASE_URL)) await this.start('npx taskdouble mock');
    const file = this.save(name, this.#replaceBaseUrl(text));
    const errors = /\.[cm]?tsx?$/.test(name) ? listTypeErrors(file, this.directory) : [];
    if (errors.length > 0) throw new Error(`${name} does not compile:\n${errors.join('\n')}`);
    return file;
  }

  #nextName(ending: string): string {
    return `page-${++this.#modules}.${ending}`;
  }

  #replaceBaseUrl(text: string): string {
    return text.replaceAll(SHOWN_BASE_URL, this.base_url);
  }

  #spawn(script: string): ChildProcess {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(TASKDOUBLE_|NODE_OPTIONS|FORCE_COLOR|VITEST)/.test(name),
    );
    // The example client takes its address from here; its pauses are shorter than a person would want to watch.
    const env = {
      ...{ TASKDOUBLE_BASE_URL: this.base_url, POLL_MS: '100', DEADLINE_MS: '30000', NO_COLOR: '1' },
      // As if the kit were installed; a terminal of this width.
      ...{ PYTEST_PLUGINS: 'taskdouble.pytest_plugin', COLUMNS: '160' },
    };
    return startChild('bash', ['-c', script], {
      cwd: this.directory,
      env: { ...Object.fromEntries(inherited), ...env, PATH: `${this.#bin}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      // With what scripts start and leave running.
      detached: true,
    });
  }
}

/** What npx would start lies in the path: npx itself takes its time. */
function stripNpx(script: string): string {
  return script.replaceAll(/\bnpx (?=[a-z])/g, '');
}

function quotePath(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function waitForExit(child: ChildProcess): Promise<WorkbenchRun> {
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** The `base_url` in the line that it prints once it listens. */
function waitForBaseUrl(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: string) => {
      output += chunk;
      const line = /^\{"base_url".*\}$/m.exec(output)?.[0];
      if (line !== undefined) resolve((JSON.parse(line) as { base_url: string }).base_url);
    };
    child.stdout!.setEncoding('utf8').on('data', read);
    child.stderr!.setEncoding('utf8').on('data', read);
    child.once('close', () => reject(new Error(`It ended before it listened:\n${output}`)));
  });
}
