import { replay } from '../../conformance/explore/reproduce/replay.js';
import { redactReport } from '../../conformance/report/redact-report.js';
import { replayReport } from '../../conformance/report/search-report.js';
import type { ExploreFlags } from '../explore.js';
import { clientFor } from '../judging/client-command.js';
import { reportRun } from '../judging/report-run.js';
import { printWarning } from '../print.js';
import { UsageError } from '../usage.js';
import { definedOnly } from '../values.js';

/** Flags of a search that have no effect on a replay. */
const SEARCH_FLAGS = [
  'scenario',
  'schedules',
  'deviations',
  'shard',
  'jobs',
  'timeLimit',
  'baseline',
] as const;

/** Runs one reproduction file again; exit code 1 when a rule is broken. Throws UsageError or InvalidFile before the client is started. */
export async function runReplay(command: readonly string[], flags: ExploreFlags): Promise<void> {
  const file = flags.replay!;
  const unused = SEARCH_FLAGS.filter((name) => flags[name] !== undefined).map((name) =>
    name === 'timeLimit' ? '--time-limit' : `--${name}`,
  );
  if (unused.length > 0) throw new UsageError(`--replay runs one file once: leave ${unused.join(', ')} out.`);
  const { client, name } = await clientFor(command, flags);
  const started = new Date();
  let outcome = '';
  await reportRun({
    files: { report: flags.report },
    cleanUp: 'ending the client',
    run: async ({ signal }) => {
      const replayed = await replay(file, client, { ...definedOnly({ seed: flags.seed }), signal });
      const { expected, shown } = replayed;
      if (expected !== undefined)
        outcome = `${file} shows ${expected}: ${shown ? 'reproduced' : 'not reproduced this time'}`;
      return { ...redactReport(replayReport(replayed, { client: name, started })), faults: [] };
    },
    finish: () => {
      if (outcome !== '') printWarning(outcome);
    },
  });
}
