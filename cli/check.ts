import { type AnyCommand, Command, type InferFlags, Option } from './typed-commander.js';
import { ALL, BASELINE, CONFIG, collect, LACKS, REPORT, WRITE_BASELINE } from './values.js';

const EXAMPLES = `
Examples:
  taskdouble check traffic.har                         what a browser or a proxy has recorded
  taskdouble check bug.jsonl --side client             what taskdouble mock --journal has recorded
  taskdouble check recordings/*.har.gz --report junit=junit.xml --baseline known.yaml
  taskdouble check traffic.har --only '*#replies/*'

Exit codes: 0 both sides conform, 1 a rule is broken, 2 wrong usage or no recording, 3 nothing could be judged, 4 a fault of
taskdouble itself.`;

export type CheckFlags = InferFlags<typeof declareCheck>;

function declareCheck() {
  return new Command('check')
    .description(
      'Judge recordings: check what passed between a client and a service against the rules of the API.',
    )
    .argument('<file...>', 'journals (.jsonl) and HAR 1.2 files (.har), also packed with gzip')
    .addOption(
      new Option('--side <side>', 'side to judge').choices(['client', 'service', 'both']).default('both'),
    )
    .option('--only <glob>', 'only checks whose id matches, repeatable: client#replies/*, *#POLL-02', collect)
    .option('--exclude <glob>', 'checks to leave out, repeatable', collect)
    .option(...LACKS)
    .option(...CONFIG)
    .option(...REPORT)
    .option(...ALL)
    .option(...BASELINE)
    .option(...WRITE_BASELINE)
    .option('--strict', 'an inconclusive check counts as failed')
    .addHelpText('after', EXAMPLES);
}

export function createCheckCommand(): AnyCommand {
  return declareCheck().action(async (files, flags) =>
    (await import('./run-check.js')).runCheck(files, flags),
  );
}
