import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { real } from '../../../mock/clock/real.js';
import type { ClientRun } from '../types.js';

export type RunTermination = Pick<ClientRun, 'end'> &
  Partial<Pick<ClientRun, 'exitCode' | 'signal' | 'error'>>;

/** Largest stdout or stderr of a command, in characters. */
const FLOOD = 8 * 1024 * 1024;
/** Characters at the end of stdout that are searched for the last line. */
export const STDOUT_KEPT = 1024 * 1024;
export const STDERR_KEPT = 8 * 1024;
/** Time between SIGTERM and SIGKILL, ms. */
const GRACE_MS = 500;
/** Processes that still run this long after the end of the command count as left behind, ms. */
const LEFT_BEHIND_MS = 150;
/** Longest wait for killed processes to exit and for pipes to close, ms. */
const GONE_MS = 2000;
const CHECK_EVERY_MS = 15;

/** Environment variable of every process of a run: identifies processes that have left the process group. */
const MARK = 'TASKDOUBLE_RUN';

/** Advice for commands that cannot be started. */
const NOT_STARTED: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program (ENOENT). Correct its name, or give its path',
  EACCES: 'it may not be executed (EACCES). Make it executable, or put its interpreter before it',
};

interface JobEnd {
  /** The result line. */
  text: string;
  exitCode: number | null;
}

/** A running client. */
export interface RunningClient {
  readonly stdout: { readonly text: string };
  readonly stderr: { readonly text: string };
  /** Of two jobs: how each ended, as far as it has. */
  readonly jobs?: { main?: JobEnd | undefined; other?: JobEnd | undefined };
  /** Ends the client if it still runs, and returns the number of processes that it left behind. */
  finish(): Promise<number>;
}

/**
 * Starts the client of a run. `env` is added to the environment without the variables of taskdouble. `onEnd`: only the first call counts.
 * `connect` connects a thread to the virtual time of the run.
 */
export type ClientStarter = (
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  onEnd: (end: RunTermination) => void,
  connect?: (port: MessagePort) => void,
) => RunningClient;

/** Receives the output of a process in place of its tails. */
interface OutputListener {
  onStdout(text: string): void;
  onStderr(text: string): void;
  /** `write` is used: stdin is a pipe. */
  hasInput?: boolean;
}

let runs = 0;
const alive = new Set<ClientProcess>();

/**
 * A command under test with all processes that it starts: a process group of its own, bounded output, empty stdin. All of them are killed
 * when this process ends, unless it ends by SIGKILL.
 */
export class ClientProcess implements RunningClient {
  readonly stdout = new OutputTail(STDOUT_KEPT);
  readonly stderr = new OutputTail(STDERR_KEPT);
  readonly #mark = `${process.pid}-${++runs}-${Date.now()}`;
  #child: ChildProcess | undefined;
  #closed: Promise<void> = Promise.resolve();
  #hasExited = false;

  /** `env` is added to the environment without the variables of taskdouble. No shell: arguments are passed unchanged. */
  constructor(
    [program = '', ...rest]: readonly string[],
    env: Readonly<Record<string, string>>,
    onEnd: (end: RunTermination) => void = () => {},
    listener?: OutputListener,
  ) {
    const fail = ({ code, message }: NodeJS.ErrnoException) => {
      const why = NOT_STARTED[code ?? ''] ?? message;
      const error = `the command ${JSON.stringify(program)} could not be started: ${why}`;
      onEnd({ end: 'not-started', error });
    };
    try {
      const child = spawn(program, rest, {
        detached: true,
        stdio: [listener?.hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
        env: { ...filterEnvironment(), ...env, [MARK]: this.#mark },
        windowsHide: true,
      });
      child.once('error', (error) => child.pid === undefined && fail(error));
      if (child.pid === undefined) return;
      this.#child = child;
      const flood = () => onEnd({ end: 'output-flood' });
      readText(child.stdout!, listener?.onStdout ?? ((text) => this.stdout.add(text, flood)));
      readText(child.stderr!, listener?.onStderr ?? ((text) => this.stderr.add(text, flood)));
      // A process that has ended reads nothing.
      child.stdin?.on('error', () => {});
      this.#closed = new Promise((resolve) => child.once('close', () => resolve()));
      child.once('exit', (exitCode, signal) => {
        this.#hasExited = true;
        onEnd({ end: 'by-itself', exitCode, signal });
      });
      if (alive.size === 0) watchOwnEnd('on');
      alive.add(this);
    } catch (error) {
      fail(error as Error);
    }
  }

  write(text: string): void {
    this.#child?.stdin?.write(text);
  }

  /** Settles when the output of a process that has exited has been read. A process that it left behind may keep the pipes open. */
  async drain(): Promise<void> {
    await Promise.race([this.#closed, real.sleep(LEFT_BEHIND_MS, undefined, { ref: false })]);
  }

  /**
   * Ends all processes that still run, first with SIGTERM. Returns the number of processes that the command left behind when it ended by
   * itself. Afterwards all output has been read.
   */
  async finish(): Promise<number> {
    if (!this.#child) return 0;
    this.#child.stdin?.end();
    // A wrapper may exit a moment before the wrapped program.
    const left = this.#hasExited ? await this.#awaitExit(LEFT_BEHIND_MS) : [];
    if (!this.#hasExited || left.length > 0) {
      this.#signal('SIGTERM');
      if ((await this.#awaitExit(GRACE_MS)).length > 0) await this.#awaitExit(GONE_MS, () => this.kill());
    }
    // A process that was not found may keep the pipes open forever.
    await Promise.race([this.#closed, real.sleep(GONE_MS, undefined, { ref: false })]);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    alive.delete(this);
    if (alive.size === 0) watchOwnEnd('off');
    return left.length;
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  /** The processes that still run after at most `most_ms`. */
  async #awaitExit(most_ms: number, onCheck: () => void = () => {}): Promise<number[]> {
    for (const until = real.performanceNow() + most_ms; ; ) {
      onCheck();
      const left = this.#listProcesses();
      if (left.length === 0 || real.performanceNow() >= until) return left;
      await real.sleep(CHECK_EVERY_MS);
    }
  }

  #listProcesses(): number[] {
    const pid = this.#child!.pid!;
    const found = findProcesses(pid, this.#mark);
    const isFound = found.some((each) => Math.abs(each) === pid);
    return this.#hasExited || isFound ? found : [pid, ...found];
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of this.#listProcesses()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended in the meantime.
      }
    }
  }
}

/** The end of a text stream. */
export class OutputTail {
  text = '';
  #total = 0;

  /** `most`: characters that are kept at least. */
  constructor(private readonly most: number) {}

  add(chunk: string, onFlood: () => void): void {
    if (this.#total > FLOOD) return;
    this.#total += chunk.length;
    this.text += chunk;
    if (this.text.length > 2 * this.most) this.text = this.text.slice(-this.most);
    if (this.#total > FLOOD) onFlood();
  }
}

function readText(stream: Readable, onText: (text: string) => void): void {
  stream.setEncoding('utf8');
  stream.on('error', () => {});
  stream.on('data', onText);
}

/** The environment without the variables of taskdouble: a client under test must not find API keys in it. */
export function filterEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TASKDOUBLE_')));
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function watchOwnEnd(method: 'on' | 'off'): void {
  process[method]('exit', killAll);
  for (const signal of SIGNALS) process[method](signal, onSignal);
}

function killAll(): void {
  for (const each of alive) each.kill();
}

/** A signal without another listener ends this process and all processes that it started. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}

/**
 * The running processes of a run: the members of its process group and, if the environment of a process can be read (Linux), all
 * with `MARK=mark` in it. Without /proc, the negative number of the group.
 */
function findProcesses(group: number, mark: string): number[] {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return isRunning(-group) ? [-group] : [];
  }
  const isMember = (name: string): boolean => {
    const stat = readProc(`${name}/stat`);
    // The program's name is in brackets and may contain any character. State, parent and group follow.
    const [state, , inGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat === '' || state === 'Z' || state === 'X') return false;
    return Number(inGroup) === group || readProc(`${name}/environ`).split('\0').includes(`${MARK}=${mark}`);
  };
  return names.filter(isMember).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Empty for a process that has exited or belongs to another user. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
