import { formatCount } from '../../conformance/common/text.js';
import { mergeReports } from '../../conformance/report/merge/merge-reports.js';
import { readReports } from '../../conformance/report/merge/read-report.js';
import { reportRun } from '../judging/report-run.js';
import type { MergeFlags } from '../merge-reports.js';
import { printWarning } from '../print.js';

/** Merges reports; the exit code is the verdict of all of them together. Throws ReportError. */
export async function runMergeReports(paths: readonly string[], flags: MergeFlags): Promise<void> {
  const { report, allFailures, strict, all } = flags;
  const { reports, skippedFiles: passedOver } = readReports(paths);
  const merged = mergeReports(reports, { all: allFailures });
  for (const note of merged.notes) printWarning(note);
  if (passedOver.length > 0)
    printWarning(
      `${formatCount(passedOver.length, 'JSON file')} passed over, no report of taskdouble: ${passedOver[0]}`,
    );
  await reportRun({
    files: { report, strict, all: all || allFailures },
    cleanUp: 'stopping',
    run: async () => merged.report,
    listUnselected: undefined,
  });
}
