import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { InvalidFile } from '../../../scenarios/format/invalid-file.js';
import { createFileProblem, explainReadError } from '../../../scenarios/format/load/read-file.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { HarReader, NotHar } from './har-reader.js';
import { JournalReader } from './journal-reader.js';

const GIB = 1024 ** 3;
/** Largest file, packed and unpacked, in bytes. */
const LARGEST_FILE = 4 * GIB;
/** Largest bodies of all exchanges in one file together, in characters. */
const MOST_CHARACTERS = 256 * 1024 ** 2;
/** Bytes that are enough to detect the format of a file. */
const MOST_SNIFFED = 4096;

/** Called from time to time while recordings are read and checked; the argument describes the progress. */
export type OnProgress = (describe: () => string) => void;

/** A file with recorded exchanges. */
export interface RecordingFile {
  file: string;
  format: 'journal' | 'HAR';
  exchanges: Exchange[];
  /** For a HAR: base addresses of the recorded services. */
  bases: string[];
  /** For a HAR: number of entries about anything else. */
  others: number;
  /** Notes about the file, as sentences without a subject: `is truncated at byte …`. */
  notes: string[];
}

/**
 * Reads a journal or a HAR, optionally packed with gzip; detects the format from the content. Throws InvalidFile for anything else. Keeps
 * only the exchanges of this API in memory.
 */
export async function readRecording(file: string, onProgress?: OnProgress): Promise<RecordingFile> {
  try {
    const { size } = await stat(file);
    if (size > LARGEST_FILE) throw createTooLargeError(file, `${(size / GIB).toFixed(1)} GiB`);
    return await read(file, (bytes) =>
      onProgress?.(() => `${file}: ${Math.floor((bytes / size) * 100)} % read`),
    );
  } catch (error) {
    if (error instanceof NotHar) throw createInvalidFile(file, error.message);
    if (error instanceof Error && 'code' in error) throw createInvalidFile(file, explainReadError(error));
    throw error;
  }
}

async function read(file: string, onRead: (bytes: number) => void): Promise<RecordingFile> {
  const source = unpack(file, onRead);
  let reader: HarReader | JournalReader | undefined;
  let start = Buffer.alloc(0);
  for await (const chunk of source.chunks) {
    if (reader) {
      reader.push(chunk);
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < MOST_SNIFFED) continue;
    reader = createReader(file, start);
  }
  reader ??= createReader(file, start);
  if (reader instanceof HarReader) {
    const content = reader.end(source.isDamaged);
    return { file, format: 'HAR', ...content };
  }
  reader.end();
  const { exchanges, notes } = reader;
  if (source.isDamaged) {
    reader.markEarlyEnd();
    notes.push('is damaged: the rest is missing');
  }
  return { file, format: 'journal', exchanges, bases: [], others: 0, notes };
}

/** Creates a reader that already has the first bytes. */
function createReader(file: string, start: Buffer): HarReader | JournalReader {
  const isBig = start[0] === 0xfe && start[1] === 0xff;
  if (isBig || (start[0] === 0xff && start[1] === 0xfe))
    throw createInvalidFile(file, 'expected UTF-8, found UTF-16; save the file as UTF-8');
  if (start.subarray(0, 4).toString('latin1') === 'PK\x03\x04')
    throw createInvalidFile(
      file,
      'expected a journal or a HAR, found a ZIP archive; unpack it and use the .har in it',
    );
  const hasMark = start.subarray(0, 3).equals(Buffer.from('\ufeff'));
  const bytes = hasMark ? start.subarray(3) : start;
  const isHar = /^\s*\{\s*"log"\s*:/.test(bytes.toString('latin1')) || /\.har(\.gz)?$/i.test(file);
  const countBodies = createBodyCounter(file);
  const reader = isHar ? new HarReader(countBodies) : new JournalReader(file, countBodies);
  reader.push(bytes);
  return reader;
}

/**
 * The bytes of a file, unpacked if it is packed with gzip. `onRead` is called with the bytes of the file that were read. `isDamaged`: the
 * packed data ends early or is invalid.
 */
function unpack(
  file: string,
  onRead: (bytes: number) => void,
): { chunks: AsyncIterable<Buffer>; isDamaged: boolean } {
  const source = { isDamaged: false, chunks: undefined as unknown as AsyncIterable<Buffer> };
  async function* readChunks(): AsyncGenerator<Buffer> {
    const raw = createReadStream(file, { highWaterMark: 256 * 1024 });
    const bytes = raw[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
    try {
      const { value: first, done } = await bytes.next();
      if (done) return;
      const all = prepend(first, bytes);
      let size = 0;
      for await (const chunk of first[0] === 0x1f && first[1] === 0x8b ? gunzip(all) : all) {
        size += chunk.length;
        if (size > LARGEST_FILE) throw createTooLargeError(file, 'more');
        onRead(raw.bytesRead);
        yield chunk;
      }
    } finally {
      raw.destroy();
    }
  }
  async function* gunzip(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    // Unpacks an incomplete file as far as possible.
    const unzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    const from = Readable.from(packed);
    from.on('error', (error) => unzip.destroy(error)).pipe(unzip);
    try {
      for await (const chunk of unzip) yield chunk as Buffer;
    } catch (error) {
      if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
      source.isDamaged = true;
    } finally {
      from.destroy();
    }
  }
  source.chunks = readChunks();
  return source;
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Refuses the exchange with which the bodies of a file become too many for memory. */
function createBodyCounter(file: string): (exchange: Exchange) => void {
  let characters = 0;
  return ({ request, response }) => {
    characters += request.url.length;
    for (const { body = '', body_base64 = '' } of [request, response ?? {}])
      characters += body.length + body_base64.length;
    if (characters > MOST_CHARACTERS)
      throw createInvalidFile(
        file,
        `It has more than ${MOST_CHARACTERS / 1024 ** 2} MiB of bodies for this API: split it.`,
      );
  };
}

function createTooLargeError(file: string, found: string): InvalidFile {
  const advice = 'record this API alone, without images and scripts, or split it';
  return createInvalidFile(
    file,
    `expected a recording of at most ${LARGEST_FILE / GIB} GiB, found ${found}; ${advice}`,
  );
}

function createInvalidFile(file: string, message: string): InvalidFile {
  return new InvalidFile([createFileProblem(file, message)]);
}
