import { type ChildProcess, spawn } from 'node:child_process';
import { real } from '../../../mock/virtual-time/real.js';
import { MARK, outputsOf, processesOf } from './process-scan.js';
import { Tail } from './tail.js';

/** How a command ended by itself. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Bytes of stdout, and of stderr, from which on it is a flood. */
export const FLOOD_BYTES = 8 * 1024 * 1024;
/** Bytes of stdout that the last line is looked for in. */
const STDOUT_KEPT = 1024 * 1024;
const STDERR_KEPT = 8 * 1024;
/** Time between SIGTERM and SIGKILL, ms. */
const GRACE_MS = 500;
/** Time that processes get to go by themselves once the command has ended, before they count as left behind, ms. */
const GOING_MS = 150;
/** Time that killed processes get to be gone, and pipes to be read to their end, ms. */
const GONE_MS = 2000;
const LOOK_EVERY_MS = 15;

let runs = 0;
const alive = new Set<ClientProcess>();

/**
 * A command under test with everything that it starts: a process group of its own, its output bounded, nothing on its
 * stdin. All of it is ended with this process too, unless that is killed outright.
 */
export class ClientProcess {
  /** Settles when the command has ended, and how; with the reason when it could not be started. */
  readonly exited: Promise<Exit | { problem: string }>;
  /** Settles when one of its outputs has gone beyond the bound. */
  readonly flooded: Promise<'stdout' | 'stderr'>;
  readonly #stdout = new Tail(STDOUT_KEPT);
  readonly #stderr = new Tail(STDERR_KEPT);
  readonly #mark = `${process.pid}-${++runs}-${Date.now()}`;
  #child: ChildProcess | undefined;
  #outputs: string[] = [];
  #closed: Promise<void> = Promise.resolve();
  #hasExited = false;

  /** `env` is added to our own environment, of which what is ours is left out. No shell: arguments arrive as they are. */
  constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    let flood: (which: 'stdout' | 'stderr') => void = () => {};
    this.flooded = new Promise((resolve) => {
      flood = resolve;
    });
    const [program, ...rest] = command;
    try {
      if (!program) throw new Error('it is empty');
      this.#child = spawn(program, rest, {
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...environment(), ...env, [MARK]: this.#mark },
        windowsHide: true,
      });
    } catch (error) {
      this.exited = Promise.resolve({ problem: startProblem(command, error) });
      return;
    }
    const child = this.#child;
    if (child.pid !== undefined) this.#outputs = outputsOf(child.pid);
    this.#read(child, 'stdout', this.#stdout, flood);
    this.#read(child, 'stderr', this.#stderr, flood);
    this.#closed = new Promise((resolve) => {
      child.once('close', () => resolve());
      // One that never started has nothing to close.
      child.once('error', () => child.pid === undefined && resolve());
    });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#hasExited = true;
        resolve({ code, signal });
      });
      child.once('error', (error) => {
        if (child.pid === undefined) resolve({ problem: startProblem(command, error) });
      });
    });
    if (child.pid !== undefined) remember(this);
  }

  get stdout(): Tail {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr.text().slice(-STDERR_KEPT);
  }

  /**
   * Ends whatever is still there: SIGTERM, and SIGKILL for what is left after a grace. Gives the number of processes that
   * the command had left behind when it ended by itself. Afterwards all output is read.
   */
  async finish(): Promise<number> {
    if (this.#child?.pid === undefined) return 0;
    // A wrapper may end a moment before what it wraps: what goes by itself was not left behind.
    const left = this.#hasExited ? await this.#remaining(GOING_MS) : [];
    if (!this.#hasExited || left.length > 0) {
      this.#signal('SIGTERM');
      if ((await this.#remaining(GRACE_MS)).length > 0)
        await this.#remaining(GONE_MS, () => this.#signal('SIGKILL'));
    }
    // A process that nobody could find may keep the pipes open for ever.
    await within(GONE_MS, this.#closed);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    forget(this);
    return left.length;
  }

  /** At once, for a process that is about to end itself. */
  kill(): void {
    this.#signal('SIGKILL');
  }

  #read(
    child: ChildProcess,
    name: 'stdout' | 'stderr',
    tail: Tail,
    flood: (which: typeof name) => void,
  ): void {
    const stream = child[name];
    stream?.on('data', (chunk: Buffer) => {
      if (tail.total > FLOOD_BYTES) return;
      tail.add(chunk);
      if (tail.total > FLOOD_BYTES) flood(name);
    });
    stream?.on('error', () => {});
  }

  /** What is left after so long (ms) at most; looks again and again until nothing is. */
  async #remaining(most_ms: number, each: () => void = () => {}): Promise<number[]> {
    for (const until = real.performanceNow() + most_ms; ; ) {
      each();
      const left = this.#processes();
      if (left.length === 0 || real.performanceNow() >= until) return left;
      await within(LOOK_EVERY_MS);
    }
  }

  #processes(): number[] {
    const pid = this.#child!.pid!;
    if (process.platform === 'win32') return this.#hasExited ? [] : [pid];
    return processesOf({ group: pid, mark: this.#mark, outputs: this.#outputs });
  }

  #signal(signal: NodeJS.Signals): void {
    if (process.platform === 'win32') {
      this.#child?.kill(signal);
      return;
    }
    for (const pid of this.#processes()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has gone meanwhile.
      }
    }
  }
}

/** Our own environment, but for what is meant for us: a client under test must not find our keys or settings in it. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TASKDOUBLE_')));
}

function startProblem([program = '']: readonly string[], error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const what = `The command ${JSON.stringify(program)} could not be started`;
  switch (code) {
    case 'ENOENT':
      return `${what}: there is no such program. Check its name, and that it is in the PATH or given with its path.`;
    case 'EACCES':
      return `${what}: it is not a program, or may not be run. Make it executable, or start it with its interpreter (node, python3).`;
    case 'E2BIG':
      return `${what}: its arguments and its job are longer than the system takes. Shorten the request of the scenario.`;
    default:
      return `${what}: ${message}.`;
  }
}

/** Waits until something is there, at most so long (ms) in real time, also while another client's time is virtual. */
async function within(most_ms: number, something: Promise<unknown> = new Promise(() => {})): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const time = new Promise((resolve) => {
    timer = real.setTimeout(resolve, most_ms);
  });
  await Promise.race([something, time]);
  real.clearTimeout(timer);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function remember(started: ClientProcess): void {
  if (alive.size === 0) {
    process.on('exit', killAll);
    for (const signal of SIGNALS) process.on(signal, onSignal);
  }
  alive.add(started);
}

function forget(ended: ClientProcess): void {
  alive.delete(ended);
  if (alive.size > 0) return;
  process.off('exit', killAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function killAll(): void {
  for (const each of alive) each.kill();
}

/** Where nobody else cares for the signal, it ends us, and with us everything that we have started. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}
