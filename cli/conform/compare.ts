import { compareReports, writeComparison } from '../../conformance/report/compare.js';
import { readReport } from '../../conformance/report/read-report.js';
import { readFile } from '../../mock/options/files.js';
import { UsageError } from '../exit-codes.js';
import { reportTargets } from '../judging/outputs.js';
import { print } from '../print.js';

/** Lays the JSON reports of several runs side by side. Throws UsageError, ReportError or InvalidFile. */
export async function compare(files: readonly string[], flags: readonly string[]): Promise<void> {
  if (files.length < 2)
    throw new UsageError('--compare: expected two JSON reports or more, as --report json=FILE writes them.');
  const targets = reportTargets(flags);
  const reports = files.map((file) => ({ name: file, report: readReport(readFile(file), file) }));
  const key = process.env.TASKDOUBLE_API_KEY;
  const comparison = compareReports(reports, key ? [key] : []);
  await writeComparison(comparison, targets, { isTTY: process.stdout.isTTY, write: print });
}
