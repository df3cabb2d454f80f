import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../spec/json-schema/schema.js';
import { findViolations, showKind } from '../../../spec/json-schema/violations.js';
import { VERSION } from '../../common/version.js';
import type { ConformReport } from '../../service/runner/result.js';
import { ReportError } from '../formats.js';
import { validateReport } from '../report-schema.js';

export interface NamedReport {
  file: string;
  report: ConformReport;
}

const MOST_FILES = 10_000;
const LARGEST_BYTES = 256 * 1024 * 1024;

/**
 * Reads the given JSON reports, and the files named `*.json` in the given directories (other JSON files there are skipped
 * and listed). Throws ReportError for a file that cannot be read, is no report, or was written by another version.
 */
export function readReports(paths: readonly string[]): { reports: NamedReport[]; skippedFiles: string[] } {
  const reports: NamedReport[] = [];
  const skippedFiles: string[] = [];
  for (const path of paths) {
    const isDirectory = statFile(path).isDirectory();
    const files = isDirectory ? listJsonFiles(path) : [path];
    if (files.length > MOST_FILES)
      throw new ReportError(`${path}: more than ${MOST_FILES} JSON files; name those to merge`);
    for (const file of files) {
      const value = readJson(file);
      if (isReport(value)) reports.push({ file, report: checkReport(value, file) });
      else if (isDirectory) skippedFiles.push(file);
      else
        throw new ReportError(`${file}: this is no report of taskdouble; write one with --report json=FILE`);
    }
  }
  if (reports.length === 0)
    throw new ReportError(
      `there is no report of taskdouble in ${paths.join(', ')}; write each with --report json=FILE`,
    );
  return { reports, skippedFiles };
}

function statFile(path: string) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new ReportError(`${path}: there is no such file or directory`);
  if (found.isFile() && found.size > LARGEST_BYTES)
    throw new ReportError(`${path}: a report has at most ${LARGEST_BYTES / 1024 / 1024} MiB`);
  return found;
}

function listJsonFiles(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile() && each.name.endsWith('.json'));
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

function readJson(file: string): unknown {
  try {
    statFile(file);
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof ReportError) throw error;
    throw new ReportError(`${file}: expected complete JSON; ${(error as Error).message}`);
  }
}

function isReport(value: unknown): value is { taskdouble: unknown } {
  return isObject(value) && 'taskdouble' in value && 'checks' in value;
}

function checkReport(value: { taskdouble: unknown }, file: string): ConformReport {
  if (value.taskdouble !== VERSION)
    throw new ReportError(
      `${file}: written by taskdouble ${String(value.taskdouble).slice(0, 40)}, and this is ${VERSION}; use the version that wrote it`,
    );
  const [violation] = findViolations(validateReport, value, [], '', showKind);
  if (violation) throw new ReportError(`${file}: ${violation.message}`);
  return value as unknown as ConformReport;
}
