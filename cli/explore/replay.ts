import { replay } from '../../conformance/explore/reproduce/replay.js';
import { redactReport } from '../../conformance/report/redact-report.js';
import { replayReport } from '../../conformance/report/search/search-report.js';
import { EXIT } from '../exit-codes.js';
import type { ExploreFlags } from '../explore.js';
import { interruptible } from '../judging/interrupt.js';
import { reportTargets } from '../judging/report-targets.js';
import { writeResults } from '../judging/results.js';
import { exitCodeOf } from '../judging/verdict.js';
import { printWarning } from '../print.js';
import { UsageError } from '../usage-error.js';
import { clientFor } from './client-source.js';

/** Options that say something of a search only. */
const OF_SEARCHES = [
  'scenario',
  'schedules',
  'deviations',
  'shard',
  'jobs',
  'timeLimit',
  'baseline',
] as const;

/** Runs one file again and says what breaks; exit code 1 when something does. Throws UsageError or InvalidFile before anything is run. */
export async function runReplay(command: readonly string[], flags: ExploreFlags): Promise<void> {
  const file = flags.replay!;
  const idle = OF_SEARCHES.filter((name) => flags[name] !== undefined).map((name) =>
    name === 'timeLimit' ? '--time-limit' : `--${name}`,
  );
  if (idle.length > 0) throw new UsageError(`--replay runs one file once: leave ${idle.join(', ')} out.`);
  const { client, name } = await clientFor(command, flags);
  const targets = reportTargets(flags.report ?? []);
  const interrupt = interruptible(printWarning, 'ending the client');
  const started = new Date();
  try {
    const { seed } = flags;
    const replayed = await replay(file, client, {
      ...(seed === undefined ? {} : { seed }),
      signal: interrupt.signal,
    });
    const report = redactReport(replayReport(replayed, { client: name, started }));
    const code = exitCodeOf({ ...report, faults: [] }, { strict: false, interrupted: interrupt.code });
    process.exitCode = code;
    const written = await writeResults(report, targets, {}, []);
    if (!written && code === EXIT.ok) process.exitCode = EXIT.usage;
    const { expected, shown } = replayed;
    if (expected !== undefined)
      printWarning(`${file} shows ${expected}: ${shown ? 'reproduced' : 'not reproduced this time'}`);
  } finally {
    interrupt.release();
  }
}
