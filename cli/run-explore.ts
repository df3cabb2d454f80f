import { writeFileSync } from 'node:fs';
import { readCommandName } from '../conformance/common/command-name.js';
import { formatCommandLine } from '../conformance/common/shell.js';
import { listFailures } from '../conformance/explore/causes/causes.js';
import { resolveExploredScenarios } from '../conformance/explore/explored-scenarios.js';
import type { Race } from '../conformance/explore/reproduce/race.js';
import { formatRunsPath, formatViewCommand } from '../conformance/explore/reproduce/race-page.js';
import { replay } from '../conformance/explore/reproduce/replay.js';
import { explore } from '../conformance/explore/search/explore.js';
import type { ExploreOptions, ExploreReport, Failure } from '../conformance/explore/types.js';
import type { Baseline } from '../conformance/report/baseline.js';
import { showSearch } from '../conformance/report/progress.js';
import { createReplayReport, createSearchReport } from '../conformance/report/search-report.js';
import { EXIT } from './exit-codes.js';
import type { ExploreFlags } from './explore.js';
import { type ClientSource, resolveClientSource } from './judging/client-command.js';
import { checkDirectory, writeFailure } from './judging/failure-files.js';
import { resolveLacks } from './judging/lacks.js';
import { formatToday, reportRun } from './judging/report-run.js';
import { listFiles, printLine, printWarning } from './print.js';

/** Searches a client for races; the exit code is the verdict. Throws UsageError or InvalidFile before the client is started. */
export async function runExplore(command: readonly string[], flags: ExploreFlags): Promise<void> {
  const source = await resolveClientSource(command, flags);
  const { scenario, schedules, deviations, seed, shard, jobs, timeLimit: timeLimitMs } = flags;
  const lacks = resolveLacks(flags, 'explore');
  const scenarios = scenario && (await resolveExploredScenarios(scenario, seed ?? 1, lacks));
  checkDirectory(flags.out);
  const started = new Date();
  const unwritten = new Set<string>();
  let explored: ExploreReport | undefined;
  await reportRun({
    files: { ...flags, all: flags.all || flags.allFailures },
    cleanUp: 'ending the client',
    run: async ({ signal }, baseline) => {
      const show = showSearch(process.stderr, source.name);
      const options: ExploreOptions = {
        ...{ scenarios, schedules, deviations, seed, shard, jobs, timeLimitMs, signal },
        ...{ lacks, exclude: flags.exclude },
        client: source.client,
        commandLine: formatReplayCommand(flags, source, `${flags.out}/FILE`),
        known: baseline && listKnownKeys(baseline),
      };
      explored = await explore(options, (event) => {
        // Written at once: the file exists even if the search fails later.
        if (event.type === 'failure' && !writeFailure(flags.out, event.failure))
          unwritten.add(event.failure.name);
        show(event);
      });
      return createSearchReport(explored, {
        client: source.name,
        started,
        again: ({ name }) => formatReplayCommand(flags, source, `${flags.out}/${name}.yaml`),
        file: ({ name }) => `${flags.out}/${name}.yaml`,
        all: flags.allFailures,
        stopped: signal.aborted ? 'interrupted' : undefined,
      });
    },
    listUnselected: undefined,
    finish: () => {
      if (unwritten.size > 0) process.exitCode ||= EXIT.usage;
      printFiles(explored!, flags.out, unwritten);
    },
  });
}

/** Runs a reproduction file; exit code 1 if a rule is broken. Throws UsageError or InvalidFile before the client is started. */
export async function runReplay(
  file: string,
  command: readonly string[],
  flags: ExploreFlags,
): Promise<void> {
  const source = await resolveClientSource(command, flags);
  const { client, name } = source;
  const { seed, report, all } = flags;
  const started = new Date();
  const again = formatReplayCommand(flags, source, file);
  let [outcome, printed] = ['', ''];
  let race: Race | undefined;
  await reportRun({
    files: { report, all },
    cleanUp: 'ending the client',
    run: async ({ signal }) => {
      const replayed = await replay(file, client, { seed, signal, again });
      const { expected, shown, run } = replayed;
      printed = run.stderr.trim();
      ({ race } = replayed);
      if (expected !== undefined)
        outcome = `${file} shows ${expected}: ${shown ? 'reproduced' : 'not reproduced this time'}`;
      return createReplayReport(replayed, { client: name, started });
    },
    listUnselected: undefined,
    finish: () => {
      for (const line of printed === '' ? [] : printed.split('\n')) printLine('client:', line);
      if (race) writeRuns(file, race);
      if (outcome !== '') printWarning(outcome);
    },
  });
}

/** Failures that a search skips: the keys of entries that apply to every scenario, `*#replies/outcome first`. */
function listKnownKeys({ entries }: Baseline): string[] {
  return entries.flatMap(({ check, expires }) =>
    expires < formatToday() ? [] : (/^\*#([^*]+)$/.exec(check)?.[1] ?? []),
  );
}

function formatReplayCommand({ time }: ExploreFlags, { words }: ClientSource, file: string): string {
  const timeFlag = time === undefined || time === 'auto' ? [] : ['--time', time];
  return `${readCommandName()} explore --replay ${formatCommandLine([file, ...timeFlag, ...words])}`;
}

/** Writes the runs beside the replayed file, for `view`. The replay is valid even if that fails. */
function writeRuns(file: string, race: Race): void {
  const path = formatRunsPath(file);
  try {
    writeFileSync(path, JSON.stringify(race));
    printWarning(`this run and one without the deviations are in ${path}`);
  } catch (error) {
    printWarning(`${path} could not be written: ${(error as Error).message}`);
  }
}

function printFiles(
  { causes, failures, advice }: ExploreReport,
  out: string,
  unwritten: ReadonlySet<string>,
): void {
  const groups = causes.map((cause) => listFailures(cause, failures));
  const printNames = (what: string, found: readonly Failure[]) => {
    const files = found.filter(({ name }) => !unwritten.has(name)).map(({ name }) => `${name}.md`);
    if (files.length > 0) printWarning(`${what} in ${out}/: ${files.join(', ')}`, listFiles(out, files));
  };
  printNames(
    'what happened, with a diagram, and a .yaml beside it that reproduces it,',
    groups.flatMap((group) => group.slice(0, 1)),
  );
  printNames('advice', advice);
  const first = groups.flat().find(({ name }) => !unwritten.has(name));
  if (first) printWarning(`to see it step by step: ${formatViewCommand(`${out}/${first.name}.yaml`)}`);
}
