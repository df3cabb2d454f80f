import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import type { Exchange } from '../../spec/vocabulary.js';
import { UsageError } from '../exit-codes.js';

/** Mode of a new file: bodies may hold what only their owner may read. */
const OWNER_ONLY = 0o600;

/** The exchanges in full as JSON lines in a file: appended as they end, keys redacted. */
export class JournalFile {
  readonly #stream: WriteStream;
  #broken = false;

  /** Throws UsageError when the file cannot be written. `onProblem` is called once when writing fails later, and for each body that is too large. */
  constructor(
    private readonly path: string,
    private readonly onProblem: (line: string) => void,
  ) {
    this.#stream = createWriteStream(path, { fd: open(path) });
    this.#stream.on('error', (error) => {
      if (!this.#broken) onProblem(`the journal ${path} is not written any more: ${error.message}`);
      this.#broken = true;
    });
  }

  write(exchange: Exchange): void {
    if (this.#broken) return;
    this.#stream.write(`${JSON.stringify(exchange)}\n`);
    const { seq, organisation, request, response } = exchange;
    const message = response?.left_out !== undefined ? response : request;
    if (message.left_out === undefined) return;
    const what = message === request ? 'request' : 'response, which cannot be replayed,';
    this.onProblem(
      `the journal ${this.path} leaves out the body of the ${what} of exchange ${seq} of ${organisation} (${request.method} ${request.url.slice(0, 120)}): ${message.left_out} bytes, more than 16 MiB.`,
    );
  }

  /** Resolves when everything is in the file. */
  close(): Promise<void> {
    if (this.#broken) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.once('error', () => resolve());
      this.#stream.end(() => resolve());
    });
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'a', OWNER_ONLY);
  } catch (error) {
    throw new UsageError(`--journal: ${path} cannot be written: ${(error as Error).message}`);
  }
}
