import { accessSync, constants, mkdirSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseReportFlags, type ReportTarget } from '../../conformance/report/formats.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { printError } from '../print.js';

/** Before anything is sent: whether a file can be written. Makes the directories above it. Throws UsageError. */
export function checkWritable(option: string, path: string): void {
  const refuse = (why: string) => new UsageError(`${option}: ${path} cannot be written: ${why}`);
  let there: Stats | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    there = statSync(path, { throwIfNoEntry: false });
    accessSync(there ? path : dirname(path), constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') throw refuse('what stands above it is no directory');
    throw refuse(code === 'EACCES' || code === 'EROFS' ? 'not allowed to' : message);
  }
  if (there?.isDirectory()) throw refuse('it is a directory; name a file');
}

/** Writes a file at the end of a run; false when that is impossible, which is reported and sets the exit code. */
export function writeOutput(option: string, path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return true;
  } catch (error) {
    printError(`${option}: ${path} could not be written: ${(error as Error).message}`);
    process.exitCode ||= EXIT.usage;
    return false;
  }
}

/**
 * The reports asked for, those to files first, and `pretty` on stdout where nothing else goes there. Throws ReportError for what
 * is no report, and UsageError for a file that cannot be written.
 */
export function reportTargets(flags: readonly string[]): ReportTarget[] {
  const targets = parseReportFlags(flags);
  for (const { format, path } of targets) if (path !== undefined) checkWritable(`--report ${format}`, path);
  return targets.sort((one, other) => Number(one.path === undefined) - Number(other.path === undefined));
}
