import { compareReports, writeComparison } from '../../conformance/report/compare.js';
import { ReportError } from '../../conformance/report/formats.js';
import { readReport } from '../../conformance/report/read-report.js';
import { InvalidFile } from '../../mock/options/invalid-file.js';
import { readText } from '../../scenarios/format/load/read-file.js';
import type { Problem } from '../../scenarios/format/types.js';
import type { ConformFlags } from '../conform.js';
import { asUsageError, reportTargets } from '../judging/outputs.js';
import { print } from '../print.js';
import { UsageError } from '../usage.js';

/** Lays the JSON reports of several runs side by side. Throws UsageError or InvalidFile. */
export async function compare(base_url: string | undefined, flags: ConformFlags): Promise<void> {
  const { compare: files = [], report = [], ...others } = flags;
  const idle = Object.keys(others).map(
    (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  if (base_url !== undefined) idle.unshift(base_url);
  if (idle.length > 0) throw new UsageError(`--compare makes no run: leave ${idle.join(', ')} out.`);
  if (files.length < 2)
    throw new UsageError('--compare: expected two JSON reports or more, as --report json=FILE writes them.');
  const targets = reportTargets(report);
  const reports = files.map((file) => ({
    name: file,
    report: asUsageError(() => readReport(textOf(file), file)),
  }));
  const key = process.env.TASKDOUBLE_API_KEY;
  const comparison = compareReports(reports, key ? [key] : []);
  const stdout = { isTTY: process.stdout.isTTY, write: print };
  await writeComparison(comparison, targets, stdout).catch((error) => {
    throw error instanceof ReportError ? new UsageError(error.message) : error;
  });
}

function textOf(file: string): string {
  const problems: Problem[] = [];
  const text = readText(file, problems);
  if (text === undefined) throw new InvalidFile(problems);
  return text;
}
