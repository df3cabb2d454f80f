import { fstatSync, writeFileSync } from 'node:fs';
import { createPalette, isColored, type Palette } from '../conformance/report/palette.js';
import { toOneLine, toVisible } from '../spec/visible.js';
import { EXIT } from './exit-codes.js';

/** Says in one line on stderr what is wrong. */
export function printError(line: string): void {
  printLine(createStyles(process.stderr).red('taskdouble:'), line);
}

/** Says in one line on stderr what deserves attention. */
export function printWarning(line: string): void {
  printLine(createStyles(process.stderr).yellow('taskdouble:'), line);
}

/**
 * One line on stderr. `text` may hold what a service, a client or a file says: nothing in it controls the terminal. `label` is
 * printed as it is.
 */
export function printLine(label: string, text: string): void {
  // A fault is reported with its stack, which has several lines.
  const shown = process.env.TASKDOUBLE_DEBUG === '1' ? toVisible(text) : toOneLine(text);
  process.stderr.write(`${label} ${shown}\n`);
}

let isReported = false;

/**
 * Writes to stdout; false when that was impossible. It is reported once, and the exit code is that of a report that could not be
 * written. A reader that stops reading (`| head`) is no error.
 */
export async function print(text: string): Promise<boolean> {
  const error = await writeStdout(text);
  if (error === undefined) return true;
  if (error.code === 'EPIPE' || isReported) return false;
  isReported = true;
  printError(`stdout could not be written: ${error.message}`);
  process.exitCode ||= EXIT.usage;
  return false;
}

function writeStdout(text: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    if (!isFile()) {
      process.stdout.write(text, (error) => resolve(error ?? undefined));
      return;
    }
    // The stream takes a part of the text that still fits on the disk for all of it.
    try {
      writeFileSync(process.stdout.fd, Buffer.from(text));
      resolve(undefined);
    } catch (error) {
      resolve(error as NodeJS.ErrnoException);
    }
  });
}

function isFile(): boolean {
  try {
    return fstatSync(process.stdout.fd).isFile();
  } catch {
    return false;
  }
}

/** Text in colour for a terminal; as it is for files and pipes, and where NO_COLOR is set. */
export function createStyles(stream: { isTTY?: boolean }): Palette {
  return createPalette(isColored(stream, process.env));
}
