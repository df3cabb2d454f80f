import {
  appendFileSync,
  closeSync,
  createReadStream,
  createWriteStream,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';

/** Ends a line that the process before was stopped in the middle of: readers leave it out, and what follows is whole. */
export function startNewLine(path: string): void {
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

/** Packed data cannot be appended to data that ends early: then it is packed anew, as far as it goes. Throws for what is no gzip. */
export async function repairGzip(path: string): Promise<void> {
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
