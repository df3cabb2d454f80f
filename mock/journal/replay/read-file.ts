import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { explain, fault } from '../../../scenarios/format/load/read-file.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { InvalidFile } from '../../options/invalid-file.js';
import { readTape } from './tape.js';

/** Largest journal file that is replayed, in bytes. */
export const LARGEST_JOURNAL_FILE = 1024 * 1024 * 1024;
const BLOCK = 1024 * 1024;

/** The exchanges of a journal file. Throws InvalidFile. */
export function readTapeFile(file: string): Exchange[] {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    throw new InvalidFile([fault(file, explain(error).replace('file or directory', 'journal file'))]);
  }
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory())
      throw new InvalidFile([fault(file, 'expected a journal file, found a directory')]);
    if (stat.size > LARGEST_JOURNAL_FILE) {
      const message = `expected a journal file of at most 1 GiB, found ${stat.size} bytes; keep the lines that matter`;
      throw new InvalidFile([fault(file, message)]);
    }
    return readTape(linesOf(descriptor), file);
  } finally {
    closeSync(descriptor);
  }
}

/** Block by block: a text cannot be as long as the file may be. */
function* linesOf(descriptor: number): Generator<string> {
  const decoder = new StringDecoder('utf8');
  const block = Buffer.alloc(BLOCK);
  let rest: string[] = [];
  for (let read = readSync(descriptor, block); read > 0; read = readSync(descriptor, block)) {
    const [first, ...others] = decoder.write(block.subarray(0, read)).split('\n');
    rest.push(first!);
    for (const other of others) {
      yield rest.join('');
      rest = [other];
    }
  }
  rest.push(decoder.end());
  const last = rest.join('');
  if (last !== '') yield last;
}
