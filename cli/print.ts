import { fstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPalette, isColored, type Palette } from '../conformance/report/palette.js';
import { formatLink, readDisplay, wrapText } from '../conformance/report/terminal.js';
import { toOneLine, toVisible } from '../spec/visible.js';
import { EXIT } from './exit-codes.js';

export function printError(line: string): void {
  printLine(createStyles(process.stderr).red('taskdouble:'), line);
}

/** `files`: paths by the names that `line` has, which become links. */
export function printWarning(line: string, files: FileLinks = {}): void {
  printLine(createStyles(process.stderr).yellow('taskdouble:'), line, files);
}

type FileLinks = Readonly<Record<string, string>>;

export function listFiles(directory: string, names: readonly string[]): FileLinks {
  return Object.fromEntries(names.map((name) => [name, join(directory, name)]));
}

/**
 * One line on stderr. `text` may contain data of a service, a client or a file: its control characters are escaped. `label` is
 * printed unchanged.
 */
export function printLine(label: string, text: string, files: FileLinks = {}): void {
  // The stack of an internal error has several lines.
  const shown = process.env.TASKDOUBLE_DEBUG === '1' ? toVisible(text) : toOneLine(text);
  const display = readDisplay(process.stderr);
  const linked = Object.entries(files).reduce(
    (line, [name, path]) =>
      line.replace(name, (found) => formatLink(found, pathToFileURL(path).href, display)),
    shown,
  );
  process.stderr.write(`${wrapText(`${label} ${linked}`, display.columns)}\n`);
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

/** Prints text for people: in a terminal its lines are wrapped between words. `hang`: the indentation of wrapped lines. */
export function printText(text: string, hang?: number): Promise<boolean> {
  return print(wrapText(text, readDisplay(process.stdout).columns, hang));
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
