import { closeSync, openSync, readSync } from 'node:fs';
import { explainReadError } from '../../scenarios/format/load/read-file.js';
import { UsageError } from '../exit-codes.js';

/** What a file holds. A recording is a journal or a HAR; a race is what `explore` writes. */
export type FileKind = 'recording' | 'report' | 'race';

/** Bytes in which the kind shows. */
const MOST_SNIFFED = 4096;
const EXPECTED = 'expected a journal (.jsonl), a HAR (.har), a JSON report or a race file of explore (.yaml)';
/** How the runs of a race begin, and a report. */
const RACE = '{"kind":"race",';
const REPORT = /^\{\s*"taskdouble"\s*:/;

/** The kind of a file, by its first bytes. Throws UsageError for what is none of them. */
export function detectFileKind(file: string): FileKind {
  const start = readStart(file);
  if (start.length === 0) throw new UsageError(`${file}: ${EXPECTED}; the file is empty.`);
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  const text = start.toString().replace(/^\ufeff?\s*/, '');
  if (/\.ya?ml$/i.test(file) || text.startsWith(RACE)) return 'race';
  if (REPORT.test(text)) return 'report';
  if (isPacked || text.startsWith('{') || /\.har$/i.test(file)) return 'recording';
  throw new UsageError(`${file}: ${EXPECTED}; the file begins as none of them.`);
}

function readStart(file: string): Buffer {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const start = Buffer.alloc(MOST_SNIFFED);
      return start.subarray(0, readSync(descriptor, start));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new UsageError(`${file}: ${explainReadError(error as NodeJS.ErrnoException)}`);
  }
}
