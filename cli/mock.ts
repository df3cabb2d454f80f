import { Command, Option } from 'commander';
import type { ClockMode } from '../mock/engine/clock.js';
import { bound, origin, port, positive, rate, token } from './mock/values.js';
import { collect, seed } from './values.js';

/** The options of `taskdouble mock`, parsed. */
export interface MockFlags {
  port: number;
  host: string;
  /** Where clients reach it, for the addresses in its answers. */
  origin?: string;
  scenarios?: string[];
  fixtures?: string;
  dialect?: string;
  seed: number;
  clock: ClockMode;
  speed?: number;
  network?: string;
  /** Requests a second of one organisation. */
  rateLimit?: number;
  journal?: string;
  replay?: string;
  adminToken?: string;
  maxExchanges?: number;
  maxFinishedTasks?: number;
  quiet?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  taskdouble mock
  taskdouble mock --port 0 --json --quiet              any free port; one JSON line says which
  taskdouble mock --scenarios ./scenarios --seed 7     your own scenarios, reloaded when they change
  taskdouble mock --clock skipping                     nobody waits: time jumps to the next event
  taskdouble mock --network 'fail 503 of create times 1'
  taskdouble mock --journal bug.jsonl                  written down in full, to be replayed:
  taskdouble mock --replay bug.jsonl                   the same answers again, without scenarios or a clock`;

/** `taskdouble mock`: the service, played until Ctrl-C. */
export function mockCommand(): Command {
  return new Command('mock')
    .description('Start the mock service: all operations of the API, with state, a clock and a seed.')
    .option('--port <n>', 'port to listen on, 0 takes any free one', port, 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--origin <url>',
      'where clients reach it, for the addresses in its answers (http://mock:4010)',
      origin,
    )
    .option('--scenarios <path>', 'file or directory of scenarios, repeatable; watched and reloaded', collect)
    .option('--fixtures <file>', 'what every organisation starts with (YAML or JSON); watched and reloaded')
    .option(
      '--dialect <file|name>',
      'choices for what the API leaves open; bare-results, reference-pages or strict by name',
    )
    .option('--seed <n>', 'decides every id, text and delay', seed, 1)
    .addOption(
      new Option(
        '--clock <mode>',
        'real; manual: moves when told; skipping: jumps to the next event when a poll would learn nothing',
      )
        .choices(['real', 'manual', 'skipping'])
        .default('real'),
    )
    .option('--speed <x>', 'how many times faster than real the real clock goes', positive)
    .option('--network <file|spec>', 'what goes wrong between client and service: a file, or rules as text')
    .option('--rate-limit <n/s>', 'requests a second of one organisation, beyond it 429', rate)
    .option('--journal <file>', 'append every exchange in full to this file as a JSON line, keys redacted')
    .option('--replay <file>', 'serve the answers of such a journal again, byte for byte, in place of a mock')
    .option(
      '--admin-token <token>',
      'what the admin API asks for in x-taskdouble-admin-token; then other machines may use it too',
      token,
    )
    .option('--max-exchanges <n>', 'exchanges kept in the journal of one organisation', bound)
    .option('--max-finished-tasks <n>', 'finished tasks kept in one organisation', bound)
    .option('--quiet', 'no banner, no log')
    .option('--json', 'say where it listens as one line of JSON on stdout')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: MockFlags, command: Command) => {
      if (flags.replay === undefined) return (await import('./mock/run.js')).runMock(flags);
      const given = Object.keys(flags).filter((name) => command.getOptionValueSource(name) === 'cli');
      return (await import('./mock/replay.js')).runReplay(flags.replay, flags, given);
    });
}
