import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { real } from '../clock/real.js';
import type { Script, ScriptOutcome } from '../engine/tasks/page.js';
import { runHere } from './run-here.js';

/**
 * Longest real time of one script, ms. The step limit usually ends a script earlier; built-in functions with
 * long loops do not count steps.
 */
const MOST_MS = 10_000;
/** The thread ends after this time without a script, ms. */
const IDLE_MS = 10_000;

/**
 * Runs scripts one after another in a separate thread, so that no request waits for the script of another
 * client. The thread keeps the process alive only while a script runs.
 */
export class ScriptThread {
  #worker: Promise<Worker | undefined> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly limit_ms = MOST_MS) {}

  /** Never rejects. */
  run(script: Script): Promise<ScriptOutcome> {
    const outcome = this.#last.then(() => this.#runNext(script));
    this.#last = outcome;
    return outcome;
  }

  /**
   * Starts the thread unless it runs. Resolves to undefined if it cannot be started, for example in a bundle
   * without its file.
   */
  open(): Promise<Worker | undefined> {
    if (this.#worker) return this.#worker;
    const starting = startWorker(() => {
      if (this.#worker === starting) this.#worker = undefined;
    });
    this.#worker = starting;
    return starting;
  }

  get isOpen(): boolean {
    return this.#worker !== undefined;
  }

  /** Ends the thread; the next script starts another. */
  async close(): Promise<void> {
    const starting = this.#worker;
    this.#worker = undefined;
    await (await starting)?.terminate();
  }

  async #runNext(script: Script): Promise<ScriptOutcome> {
    real.clearTimeout(this.#idle);
    const worker = await this.open();
    if (!worker) return runHere(script);
    const outcome = await this.#runIn(worker, script);
    this.#idle = real.setTimeout(() => this.close(), IDLE_MS).unref();
    return outcome;
  }

  #runIn(worker: Worker, script: Script): Promise<ScriptOutcome> {
    return new Promise((resolve) => {
      let output = 'The script was stopped because its thread ended.';
      const limit = real.setTimeout(() => {
        output = `The script was stopped after ${this.limit_ms / 1000} s.`;
        worker.terminate();
      }, this.limit_ms);
      const end = (outcome: ScriptOutcome) => {
        real.clearTimeout(limit);
        worker.off('message', end).off('exit', stop).unref();
        resolve(outcome);
      };
      const stop = () => end({ code: 500, output });
      worker.on('message', end).on('exit', stop).ref();
      worker.postMessage(script);
    });
  }
}

/** The thread of all mocks of this process. */
export const scriptThread = new ScriptThread();

function startWorker(onExit: () => void): Promise<Worker | undefined> {
  return new Promise<Worker | undefined>((resolve) => {
    // Options of this process, such as preloaded modules, do not apply to the thread. Output of the
    // interpreter is not shown.
    const worker = new Worker(findThreadFile(), { execArgv: [], env: {}, stdout: true, stderr: true });
    worker.once('message', () => {
      worker.unref();
      resolve(worker);
    });
    worker.on('error', () => {});
    worker.once('exit', () => {
      onExit();
      resolve(undefined);
    });
    // The process may lack the permission to start threads.
  }).catch(() => undefined);
}

/** Node.js does not load TypeScript: if run from the sources, it uses the file in dist. */
function findThreadFile(): URL {
  const built = new URL('./thread.js', import.meta.url);
  return existsSync(fileURLToPath(built))
    ? built
    : new URL('../../dist/mock/evaluate/thread.js', import.meta.url);
}
