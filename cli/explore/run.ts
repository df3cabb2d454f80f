import { explore } from '../../conformance/explore/search/explore.js';
import type { ExploreOptions, ExploreReport, Find } from '../../conformance/explore/types.js';
import { redactReport } from '../../conformance/report/redact-report.js';
import { showSearch } from '../../conformance/report/search/search-progress.js';
import { searchReport } from '../../conformance/report/search/search-report.js';
import { EXIT } from '../exit-codes.js';
import type { ExploreFlags } from '../explore.js';
import { readBaseline } from '../judging/baseline-file.js';
import { commandLine } from '../judging/client-command.js';
import { interruptible } from '../judging/interrupt.js';
import { reportTargets } from '../judging/report-targets.js';
import { writeResults } from '../judging/results.js';
import { scenariosOf } from '../judging/scenarios.js';
import { exitCodeOf } from '../judging/verdict.js';
import { printWarning } from '../print.js';
import { type ClientSource, clientFor } from './client-source.js';
import { knownKeys, withKnown } from './known-findings.js';
import { checkDirectory, writeFind } from './written-findings.js';

/** Searches a client for races and says what came of it; the exit code is the verdict. Throws UsageError or InvalidFile before anything is run. */
export async function runExplore(command: readonly string[], flags: ExploreFlags): Promise<void> {
  const searched = await clientFor(command, flags);
  const targets = reportTargets(flags.report ?? []);
  const baseline = flags.baseline === undefined ? undefined : readBaseline(flags.baseline);
  const scenarios = flags.scenario === undefined ? undefined : await scenariosOf(flags.scenario);
  checkDirectory(flags.out);
  const options: ExploreOptions = {
    ...budgetOf(flags),
    client: searched.client,
    commandLine: lineOf(flags, searched, 'FILE'),
    ...(scenarios ? { scenarios } : {}),
    ...(baseline ? { known: knownKeys(baseline) } : {}),
  };
  const interrupt = interruptible(printWarning, 'ending the client');
  const started = new Date();
  const unwritten = new Set<string>();
  try {
    const show = showSearch(process.stderr, searched.name);
    const explored = await explore({ ...options, signal: interrupt.signal }, (event) => {
      // Written at once: what was found is there even when the rest of the search comes to nothing.
      if (event.type === 'find' && !writeFind(flags.out, event.find)) unwritten.add(event.find.name);
      show(event);
    });
    const plain = searchReport(explored, {
      client: searched.name,
      started,
      again: (find) => lineOf(flags, searched, `${find.name}.yaml`),
      stopped: interrupt.code === undefined ? undefined : 'interrupted',
    });
    const report = redactReport(baseline ? withKnown(plain, baseline, explored) : plain);
    const code = exitCodeOf({ ...report, faults: [] }, { strict: false, interrupted: interrupt.code });
    // Before the output: whoever reads it may stop reading, which ends the process.
    process.exitCode = code;
    const written = await writeResults(report, targets, {}, []);
    if ((!written || unwritten.size > 0) && code === EXIT.ok) process.exitCode = EXIT.usage;
    tellFiles(explored, flags.out, unwritten);
  } finally {
    interrupt.release();
  }
}

function budgetOf(flags: ExploreFlags): Partial<ExploreOptions> {
  const { schedules, deviations, seed, shard, jobs, timeLimit } = flags;
  const given = { schedules, deviations, seed, shard, jobs, timeLimitMs: timeLimit };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The line to type to see the find in this file of the directory again. */
function lineOf({ out, time }: ExploreFlags, { words }: ClientSource, file: string): string {
  const how = time === 'auto' ? [] : ['--time', time];
  return commandLine(['npx', 'taskdouble', 'explore', '--replay', `${out}/${file}`, ...how, ...words]);
}

/** Where to read on. */
function tellFiles({ finds, advice }: ExploreReport, out: string, unwritten: ReadonlySet<string>): void {
  const tell = (what: string, found: readonly Find[]) => {
    const files = found.filter(({ name }) => !unwritten.has(name)).map(({ name }) => `${name}.md`);
    if (files.length > 0) printWarning(`${what} in ${out}/: ${files.join(', ')}`);
  };
  tell('what happened, with a diagram, and a .yaml beside it that reproduces it,', finds);
  tell('advice', advice);
}
