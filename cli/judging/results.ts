import { writeFile } from 'node:fs/promises';
import { toHar } from '../../conformance/har/har.js';
import { ReportError, type ReportTarget } from '../../conformance/report/formats.js';
import { verdictLine } from '../../conformance/report/view.js';
import { type Output, writeReports } from '../../conformance/report/write.js';
import { dialectFile } from '../../conformance/service/dialect/dialect-file.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { print, printError, printWarning } from '../print.js';

/**
 * Writes everything that was asked for, stdout last; false when some of it could not be written, which is reported. A report
 * that did not get to stdout leaves its verdict on stderr.
 */
export async function writeResults(
  report: ConformReport,
  targets: readonly ReportTarget[],
  files: { dialect_out?: string; har?: string; strict?: boolean },
  secrets: readonly string[],
): Promise<boolean> {
  const { dialect_out, har, strict } = files;
  let printed = Promise.resolve(true);
  const stdout: Output = {
    isTTY: process.stdout.isTTY,
    write(text) {
      printed = print(text);
    },
  };
  const told = [
    dialect_out && (await write('--dialect-out', dialect_out, dialectFile(report))),
    har && (await write('--har', har, harText(report, secrets))),
    await writeReports(report, targets, { stdout }, { strict, secrets }).then(() => '', complaintOf),
  ].filter(Boolean);
  for (const line of told) printError(line!);
  const isPrinted = await printed;
  if (!isPrinted) printWarning(verdictLine(report, { strict }));
  return told.length === 0 && isPrinted;
}

async function write(option: string, path: string, text: string): Promise<string> {
  const failed = (error: Error) => `${option}: ${path} could not be written: ${error.message}`;
  return writeFile(path, text).then(() => '', failed);
}

function harText({ exchanges, target, taskdouble }: ConformReport, secrets: readonly string[]): string {
  const har = toHar(exchanges, { base_url: target.base_url, secrets, version: taskdouble });
  return `${JSON.stringify(har, null, 2)}\n`;
}

function complaintOf(error: unknown): string {
  if (error instanceof ReportError) return error.message;
  throw error;
}
