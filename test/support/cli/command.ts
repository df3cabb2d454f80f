import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../cli/program.js';
import { endChildren, startChild } from '../children.js';

/** The built command: `npm test` builds first. */
const MAIN = join(import.meta.dirname, '../../../dist/command/main.js');

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  env?: Record<string, string>;
  cwd?: string;
}

/** Runs the command in a separate process until it exits: for exit codes, signals and pipes. */
export async function spawn(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return new RunningCommand(args, options).ended;
}

/** Runs the command in this process, which is much faster, and captures its output. One at a time. */
export async function run(
  args: readonly string[],
  { env = {}, cwd }: CommandOptions = {},
): Promise<CommandResult> {
  const before = { env: process.env, cwd: process.cwd(), code: process.exitCode };
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  const stdout = captureWrites(process.stdout);
  const stderr = captureWrites(process.stderr);
  process.env = { ...inherited, ...env };
  if (cwd !== undefined) process.chdir(cwd);
  process.exitCode = undefined;
  try {
    await runCommand(args);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = before.code;
    process.chdir(before.cwd);
    process.env = before.env;
    stdout.release();
    stderr.release();
  }
}

function captureWrites(stream: NodeJS.WriteStream) {
  const { write } = stream;
  let text = '';
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.find((each) => typeof each === 'function') as (() => void) | undefined;
    if (done) queueMicrotask(done);
    return true;
  }) as typeof write;
  return {
    text: () => text,
    release: () => {
      stream.write = write;
    },
  };
}

/** A running command. */
export class RunningCommand {
  readonly ended: Promise<CommandResult>;
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';
  #over = false;
  readonly #waiting = new Set<() => void>();

  constructor(args: readonly string[], { env = {}, cwd }: CommandOptions = {}) {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is not there: run "npm run build" first.`);
    const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
    this.#child = startChild(process.execPath, [MAIN, ...args], {
      env: { ...inherited, ...env },
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stdout += chunk;
      this.#notifyWaiting();
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stderr += chunk;
      this.#notifyWaiting();
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code) => {
        this.#over = true;
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr });
        this.#notifyWaiting();
      });
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  get stdout(): string {
    return this.#stdout;
  }

  /** The first match of `pattern` in the output; rejects when the command ends without one. */
  async waitForOutput(pattern: RegExp, stream: 'stdout' | 'stderr' = 'stderr'): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(stream === 'stdout' ? this.#stdout : this.#stderr);
      if (found) return found;
      if (this.#over) throw new Error(`It ended without saying ${pattern}:\n${this.#stdout}${this.#stderr}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<CommandResult> {
    this.signal(signal);
    return this.ended;
  }

  #notifyWaiting(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

export interface StartedMock {
  command: RunningCommand;
  base_url: string;
  port: number;
  admin_url: string;
  seed: string | number;
  /** Calls the API with a key; the body is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<CallResponse>;
  callAdmin(method: string, path: string, body?: unknown): Promise<CallResponse>;
}

interface CallResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  body: any;
}

/** Starts `taskdouble mock --port 0 --json` with more flags; resolves when it listens. */
export async function startMock(...flags: string[]): Promise<StartedMock> {
  const command = new RunningCommand(['mock', '--port', '0', '--json', ...flags]);
  const [line] = await command.waitForOutput(/^\{.*\}$/m, 'stdout');
  const ready = JSON.parse(line) as Omit<StartedMock, 'command' | 'call' | 'admin'>;
  const call = async (
    method: string,
    url: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<CallResponse> => {
    const init = {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    };
    const response = await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return {
    ...ready,
    command,
    call: (method, path, body, headers = {}) =>
      call(method, `${ready.base_url}/api/v1${path}`, body, { apikey: 'test', ...headers }),
    callAdmin: (method, path, body) => call(method, `${ready.admin_url}${path}`, body, {}),
  };
}

export const endAll = endChildren;
