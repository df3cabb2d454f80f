import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isOfFormat } from '../../mock/generate/schema/formats.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { createValidator, type SchemaValidator } from '../../spec/json-schema/evaluate.js';
import { isObject } from '../../spec/json-schema/schema.js';
import { findViolations, showKind } from '../../spec/json-schema/violations.js';
import { VERSION } from '../common/version.js';
import type { ConformReport } from '../service/runner/result.js';
import { ReportError } from './formats.js';

export interface NamedReport {
  file: string;
  report: ConformReport;
}

const MOST_FILES = 10_000;
/** Larger than any report of a run, and shorter than the longest string of Node.js. */
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
      const value = parseJson(readText(file), file);
      if (isDirectory && !isReport(value)) skippedFiles.push(file);
      else {
        requireVersion(value, file);
        reports.push({ file, report: checkReport(value, file) });
      }
    }
  }
  if (reports.length === 0)
    throw new ReportError(
      `there is no report of taskdouble in ${paths.join(', ')}; write each with --report json=FILE`,
    );
  return { reports, skippedFiles };
}

/** Reads one JSON report of any version that has its form. Throws ReportError. */
export function readReport(file: string): ConformReport {
  return parseReport(readText(file), file);
}

/** Throws ReportError, which names `file`. */
export function parseReport(text: string, file: string): ConformReport {
  return checkReport(parseJson(text, file), file);
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

function readText(file: string): string {
  statFile(file);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ReportError(`${file}: expected a file that can be read; ${(error as Error).message}`);
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ReportError(`${file}: expected complete JSON; ${(error as Error).message}`);
  }
}

function isReport(value: unknown): value is { taskdouble: unknown } {
  return isObject(value) && 'taskdouble' in value && 'checks' in value;
}

function requireVersion(value: unknown, file: string): void {
  if (!isReport(value) || value.taskdouble === VERSION) return;
  throw new ReportError(
    `${file}: written by taskdouble ${String(value.taskdouble).slice(0, 40)}, and this is ${VERSION}; use the version that wrote it`,
  );
}

function checkReport(value: unknown, file: string): ConformReport {
  if (!isReport(value))
    throw new ReportError(`${file}: this is no report of taskdouble; write one with --report json=FILE`);
  const [violation] = findViolations(validateReport, value, [], '', showKind);
  if (violation) throw new ReportError(`${file}: ${violation.message}`);
  return value as unknown as ConformReport;
}

const EXAMPLE = { 'x-expected': 'the id of a check' };

let validator: SchemaValidator | undefined;

/** Validates a parsed report, including formats. Dates have to be valid in JavaScript. */
function validateReport(value: unknown): ReturnType<SchemaValidator> {
  const file = join(findPackageRoot(), 'conformance/report/report.schema.json');
  validator ??= createValidator(JSON.parse(readFileSync(file, 'utf8')) as object, '', (text, format) => {
    return isOfFormat(text, format) && (format !== 'date-time' || !Number.isNaN(Date.parse(String(text))));
  });
  const errors = validator(value);
  if (errors.length > 0) return errors;
  const { causes, checks } = value as ConformReport;
  const ids = new Set(checks.map(({ id }) => id));
  return causes.flatMap(({ example }, at) => {
    if (ids.has(example)) return [];
    const place = { instancePath: `/causes/${at}/example`, data: example };
    return { ...place, keyword: 'reference', message: 'must be the id of a check', parentSchema: EXAMPLE };
  });
}
