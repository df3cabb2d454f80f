import { fstatSync, writeFileSync } from 'node:fs';
import { createPalette, isColored, type Palette } from '../conformance/report/palette.js';
import { showSteps } from '../conformance/report/progress.js';
import { toOneLine, toVisible } from '../spec/visible.js';
import { EXIT } from './exit-codes.js';

export function printError(line: string): void {
  printLine(createStyles(process.stderr).red('taskdouble:'), line);
}

export function printWarning(line: string): void {
  printLine(createStyles(process.stderr).yellow('taskdouble:'), line);
}

/**
 * One line on stderr. `text` may contain data of a service, a client or a file: its control characters are escaped. `label` is
 * printed unchanged.
 */
export function printLine(label: string, text: string): void {
  // The stack of an internal error has several lines.
  const shown = process.env.TASKDOUBLE_DEBUG === '1' ? toVisible(text) : toOneLine(text);
  process.stderr.write(`${label} ${shown}\n`);
}

let isReported = false;

/**
 * Writes to stdout; false if that fails. The failure is reported once and sets the exit code. A reader that stops reading
 * (`| head`) is not an error.
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
    // On a full disk the stream writes a part of the text and reports success.
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

/** Colors for a terminal; none for files and pipes, or if NO_COLOR is set. */
export function createStyles(stream: { isTTY?: boolean }): Palette {
  return createPalette(isColored(stream, process.env));
}

/** Shows progress on stderr during long work. */
export async function runWithProgress<T>(
  work: (onProgress: (describe: () => string) => void) => Promise<T>,
): Promise<T> {
  const { isTTY, columns } = process.stderr;
  const { show, erase } = showSteps({ isTTY, columns, write: (text) => process.stderr.write(text) });
  try {
    return await work(show);
  } finally {
    erase();
  }
}
