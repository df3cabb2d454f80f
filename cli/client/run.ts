import { type ClientChecked, checkClient } from '../../conformance/client/check-client.js';
import { commandLine } from '../../conformance/client/run/command-line.js';
import { whyUnplayable } from '../../conformance/client/run/job.js';
import { applyBaseline, type Baseline } from '../../conformance/report/baseline.js';
import { showProgress } from '../../conformance/report/progress.js';
import { redactReport } from '../../conformance/report/redact-report.js';
import { count } from '../../conformance/report/text.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { ClientFlags } from '../client.js';
import { clientOf } from '../judging/client-command.js';
import { scenariosOf, today } from '../judging/inputs.js';
import { reportRun } from '../judging/report-run.js';
import { printError } from '../print.js';
import { definedOnly } from '../values.js';

/** Tests a client; the exit code is the verdict. Throws UsageError or InvalidFile before the client is started. */
export async function runClient(command: readonly string[], flags: ClientFlags): Promise<void> {
  const client = clientOf(command, flags.time, 'client');
  const scenarios = await (flags.scenario === undefined ? loadLibrary() : scenariosOf(flags.scenario));
  const time = client.kind === 'node' ? 'on virtual time (Node.js)' : 'in real time';
  const title = `${commandLine(command)}: ${count(scenarios.length, 'scenario')}, ${time}`;
  await reportRun({
    files: flags,
    cleanUp: 'ending the client',
    run: async ({ signal }, baseline) => {
      const given = definedOnly({ seed: flags.seed, jobs: flags.jobs, deadlineMs: flags.timeout });
      const progress = showProgress(process.stderr, process.env, title);
      const checked = await checkClient({ client, scenarios, signal, ...given }, progress);
      for (const fault of checked.faults) printError(`a fault of taskdouble itself in ${fault}`);
      const report = { ...checked, ...redactReport(checked) };
      return baseline ? await withBaseline(report, baseline, scenarios) : report;
    },
  });
}

/** The report with known failures marked. Entries about library scenarios that were not played are left alone. */
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
