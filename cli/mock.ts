import { rejectOtherOptions } from './exit-codes.js';
import { EXIT_WITH_PARENT } from './exit-with-parent.js';
import { OPEN } from './open-browser.js';
import { type AnyCommand, Command, type InferFlags, Option } from './typed-commander.js';
import {
  collect,
  JOURNAL,
  JOURNAL_MAX_SIZE,
  NETWORK,
  parseBound,
  parseOrigin,
  parsePort,
  parsePositive,
  parseRate,
  parseSeed,
  parseToken,
} from './values.js';

const EXAMPLES = `
Examples:
  taskdouble mock --open                               with its page, studio, in the browser
  taskdouble mock --port 0 --json --quiet              any free port; prints it as one line of JSON
  taskdouble mock --scenarios ./scenarios --seed 7     your own scenarios, reloaded when they change
  taskdouble mock --open --client 'python3 client.py'  run your client from studio
  taskdouble mock --clock skipping                     no waiting: time jumps to the next event
  taskdouble mock --journal bug.jsonl                  record every exchange, then replay them:
  taskdouble mock --replay bug.jsonl                   the same responses again, without scenarios or a clock`;

/** Options that have an effect on a replay: the others configure the behavior of a mock. */
const REPLAY_OPTIONS =
  '--replay --port --host --origin --journal --journal-max-size --admin-token --exit-with-parent --quiet --json'.split(
    ' ',
  );

export type MockFlags = InferFlags<typeof declareMock>;

function declareMock() {
  return new Command('mock')
    .description('Start the mock service: every operation of the API, with state, a clock and a seed.')
    .option('--port <n>', 'port to listen on, 0 takes any free one', parsePort, 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--origin <url>',
      'where clients reach it: http://mock:4010, for links in its responses',
      parseOrigin,
    )
    .option('--scenarios <path>', 'file or directory of scenarios, repeatable; watched and reloaded', collect)
    .option('--fixtures <file>', 'initial state of every organisation (YAML or JSON); watched and reloaded')
    .option('--dialect <file|name>', 'open points: a file, or bare-results, reference-pages, strict')
    .option('--seed <n>', 'seed of every id, text and delay', parseSeed, 1)
    .addOption(
      new Option('--clock <mode>', 'manual: moved by the admin API; skipping: jumps where a poll would wait')
        .choices(['real', 'manual', 'skipping'])
        .default('real'),
    )
    .option('--speed <x>', 'speed of the real clock: 10 is ten times real time', parsePositive)
    .option(...NETWORK)
    .option('--rate-limit <n/s>', 'requests per second of one organisation; 429 above it', parseRate)
    .option(...JOURNAL)
    .option(...JOURNAL_MAX_SIZE)
    .option('--replay <file>', 'replay the responses of a journal or a HAR file, in place of a mock')
    .option('--admin-token <token>', 'token of the admin API, which other machines may use then', parseToken)
    .option('--max-exchanges <n>', 'exchanges kept in the journal of one organisation', parseBound)
    .option('--max-finished-tasks <n>', 'finished tasks kept in one organisation', parseBound)
    .option('--client <command>', 'your client: studio can run it, and runs it again when its files change')
    .option(...OPEN)
    .option(...EXIT_WITH_PARENT)
    .option('--verbose', 'log every request, and what the rules say about the client')
    .addOption(
      new Option('--log-format <format>', 'text, or json: a line of JSON each')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--quiet', 'no banner, no log')
    .option('--json', 'print the address as one line of JSON on stdout')
    .addHelpText('after', EXAMPLES);
}

export function createMockCommand(): AnyCommand {
  return declareMock().action(async (flags, command) => {
    if (flags.replay === undefined) return (await import('./mock/run.js')).runMock(flags);
    rejectOtherOptions(command, '--replay plays what was recorded', REPLAY_OPTIONS);
    return (await import('./mock/replay.js')).runReplay(flags.replay, flags);
  });
}
