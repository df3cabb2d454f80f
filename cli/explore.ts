import { rejectOtherOptions } from './exit-codes.js';
import { type AnyCommand, Command, type InferFlags } from './typed-commander.js';
import {
  ALL,
  BASELINE,
  CONFIG,
  collect,
  createTimeOption,
  LACKS,
  parseBound,
  parseConcurrency,
  parseDeviations,
  parseDurationMs,
  parseSeed,
  REPORT,
  SHARD,
  WRITE_BASELINE,
} from './values.js';

const EXAMPLES = `
Examples:
  taskdouble explore -- node client.mjs
  taskdouble explore --scenario 'tool-calls/*' --time-limit 10m -- npx tsx client.ts
  taskdouble explore --scenario generated -- node client.mjs     20 scenarios drawn from --seed
  taskdouble explore --function client.mjs --schedules 50000    in worker threads: much faster
  taskdouble explore --shard 2/4 --report junit=out.xml -- python3 client.py
  taskdouble explore --replay taskdouble-races/NAME.yaml -- node client.mjs

The command gets TASKDOUBLE_BASE_URL, TASKDOUBLE_API_KEY, TASKDOUBLE_SCENARIO and TASKDOUBLE_JOB (see "taskdouble client --help").
Exit codes: 0 no failure found, 1 a failure was found, 2 wrong usage, 3 nothing could be tested, 4 a fault of taskdouble itself.`;

/** Options that have an effect on a replay; --out names the directory of its file. */
const REPLAY_OPTIONS = ['--replay', '--seed', '--time', '--function', '--report', '--out'];

export type ExploreFlags = InferFlags<typeof declareExplore>;

function declareExplore() {
  return new Command('explore')
    .description('Search a client for races: vary the order of events until a rule is broken.')
    .argument('[command...]', 'the command that starts the client, after --')
    .option('--scenario <name|glob|file>', 'scenarios to vary, repeatable (default: a small set)', collect)
    .option('--exclude <glob>', 'scenarios to leave out, repeatable', collect)
    .option(...LACKS)
    .option(...CONFIG)
    .option('--schedules <n>', 'maximum number of schedules (default: 10500)', parseBound)
    .option('--deviations <k>', 'maximum deviations in a schedule (default: 2)', parseDeviations)
    .option('--seed <n>', 'seed of all random choices (default: 1)', parseSeed)
    .option(...SHARD)
    .option(
      '--jobs <n>',
      'runs in parallel (default: all cores for --function, 2 for a command; in real time what the machine carries)',
      parseConcurrency,
    )
    .option('--time-limit <duration>', 'time limit of the search (default: 2m)', parseDurationMs)
    .option('--out <dir>', 'directory for the failures found', 'taskdouble-races')
    .option('--replay <file>', 'run this file once, print which rule is broken, and exit')
    .addOption(createTimeOption('auto'))
    .option('--function <file>', 'in place of a command: the client is the export "run" of this module')
    .option(...REPORT)
    .option(...ALL)
    .option('--all-failures', 'list every failure, not only one of each defect')
    .option(...BASELINE)
    .option(...WRITE_BASELINE)
    .addHelpText('after', EXAMPLES);
}

export function createExploreCommand(): AnyCommand {
  return declareExplore().action(async (words, flags, command) => {
    const { replay } = flags;
    if (replay === undefined) return (await import('./run-explore.js')).runExplore(words, flags);
    rejectOtherOptions(command, '--replay runs one file once', REPLAY_OPTIONS);
    return (await import('./run-explore.js')).runReplay(replay, words, flags);
  });
}
