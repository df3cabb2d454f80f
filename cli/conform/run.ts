import { type Conformed, type ConformOptions, conform } from '../../conformance/conform.js';
import type { Baseline } from '../../conformance/report/baseline.js';
import type { ReportTarget } from '../../conformance/report/formats.js';
import { showProgress } from '../../conformance/report/progress.js';
import { redactReport } from '../../conformance/report/redact-report.js';
import { parseBaseUrl } from '../../conformance/service/http-client/target.js';
import type { ConformEvent } from '../../conformance/service/runner/result.js';
import { redactSecrets } from '../../spec/redact.js';
import type { ConformFlags } from '../conform.js';
import { EXIT } from '../exit-codes.js';
import { readBaseline } from '../judging/baseline-file.js';
import { interruptible } from '../judging/interrupt.js';
import { checkWritable } from '../judging/outputs.js';
import { reportTargets } from '../judging/report-targets.js';
import { writeResults } from '../judging/results.js';
import { exitCodeOf } from '../judging/verdict.js';
import { printError, printWarning } from '../print.js';
import { UsageError } from '../usage-error.js';
import { withBaseline } from './apply-baseline.js';
import { printPlan } from './plan.js';
import { checkSelection } from './selection.js';
import { type ConformSettings, needed, readSettings } from './settings.js';

/** Judges a service and says what came of it; the exit code is the verdict. Throws UsageError or InvalidFile before anything is sent. */
export async function runConform(base_url: string | undefined, flags: ConformFlags): Promise<void> {
  const settings = readSettings(base_url, flags, process.env, printWarning);
  checkSelection(selectionOf(settings));
  if (flags.plan) return printPlan(selectionOf(settings), flags.report ?? []);
  const options = optionsOf(settings);
  const job: RunFiles = {
    options,
    settings,
    targets: reportTargets(settings.reports),
    baseline: settings.baseline === undefined ? undefined : readBaseline(settings.baseline),
  };
  if (settings.dialect_out !== undefined) checkWritable('--dialect-out', settings.dialect_out);
  if (settings.har !== undefined) checkWritable('--har', settings.har);
  await perform(job);
}

interface RunFiles {
  options: ConformOptions;
  settings: ConformSettings;
  targets: ReportTarget[];
  baseline: Baseline | undefined;
}

async function perform({ options, settings, targets, baseline }: RunFiles): Promise<void> {
  const secrets = secretsOf(options);
  const interrupt = interruptible(printWarning, 'removing what was created on the target');
  try {
    const progress = redacting(showProgress(process.stderr), secrets);
    // Of checks that are given up there is nothing to tell.
    const show = (event: ConformEvent) =>
      interrupt.signal.aborted && event.type === 'check' ? undefined : progress(event);
    const found = await conform({ ...options, signal: interrupt.signal }, show);
    const shown: Conformed = { ...found, ...redactReport(found, secrets) };
    const report = baseline ? withBaseline(shown, baseline, options) : shown;
    for (const what of found.left)
      printWarning(redactSecrets(`not removed from the target: ${what}`, secrets));
    for (const fault of found.faults)
      printError(redactSecrets(`a fault of taskdouble itself in ${fault}`, secrets));
    const strict = settings.strict === true;
    const code = exitCodeOf(report, { strict, interrupted: interrupt.code });
    // Before the output: whoever reads it may stop reading, which ends the process.
    process.exitCode = code;
    const written = await writeResults(report, targets, settings, secrets);
    if (!written && code === EXIT.ok) process.exitCode = EXIT.usage;
  } finally {
    interrupt.release();
  }
}

function selectionOf(
  settings: ConformSettings,
): Pick<ConformOptions, 'suites' | 'only' | 'lacks' | 'allow' | 'keys'> {
  const { suite, only, lacks, allow, key } = settings;
  return {
    ...(suite ? { suites: suite } : {}),
    ...(only ? { only } : {}),
    ...(lacks ? { lacks } : {}),
    ...(allow ? { allow } : {}),
    ...(key ? { keys: key } : {}),
  };
}

function optionsOf(settings: ConformSettings): ConformOptions {
  const { base_url, api_key: apiKey } = needed(settings);
  const { concurrency, timeout_ms, poll_interval_ms, texts, tools, seed } = settings;
  const given = { concurrency, timeoutMs: timeout_ms, pollIntervalMs: poll_interval_ms, texts, tools, seed };
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return { baseUrl: addressOf(base_url), apiKey, ...selectionOf(settings), ...Object.fromEntries(said) };
}

function addressOf(given: string): string {
  // What stands there may be a key: it is not repeated.
  if (/[?#]/.test(given))
    throw new UsageError('expected an address without a query or a fragment, such as http://127.0.0.1:4010');
  try {
    return parseBaseUrl(given);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

function secretsOf({ apiKey, keys }: ConformOptions): string[] {
  return [apiKey, ...Object.values(keys ?? {})].filter((key) => key !== undefined);
}

/** The target may say a key in what it answers. */
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
