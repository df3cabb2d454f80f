import { replay } from '../../conformance/explore/reproduce/replay.js';
import { replayReport } from '../../conformance/report/search-report.js';
import type { ExploreFlags } from '../explore.js';
import { clientFor } from '../judging/client-command.js';
import { reportRun } from '../judging/report-run.js';
import { printWarning } from '../print.js';

/** Runs one reproduction file again; exit code 1 when a rule is broken. Throws UsageError or InvalidFile before the client is started. */
export async function runReplay(
  file: string,
  command: readonly string[],
  flags: ExploreFlags,
): Promise<void> {
  const { client, name } = await clientFor(command, flags);
  const { seed, report } = flags;
  const started = new Date();
  let outcome = '';
  await reportRun({
    files: { report },
    cleanUp: 'ending the client',
    run: async ({ signal }) => {
      const replayed = await replay(file, client, { seed, signal });
      const { expected, shown } = replayed;
      if (expected !== undefined)
        outcome = `${file} shows ${expected}: ${shown ? 'reproduced' : 'not reproduced this time'}`;
      return { ...replayReport(replayed, { client: name, started }), faults: [] };
    },
    outside: undefined,
    finish: () => {
      if (outcome !== '') printWarning(outcome);
    },
  });
}
