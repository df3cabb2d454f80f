import { STDERR_KEPT } from './processes.js';

type StreamWrite = typeof process.stdout.write;

/** Keeps the output of a client in this process away from the progress line and the results. Only one run at a time may capture. */
export class CapturedOutput {
  #text = '';
  readonly #streams = [process.stdout, process.stderr].map((stream) => {
    const own = Object.getOwnPropertyDescriptor(stream, 'write');
    const write: StreamWrite = (chunk: string | Uint8Array, ...args: unknown[]) => {
      this.#keep(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      const done = args.find((each) => typeof each === 'function') as (() => void) | undefined;
      if (done) process.nextTick(done);
      return true;
    };
    Object.defineProperty(stream, 'write', { value: write, writable: true, configurable: true });
    return { stream, own };
  });

  /** The end of the output, as much as is kept of a command's stderr. */
  get text(): string {
    return this.#text.slice(-STDERR_KEPT);
  }

  release(): void {
    for (const { stream, own } of this.#streams)
      if (own) Object.defineProperty(stream, 'write', own);
      else Reflect.deleteProperty(stream, 'write');
  }

  #keep(text: string): void {
    this.#text += text;
    if (this.#text.length > 2 * STDERR_KEPT) this.#text = this.text;
  }
}
