import { conform, listCaseChecks, planRun, type Selection } from '../../conformance/conform.js';
import { compareReports, writeComparison } from '../../conformance/report/compare.js';
import { showProgress } from '../../conformance/report/progress.js';
import { readReport } from '../../conformance/report/read-report.js';
import { describeChanges } from '../../conformance/report/verdict.js';
import type { ConformEvent, ConformReport } from '../../conformance/service/runner/result.js';
import type { FoundSequence } from '../../conformance/service/search/found-sequence.js';
import { redactSecrets } from '../../spec/redact.js';
import type { ConformFlags } from '../conform.js';
import { UsageError } from '../exit-codes.js';
import { parseReportTargets } from '../judging/outputs.js';
import { reportRun } from '../judging/report-run.js';
import { print, printWarning } from '../print.js';
import { printPlan } from './plan.js';
import { formatAgain, writeFoundSequences } from './search.js';
import { checkSelection, readSettings, toConformOptions } from './settings.js';

/** Tests a service; the exit code is the verdict. Throws UsageError or InvalidFile before anything is sent. */
export async function runConform(baseUrl: string | undefined, flags: ConformFlags): Promise<void> {
  const settings = { ...readSettings(baseUrl, flags, process.env, printWarning), shard: flags.shard };
  checkSelection(settings);
  if (flags.plan) return printPlan(settings, flags.report ?? []);
  const options = toConformOptions(settings);
  const { all, out, writeBaseline, updateBaseline } = flags;
  const secrets = [options.apiKey, ...Object.values(options.keys ?? {})].filter((key) => key !== undefined);
  const before = readLastReports(settings.report ?? []);
  await reportRun({
    files: { ...settings, all, writeBaseline, updateBaseline },
    secrets,
    cleanUp: 'removing what was created on the target',
    run: async ({ signal }) => {
      const { isTTY, columns } = process.stderr;
      // A response of the target may contain a key.
      const write = (text: string) => process.stderr.write(redactSecrets(text, secrets));
      const progress = showProgress({ isTTY, columns, write });
      // Results of interrupted checks are meaningless.
      const show = (event: ConformEvent) =>
        signal.aborted && event.type === 'check' ? undefined : progress(event);
      const again = (found: FoundSequence, seed: number) => formatAgain(options, out, found, seed);
      const result = await conform({ ...options, again, signal }, show);
      if (out !== undefined) writeFoundSequences(result, out, secrets);
      for (const { file, report } of before) {
        const progress = report.target.base_url === result.target.base_url && describeChanges(report, result);
        if (progress) printWarning(redactSecrets(`since the last run (${file}): ${progress}`, secrets));
      }
      for (const what of result.left)
        printWarning(redactSecrets(`not removed from the target: ${what}`, secrets));
      return result;
    },
    listUnselected: () => {
      const run = new Set(listCheckIds(options));
      return listCheckIds({}).filter((id) => !run.has(id));
    },
  });
}

/** Reports of an earlier run in the files that this run will overwrite. */
function readLastReports(reports: readonly string[]): { file: string; report: ConformReport }[] {
  return reports.flatMap((each) => {
    const [, file] = /^json=(.+)/.exec(each) ?? [];
    if (file === undefined) return [];
    try {
      return [{ file, report: readReport(file) }];
    } catch {
      // No file, or not a report: it will be written.
      return [];
    }
  });
}

function listCheckIds(selection: Selection): string[] {
  return listCaseChecks(planRun(selection).cases).map(({ id }) => id);
}

/** Throws UsageError or ReportError. */
export async function compareRuns(files: readonly string[], flags: readonly string[]): Promise<void> {
  if (files.length < 2)
    throw new UsageError('--compare: expected two JSON reports or more, as --report json=FILE writes them.');
  const targets = parseReportTargets(flags);
  const reports = files.map((file) => ({ name: file, report: readReport(file) }));
  const key = process.env.TASKDOUBLE_API_KEY;
  const comparison = compareReports(reports, key ? [key] : []);
  await writeComparison(comparison, targets, {
    isTTY: process.stdout.isTTY,
    columns: process.stdout.columns,
    write: print,
  });
}
