import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, extname, join, resolve } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { favorShortRuns } from '../../../../mock/virtual-time/v8-flags.js';
import { findPackageRoot } from '../../../../scenarios/format/library/package-root.js';
import { type ClientStarter, filterEnvironment } from '../processes.js';
import { ClientThread } from './client-thread.js';

/** Threads for the runs of a client, each for one run: modules, globals, environment and `process` are new in each. */
export class ClientThreads {
  readonly #waiting: ClientThread[] = [];
  readonly #file: string;
  /** Bundled into one file, because it is loaded for each run. */
  readonly #setup = join(findPackageRoot(), 'dist/command/thread-setup.cjs');

  /** `file`: the program of the client. `ready`: number of preloaded threads. */
  constructor(
    file: string,
    private readonly ready: number,
  ) {
    favorShortRuns();
    this.#file = resolve(file);
    this.#refill();
  }

  /** Starts a run in a preloaded thread. `onNeed`: the client used a feature that only a process has, and the run is discarded. */
  start(onNeed: (what: string) => void): ClientStarter {
    return (words, env, onEnd, connect) => {
      const thread = this.#waiting.shift() ?? this.#prepare();
      this.#refill();
      const { port1, port2 } = new MessageChannel();
      connect?.(port1);
      const run = { file: this.#file, env: { ...env }, args: words.slice(2), time: port2 };
      thread.begin(run, { onEnd, onNeed });
      return thread;
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map((each) => each.finish()));
  }

  #refill(): void {
    while (this.#waiting.length < this.ready) this.#waiting.push(this.#prepare());
  }

  #prepare(): ClientThread {
    const env = filterEnvironment() as Record<string, string>;
    const streams = { stdin: false, stdout: true, stderr: true };
    return new ClientThread(new Worker(this.#setup, { env, ...streams, execArgv: [] }));
  }
}

const JAVASCRIPT = ['.js', '.mjs', '.cjs'];

/** Why a command cannot be run in threads, after "runs are made in processes:"; undefined if no reason is known. */
export function explainNoThread([program = '', file = '']: readonly string[]): string | undefined {
  if (
    !/^node(\.exe)?$/.test(basename(program)) ||
    file.startsWith('-') ||
    !JAVASCRIPT.includes(extname(file))
  )
    return 'only "node FILE.mjs" (or .js, .cjs) can be run in threads';
  if (!existsSync(file)) return `there is no ${file}`;
  if (process.env['NODE_OPTIONS']) return 'NODE_OPTIONS is set';
  const path = findProgram(program);
  const isThisNode = path !== undefined && realpathSync(path) === realpathSync(process.execPath);
  return isThisNode ? undefined : 'it is started by another Node.js than taskdouble';
}

function findProgram(program: string): string | undefined {
  if (/[\\/]/.test(program)) return existsSync(program) ? program : undefined;
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  return directories.map((each) => join(each || '.', program)).find(existsSync);
}
