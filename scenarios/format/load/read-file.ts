import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import type { Problem } from '../types.js';
import { LARGEST_FILE_BYTES } from './source.js';

/** The text of a UTF-8 file without a BOM; undefined, and a problem, if it cannot be read. */
export function readText(
  file: string,
  problems: Problem[],
  mostBytes = LARGEST_FILE_BYTES,
): string | undefined {
  try {
    const { size } = statSync(file);
    if (size > mostBytes) {
      problems.push(
        createFileProblem(
          file,
          `expected a file of at most ${mostBytes >> 20} MiB, found ${size} bytes${mostBytes === LARGEST_FILE_BYTES ? '; split it' : ''}`,
        ),
      );
      return undefined;
    }
    const bytes = readFileSync(file);
    if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
    const message = 'expected UTF-8, found other bytes; save the file as UTF-8';
    problems.push({ file, ...locateBadByte(bytes), message });
  } catch (error) {
    problems.push(createFileProblem(file, explainReadError(error)));
  }
  return undefined;
}

/** The position of the first invalid byte, or of a replacement character before it. */
function locateBadByte(bytes: Buffer): { line: number; column: number } {
  const before = bytes.toString('utf8').split('\uFFFD', 1)[0]!.split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

export function explainReadError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'expected a file or directory, found nothing there';
  if (code === 'EACCES') return 'not allowed to read it';
  if (code === 'EISDIR') return 'expected a file, found a directory';
  return `could not be read: ${message}`;
}

/** A problem of the whole file. */
export function createFileProblem(file: string, message: string): Problem {
  return { file, line: 1, column: 1, path: '', message };
}
