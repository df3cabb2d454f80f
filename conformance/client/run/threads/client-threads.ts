import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { stopWasmOptimization } from '../../../../mock/virtual-time/wasm-tiering.js';
import { packageRoot } from '../../../../scenarios/format/library/package-root.js';
import { environment, type StartClient } from '../processes.js';
import { ClientThread } from './client-thread.js';

/** Threads for the runs of a client, each for one run: modules, globals, environment and `process` are new in each. */
export class ClientThreads {
  readonly #waiting: ClientThread[] = [];
  readonly #file: string;
  /** Built as one file: it is loaded for each run. */
  readonly #setup = pathToFileURL(join(packageRoot(), 'dist/command/thread-setup.js')).href;

  /** `file`: what Node.js is started with. `ready`: how many threads wait for a run. */
  constructor(
    file: string,
    private readonly ready: number,
  ) {
    stopWasmOptimization();
    this.#file = resolve(file);
    this.#refill();
  }

  /** Starts a run in a thread that has loaded all but the client. `onNeed`: it did what only a process can do, and counts for nothing. */
  start(onNeed: (what: string) => void): StartClient {
    return (words, env, onEnd) => {
      const thread = this.#waiting.shift() ?? this.#prepare();
      this.#refill();
      thread.begin({ env: { ...env }, args: words.slice(2) }, { onEnd, onNeed });
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
    const env = environment() as Record<string, string>;
    const streams = { stdin: false, stdout: true, stderr: true };
    return new ClientThread(
      new Worker(this.#file, { env, ...streams, execArgv: [`--import=${this.#setup}`] }),
    );
  }
}
