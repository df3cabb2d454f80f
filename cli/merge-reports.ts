import { type AnyCommand, Command, type InferFlags } from './typed-commander.js';
import { ALL, REPORT } from './values.js';

const EXAMPLES = `
Examples:
  taskdouble merge-reports shards/
  taskdouble merge-reports shards/ --report html=races.html --report junit=races.xml
  taskdouble merge-reports service-auth.json service-polling.json

Each run writes its own with --report json=FILE. A shard that is missing is named, and the exit code is then 3 unless a failure was found.
Exit codes: 0 no failure, 1 a failure, 2 wrong usage or reports that do not belong together, 3 nothing was tested or a part is missing.`;

export type MergeFlags = InferFlags<typeof declareMergeReports>;

function declareMergeReports() {
  return new Command('merge-reports')
    .description('Merge the JSON reports of several runs of explore, conform or client into one.')
    .argument('<path...>', 'JSON reports, and directories that contain them')
    .option(...REPORT)
    .option(...ALL)
    .option('--all-failures', 'list every failure of a search, not only one of each defect')
    .option('--strict', 'inconclusive and flaky count as failed')
    .addHelpText('after', EXAMPLES);
}

export function createMergeReportsCommand(): AnyCommand {
  return declareMergeReports().action(async (paths, flags) =>
    (await import('./run-merge-reports.js')).runMergeReports(paths, flags),
  );
}
