import { StringDecoder } from 'node:string_decoder';
import type { Worker } from 'node:worker_threads';
import {
  OutputTail,
  type RunningClient,
  type RunTermination,
  STDERR_KEPT,
  STDOUT_KEPT,
} from '../processes.js';
import type { ThreadJob, ThreadMessage } from './thread-messages.js';

/** For both, only the first call counts. */
interface ThreadListener {
  onEnd(end: RunTermination): void;
  /** The client used a feature that only a process has: the run is discarded. */
  onNeed(what: string): void;
}

/** A thread for one run of a client. Everything except the client is preloaded. */
export class ClientThread implements RunningClient {
  readonly stdout = new OutputTail(STDOUT_KEPT);
  readonly stderr = new OutputTail(STDERR_KEPT);
  readonly #decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() };
  readonly #ended: Promise<void>;
  #exitCode: number | undefined;
  #listener: ThreadListener | undefined;

  constructor(private readonly worker: Worker) {
    worker.unref();
    worker.on('message', (message: ThreadMessage) => this.#receive(message));
    worker.on('error', (error: unknown) => this.#fail(error));
    this.#ended = new Promise((resolve) => {
      worker.once('exit', (exitCode) => {
        this.#exitCode = exitCode;
        this.#listener?.onEnd({ end: 'by-itself', exitCode, signal: null });
        resolve();
      });
    });
  }

  begin(run: ThreadJob, listener: ThreadListener): void {
    this.#listener = listener;
    if (this.#exitCode !== undefined) {
      listener.onNeed(`its thread ended before the client was loaded: ${this.stderr.text}`);
      listener.onEnd({ end: 'aborted' });
      return;
    }
    this.worker.ref();
    this.worker.postMessage(run, [run.time]);
  }

  async finish(): Promise<number> {
    await Promise.all([this.worker.terminate(), this.#ended]);
    return 0;
  }

  #receive(message: ThreadMessage): void {
    if ('needs' in message) this.#requireProcess(message.needs);
    else this.#write(message.stream, this.#decoders[message.stream].write(message.bytes as Buffer));
  }

  #write(stream: 'stdout' | 'stderr', text: string): void {
    this[stream].add(text, () => this.#listener?.onEnd({ end: 'output-flood' }));
  }

  #requireProcess(what: string): void {
    this.#listener?.onNeed(what);
    this.#listener?.onEnd({ end: 'aborted' });
  }

  /** Writes the error as Node.js does at the end of a process. */
  #fail(error: unknown): void {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY')
      this.#requireProcess('more memory than a thread has');
    const text = error instanceof Error ? (error.stack ?? String(error)) : `Uncaught:\n${String(error)}`;
    this.#write('stderr', `${text}\n\nNode.js ${process.version}\n`);
  }
}
