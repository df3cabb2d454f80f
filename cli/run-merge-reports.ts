import { formatCount } from '../conformance/common/text.js';
import { mergeReports } from '../conformance/report/merge/merge-reports.js';
import { readReports } from '../conformance/report/read-report.js';
import { loadLibrary } from '../scenarios/format/library/library.js';
import { reportRun } from './judging/report-run.js';
import type { MergeFlags } from './merge-reports.js';
import { printWarning } from './print.js';

/** The exit code is the verdict of all reports together. Throws ReportError. */
export async function runMergeReports(paths: readonly string[], flags: MergeFlags): Promise<void> {
  const { report, allFailures, strict, all } = flags;
  const { reports, skippedFiles } = readReports(paths);
  const merged = mergeReports(reports, { all: allFailures, scenarios: await loadLibrary() });
  for (const note of merged.notes) printWarning(note);
  if (skippedFiles.length > 0)
    printWarning(
      `${formatCount(skippedFiles.length, 'JSON file')} passed over, no report of taskdouble: ${skippedFiles[0]}`,
    );
  await reportRun({
    files: { report, strict, all: all || allFailures },
    cleanUp: 'stopping',
    run: async () => merged.report,
    listUnselected: undefined,
  });
}
