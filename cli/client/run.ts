import { type ClientChecked, checkClient } from '../../conformance/client/check-client.js';
import { whyUnplayable } from '../../conformance/client/run/job.js';
import { applyBaseline, type Baseline } from '../../conformance/report/baseline.js';
import { showProgress } from '../../conformance/report/progress.js';
import { redactReport } from '../../conformance/report/redact-report.js';
import { count } from '../../conformance/report/text.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { ClientFlags } from '../client.js';
import { EXIT } from '../exit-codes.js';
import { readBaseline, today } from '../judging/baseline-file.js';
import { clientOf, commandLine } from '../judging/client-command.js';
import { interruptible } from '../judging/interrupt.js';
import { checkWritable } from '../judging/outputs.js';
import { reportTargets } from '../judging/report-targets.js';
import { writeResults } from '../judging/results.js';
import { scenariosOf } from '../judging/scenarios.js';
import { exitCodeOf } from '../judging/verdict.js';
import { printError, printWarning } from '../print.js';

/** Judges a client and says what came of it; the exit code is the verdict. Throws UsageError or InvalidFile before anything is run. */
export async function runClient(command: readonly string[], flags: ClientFlags): Promise<void> {
  const client = clientOf(command, flags.time, 'client');
  const targets = reportTargets(flags.report ?? []);
  const baseline = flags.baseline === undefined ? undefined : readBaseline(flags.baseline);
  if (flags.har !== undefined) checkWritable('--har', flags.har);
  const scenarios = await (flags.scenario === undefined ? loadLibrary() : scenariosOf(flags.scenario));
  const time = client.kind === 'node' ? 'on virtual time (Node.js)' : 'in real time';
  const about = `${commandLine(command)}: ${count(scenarios.length, 'scenario')}, ${time}`;
  const interrupt = interruptible(printWarning, 'ending the client');
  try {
    const given = { seed: flags.seed, jobs: flags.jobs, deadlineMs: flags.timeout };
    const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const found = await checkClient(
      { client, scenarios, signal: interrupt.signal, ...said },
      showProgress(process.stderr, process.env, about),
    );
    for (const fault of found.faults) printError(`a fault of taskdouble itself in ${fault}`);
    const shown = { ...found, ...redactReport(found) };
    const report = baseline ? await withBaseline(shown, baseline, scenarios) : shown;
    const strict = flags.strict === true;
    const code = exitCodeOf(report, { strict, interrupted: interrupt.code });
    // Before the output: whoever reads it may stop reading, which ends the process.
    process.exitCode = code;
    const written = await writeResults(report, targets, flags, []);
    if (!written && code === EXIT.ok) process.exitCode = EXIT.usage;
  } finally {
    interrupt.release();
  }
}

/** The report with known failures marked; nothing is asked of entries about scenarios of the library that were not played. */
async function withBaseline(
  report: ClientChecked,
  baseline: Baseline,
  played: readonly Scenario[],
): Promise<ClientChecked> {
  const names = new Set(played.filter((each) => whyUnplayable(each) === undefined).map(({ name }) => name));
  const outside = (await loadLibrary())
    .filter(({ name }) => !names.has(name))
    .map(({ name }) => `${name}#end`);
  return { ...report, ...applyBaseline(report, baseline, { today: today(), outside }) };
}
