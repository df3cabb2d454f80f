import { InvalidArgumentError } from 'commander';
import {
  ALLOWANCES,
  type Allowance,
  KEY_NAMES,
  type KeyName,
  SUITES,
  type Suite,
} from '../conformance/service/test-case/test-case.js';
import { formatSuggestion } from '../spec/nearest.js';
import { rejectOtherOptions, UsageError } from './exit-codes.js';
import { type AnyCommand, Command, type InferFlags } from './typed-commander.js';
import {
  ALL,
  BASELINE,
  collect,
  LACKS,
  parseBound,
  parseConcurrency,
  parseDurationMs,
  parseSeed,
  parseToken,
  REPORT,
  RETRIES,
  SHARD,
  STRICT,
  UPDATE_BASELINE,
  WRITE_BASELINE,
} from './values.js';

const EXAMPLES = `
Examples:
  taskdouble conform http://127.0.0.1:4010 --api-key demo
  taskdouble conform https://service.example --plan             print what would be sent, send nothing
  taskdouble conform https://service.example --suite polling --only '*#POLL-0*'
  taskdouble conform https://service.example --report junit=junit.xml --report html=report.html
  taskdouble conform https://service.example --search 300       send generated sequences as well
  taskdouble conform https://service.example --shard auto --report json=part.json
  taskdouble conform --compare before.json after.json

The key comes from --api-key or from TASKDOUBLE_API_KEY.
Exit codes: 0 conforms, 1 a rule is broken, 2 wrong usage, 3 nothing could be tested, 4 a fault of taskdouble itself.`;

/** Options that have an effect on a replay. */
const REPLAY_OPTIONS = [
  '--replay',
  '--api-key',
  '--key',
  '--config',
  '--report',
  '--all',
  '--har',
  '--timeout',
  '--seed',
];

/** A flag that is not given is absent: the configuration may set it. */
export type ConformFlags = InferFlags<typeof declareConform>;

function declareConform() {
  return new Command('conform')
    .description('Test a service: act as the client, and check every response against the rules of the API.')
    .argument('[base_url]', 'address of the service; the API is below it at /api/v1')
    .option('--api-key <key>', 'API key (default: TASKDOUBLE_API_KEY)', parseToken)
    .option('--key <name=key>', 'key for more checks, repeatable: other, free, exhausted', collectKey)
    .option(
      '--suite <name>',
      'suite to run, repeatable (default: all but generated sequences); all: those, too',
      collectSuite,
    )
    .option('--only <glob>', 'run only checks whose id matches, repeatable: polling/*, *#POLL-02', collect)
    .option('--exclude <glob>', 'leave out checks whose id matches, repeatable: limits/*', collect)
    .option(...LACKS)
    .option(
      '--allow <name>',
      'allow checks: billing, organisation, destructive; repeatable',
      collectAllowance,
    )
    .option('--plan', 'print what would be sent and how many tasks would be created; send nothing')
    .option('--config <file>', 'options, task texts and tools (default: taskdouble.config.yaml if it exists)')
    .option('--concurrency <n>', 'test cases in parallel (default: 12)', parseConcurrency)
    .option('--timeout <duration>', 'time limit for a task or a result (default: 60s)', parseDurationMs)
    .option(
      '--poll-interval <duration>',
      'first interval between two polls (default: 250ms)',
      parseDurationMs,
    )
    .option(...REPORT)
    .option(...ALL)
    .option(...BASELINE)
    .option(...WRITE_BASELINE)
    .option(...UPDATE_BASELINE)
    .option('--dialect-out <file>', 'write the observed choices to this file, for mock --dialect')
    .option('--lacks-out <file>', 'write what is missing to this file, in the form of the configuration')
    .option(...SHARD)
    .option(...RETRIES)
    .option(...STRICT)
    .option('--har <file>', 'write all exchanges as HAR, keys redacted')
    .option('--seed <n>', 'seed of all random choices (default: random; 1 for a shard; printed)', parseSeed)
    .option(
      '--search <n>',
      'send so many generated sequences as well (default: 0; with --suite all 300)',
      parseBound,
    )
    .option('--search-time <duration>', 'time limit of the generated sequences', parseDurationMs)
    .option(
      '--out <directory>',
      'write the shortest sequences of --search that show failures to this directory',
    )
    .option('--replay <file>', 'send the sequence of this file once, and exit; --out writes such files')
    .option('--compare <report...>', 'compare JSON reports of several runs, and exit')
    .addHelpText('after', EXAMPLES);
}

export function createConformCommand(): AnyCommand {
  return declareConform().action(async (base_url, flags, command) => {
    if (flags.replay !== undefined) {
      rejectOtherOptions(command, '--replay sends one sequence', REPLAY_OPTIONS);
      return (await import('./conform/search.js')).runReplay(flags.replay, base_url, flags);
    }
    if (flags.compare === undefined) return (await import('./conform/run.js')).runConform(base_url, flags);
    const why = '--compare makes no run';
    if (base_url !== undefined) throw new UsageError(`${why}: leave ${base_url} out.`);
    rejectOtherOptions(command, why, ['--compare', '--report']);
    return (await import('./conform/run.js')).compareRuns(flags.compare, flags.report ?? []);
  });
}

const ADDITIONAL_KEYS = KEY_NAMES.filter((name) => name !== 'main');
type AdditionalKeys = Partial<Record<Exclude<KeyName, 'main'>, string>>;

function collectKey(text: string, before: AdditionalKeys = {}): AdditionalKeys {
  const [, name, key] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  // Not InvalidArgumentError: commander would print the value, which is a key.
  if (name === undefined || !key?.trim()) {
    throw new UsageError(`--key: expected NAME=KEY, with NAME one of ${ADDITIONAL_KEYS.join(', ')}.`);
  }
  const known = ADDITIONAL_KEYS.find((each) => each === name);
  if (!known)
    throw new UsageError(`--key: ${describeUnknown(`there is no key "${name}"`, name, ADDITIONAL_KEYS)}`);
  return { ...before, [known]: key };
}

function collectSuite(text: string, before: (Suite | 'all')[] = []): (Suite | 'all')[] {
  return [...before, parseChoice(text, [...SUITES, 'all' as const], 'there is no such suite')];
}

function collectAllowance(text: string, before: Allowance[] = []): Allowance[] {
  return [...before, parseChoice(text, ALLOWANCES, 'there is nothing of that name to allow')];
}

/** `wrong`: the message about an unknown word. */
function parseChoice<T extends string>(text: string, known: readonly T[], wrong: string): T {
  const found = known.find((each) => each === text);
  if (found === undefined) throw new InvalidArgumentError(describeUnknown(wrong, text, known));
  return found;
}

function describeUnknown(wrong: string, text: string, known: readonly string[]): string {
  return wrong + formatSuggestion(text, known, `there are ${known.join(', ')}.`);
}
