import { type Conformed, type ConformOptions, conform, planOf } from '../../conformance/conform.js';
import { applyBaseline, type Baseline } from '../../conformance/report/baseline.js';
import { showProgress } from '../../conformance/report/progress.js';
import { redactReport } from '../../conformance/report/redact-report.js';
import type { ConformEvent } from '../../conformance/service/runner/result.js';
import { redactSecrets } from '../../spec/redact.js';
import type { ConformFlags } from '../conform.js';
import { today } from '../judging/inputs.js';
import { reportRun } from '../judging/report-run.js';
import { printError, printWarning } from '../print.js';
import { printPlan } from './plan.js';
import { checkSelection, optionsOf, readSettings, selectionOf } from './settings.js';

/** Tests a service; the exit code is the verdict. Throws UsageError or InvalidFile before anything is sent. */
export async function runConform(base_url: string | undefined, flags: ConformFlags): Promise<void> {
  const settings = readSettings(base_url, flags, process.env, printWarning);
  checkSelection(selectionOf(settings));
  if (flags.plan) return printPlan(selectionOf(settings), flags.report ?? []);
  const options = optionsOf(settings);
  const secrets = [options.apiKey, ...Object.values(options.keys ?? {})].filter((key) => key !== undefined);
  await reportRun({
    files: settings,
    secrets,
    cleanUp: 'removing what was created on the target',
    run: async ({ signal }, baseline) => {
      const progress = redacting(showProgress(process.stderr), secrets);
      // The results of checks that were interrupted say nothing.
      const show = (event: ConformEvent) =>
        signal.aborted && event.type === 'check' ? undefined : progress(event);
      const result = await conform({ ...options, signal }, show);
      for (const what of result.left)
        printWarning(redactSecrets(`not removed from the target: ${what}`, secrets));
      for (const fault of result.faults)
        printError(redactSecrets(`a fault of taskdouble itself in ${fault}`, secrets));
      const report: Conformed = { ...result, ...redactReport(result, secrets) };
      return baseline ? withBaseline(report, baseline, options) : report;
    },
  });
}

/** The report with known failures marked. Entries about checks that the options left out are left alone. */
function withBaseline(report: Conformed, baseline: Baseline, options: ConformOptions): Conformed {
  const idsOf = (selection: Partial<ConformOptions>) =>
    planOf(selection).cases.flatMap(({ checks }) => checks.map(({ id }) => id));
  const run = new Set(idsOf(options));
  const outside = idsOf({}).filter((id) => !run.has(id));
  return { ...report, ...applyBaseline(report, baseline, { today: today(), outside }) };
}

/** A response of the target may contain a key. */
function redacting(
  show: (event: ConformEvent) => void,
  secrets: readonly string[],
): (event: ConformEvent) => void {
  return (event) => {
    if (event.type === 'note') show({ ...event, text: redactSecrets(event.text, secrets) });
    else if (event.type === 'check') {
      const { check } = event;
      show({ ...event, check: { ...check, message: redactSecrets(check.message, secrets) } });
    } else show(event);
  };
}
