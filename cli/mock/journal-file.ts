import {
  appendFileSync,
  closeSync,
  createReadStream,
  createWriteStream,
  openSync,
  readSync,
  renameSync,
  statSync,
  type WriteStream,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip, type Gzip } from 'node:zlib';
import { formatJournalLine } from '../../mock/exchange/journal-file.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { UsageError } from '../exit-codes.js';
import { checkWritable } from '../judging/outputs.js';
import type { MockFlags } from '../mock.js';
import { printWarning } from '../print.js';

/** Mode of a new file: bodies may be confidential. */
const OWNER_ONLY = 0o600;

export interface JournalFileOptions {
  /** A file that would exceed this size is renamed to `NAME.1.jsonl`, and a new one begins. Default: no limit. */
  maxBytes?: number | undefined;
  /** Called once if a later write fails, and for each body that is too large. */
  onProblem: (line: string) => void;
}

/**
 * A file of complete exchanges as JSON lines, appended as they end, keys redacted; packed if the name ends with `.gz`. The file
 * can be read at any time, also after the process was killed.
 */
export class JournalFile {
  #file: WriteStream;
  #gzip: Gzip | undefined;
  /** Bytes in the file before this process opened it, and bytes written since. */
  #before = 0;
  #written = 0;
  #isFlushing = false;
  /** Settled once every full file is written completely. */
  #rotated: Promise<unknown> = Promise.resolve();
  #isBroken = false;

  /** Throws UsageError if the file cannot be written. */
  static async open(path: string, options: JournalFileOptions): Promise<JournalFile> {
    checkWritable('--journal', path);
    try {
      const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
      if (isThere && isPacked(path)) await repairGzip(path);
      const journal = new JournalFile(path, options);
      if (isThere && !isPacked(path)) startNewLine(path);
      return journal;
    } catch (error) {
      throw new UsageError(`--journal: ${path} cannot be written: ${(error as Error).message}`);
    }
  }

  private constructor(
    private readonly path: string,
    private readonly options: JournalFileOptions,
  ) {
    this.#file = this.#open();
  }

  write(exchange: Exchange): void {
    if (this.#isBroken) return;
    const line = formatJournalLine(exchange);
    if (this.#isFull(line)) this.#rotate();
    if (this.#isBroken) return;
    (this.#gzip ?? this.#file).write(line);
    this.#written += Buffer.byteLength(line);
    this.#flush();
    const { seq, organisation, request, response } = exchange;
    const message = response?.left_out !== undefined ? response : request;
    if (message.left_out === undefined) return;
    const what = message === request ? 'request' : 'response, which cannot be replayed,';
    this.options.onProblem(
      `the journal ${this.path} leaves out the body of the ${what} of exchange ${seq} of ${organisation} (${request.method} ${request.url.slice(0, 120)}): ${describeSize(message.left_out)}.`,
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#rotated, this.#isBroken ? undefined : this.#end()]);
  }

  #end(): Promise<void> {
    return new Promise((resolve) => {
      this.#file.once('error', () => resolve());
      this.#file.once('close', () => resolve());
      (this.#gzip ?? this.#file).end();
    });
  }

  #open(): WriteStream {
    const file = createWriteStream(this.path, { fd: openSync(this.path, 'a', OWNER_ONLY) });
    file.on('error', (error) => this.#fail(error));
    this.#before = statSync(this.path).size;
    this.#written = 0;
    this.#gzip = isPacked(this.path) ? createGzip() : undefined;
    this.#gzip?.pipe(file);
    return file;
  }

  #fail(error: Error): void {
    if (!this.#isBroken)
      this.options.onProblem(`the journal ${this.path} is not written any more: ${error.message}`);
    this.#isBroken = true;
  }

  #isFull(line: string): boolean {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.options;
    const size = this.#before + (this.#gzip ? this.#file.bytesWritten : this.#written);
    return size > 0 && size + (this.#gzip ? 0 : Buffer.byteLength(line)) > maxBytes;
  }

  #rotate(): void {
    this.#rotated = Promise.all([this.#rotated, this.#end()]);
    try {
      renameSync(this.path, toRotatedName(this.path));
      this.#file = this.#open();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** Flushes once for all writes of one turn: each flush makes the compression worse. */
  #flush(): void {
    if (!this.#gzip || this.#isFlushing) return;
    this.#isFlushing = true;
    const gzip = this.#gzip;
    setImmediate(() => {
      this.#isFlushing = false;
      if (!gzip.writableEnded) gzip.flush(constants.Z_SYNC_FLUSH);
    });
  }
}

/** 0: the size is unknown. */
function describeSize(bytes: number): string {
  return bytes === 0 ? 'it was too large to be read' : `${bytes} bytes, more than 16 MiB`;
}

/** Undefined without `--journal`. Throws UsageError. */
export async function openJournal({
  journal,
  journalMaxSize: maxBytes,
}: Pick<MockFlags, 'journal' | 'journalMaxSize'>): Promise<JournalFile | undefined> {
  if (journal !== undefined) return JournalFile.open(journal, { maxBytes, onProblem: printWarning });
  if (maxBytes !== undefined)
    throw new UsageError('--journal-max-size: of which file? Name it with --journal FILE.');
  return undefined;
}

/** `bug.1.jsonl.gz` of `bug.jsonl.gz`. */
export function toRotatedName(path: string): string {
  return path.replace(/((?:\.[A-Za-z]+)?(?:\.gz)?)$/, '.1$1');
}

function isPacked(path: string): boolean {
  return path.endsWith('.gz');
}

/** Ends a line that an earlier process did not complete: readers skip it, and later lines are complete. */
function startNewLine(path: string): void {
  const status = statSync(path);
  if (!status.isFile()) return;
  const last = Buffer.alloc(1);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, last, 0, 1, status.size - 1);
  } finally {
    closeSync(descriptor);
  }
  if (last.toString() !== '\n') appendFileSync(path, '\n');
}

/** Nothing can be appended to truncated gzip data: repacks what can be read. Throws if the file is not gzip. */
async function repairGzip(path: string): Promise<void> {
  if (!statSync(path).isFile() || (await isComplete(path))) return;
  const repaired = `${path}.repaired`;
  const unzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const target = createWriteStream(repaired, { mode: 0o600 });
  await pipeline(createReadStream(path), unzip, endLine, createGzip(), target);
  renameSync(repaired, path);
}

async function* endLine(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
  yield Buffer.from('\n');
}

async function isComplete(path: string): Promise<boolean> {
  try {
    await pipeline(createReadStream(path), createGunzip(), async (chunks) => {
      for await (const _ of chunks);
    });
    return true;
  } catch (error) {
    // The data ends early.
    if ((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') return false;
    throw error;
  }
}
