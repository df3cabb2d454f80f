import { accessSync, constants, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WrittenScenario } from '../../conformance/recordings/scenario/convert-recording.js';
import { parseReportFlags, type ReportTarget } from '../../conformance/report/formats.js';
import { makeDirectory } from '../../conformance/report/make-directory.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { printError, printWarning } from '../print.js';

/** Called before anything is sent. Creates missing directories, with a warning. Throws UsageError if the file cannot be written. */
export function checkWritable(option: string, path: string): void {
  const refuse = (why: string) => new UsageError(`${option}: ${path} cannot be written: ${why}`);
  let existing: Stats | undefined;
  try {
    if (makeDirectory(dirname(path)))
      printWarning(`${option}: created the missing directory ${dirname(path)}`);
    existing = statSync(path, { throwIfNoEntry: false });
    accessSync(existing ? path : dirname(path), constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') throw refuse('what stands above it is no directory');
    throw refuse(code === 'EACCES' || code === 'EROFS' ? 'not allowed to' : message);
  }
  if (existing?.isDirectory()) throw refuse('it is a directory; name a file');
}

/** Writes a file at the end of a run. If that fails, it reports the error, sets the exit code and returns false. */
export function writeOutput(option: string, path: string, text: string): boolean {
  try {
    makeDirectory(dirname(path));
    writeFileSync(path, text);
    return true;
  } catch (error) {
    printError(`${option}: ${path} could not be written: ${(error as Error).message}`);
    process.exitCode ||= EXIT.usage;
    return false;
  }
}

/** Returns the paths of the files that could be written, and reports the others. */
export function writeScenarioFiles(
  option: string,
  directory: string,
  scenarios: readonly WrittenScenario[],
): string[] {
  return scenarios.flatMap(({ name, yaml }) => {
    const path = join(directory, `${name}.yaml`);
    return writeOutput(option, path, yaml) ? path : [];
  });
}

/**
 * The requested reports, files first; `pretty` on stdout if no other report goes there. Throws ReportError for an unknown
 * report format, and UsageError for a file that cannot be written.
 */
export function parseReportTargets(flags: readonly string[]): ReportTarget[] {
  const targets = parseReportFlags(flags);
  for (const { format, path } of targets) if (path !== undefined) checkWritable(`--report ${format}`, path);
  return targets.sort((one, other) => Number(one.path === undefined) - Number(other.path === undefined));
}
