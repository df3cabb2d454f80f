import { readFileSync, statSync } from 'node:fs';
import type { Problem } from '../types.js';
import { LARGEST_FILE_BYTES } from './source.js';

/** The text of a file in UTF-8; undefined, and a problem, when it cannot be had. A BOM is left out. */
export function readText(file: string, problems: Problem[]): string | undefined {
  try {
    const { size } = statSync(file);
    if (size > LARGEST_FILE_BYTES) {
      problems.push(fault(file, `expected a file of at most 1 MiB, found ${size} bytes; split it`));
      return undefined;
    }
    const bytes = readFileSync(file);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      problems.push({
        file,
        ...placeOfBadByte(bytes),
        message: 'expected UTF-8, found other bytes; save the file as UTF-8',
      });
      return undefined;
    }
  } catch (error) {
    problems.push(fault(file, explain(error)));
    return undefined;
  }
}

function placeOfBadByte(bytes: Buffer): { line: number; column: number } {
  let start = 0;
  for (let line = 1; start <= bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    const part = bytes.subarray(start, end < 0 ? bytes.length : end);
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(part);
    } catch {
      return { line, column: part.toString('utf8').indexOf('\uFFFD') + 1 };
    }
    if (end < 0) break;
    start = end + 1;
  }
  return { line: 1, column: 1 };
}

/** Why the system did not give a file, for people. */
export function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'expected a file or directory, found nothing there';
  if (code === 'EACCES') return 'not allowed to read it';
  if (code === 'EISDIR') return 'expected a file, found a directory';
  return `could not be read: ${message}`;
}

/** A problem of a file as a whole: no line of it is named. */
export function fault(file: string, message: string): Problem {
  return { file, line: 1, column: 1, path: '', message };
}
