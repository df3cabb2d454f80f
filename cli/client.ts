import { constants, copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCommandName } from '../conformance/common/command-name.js';
import { formatCommandLine } from '../conformance/common/shell.js';
import { makeDirectory } from '../conformance/report/make-directory.js';
import { findPackageRoot } from '../scenarios/format/library/package-root.js';
import { rejectOtherOptions, UsageError } from './exit-codes.js';
import { print } from './print.js';
import { type AnyCommand, Command, type InferFlags, Option } from './typed-commander.js';
import {
  ALL,
  BASELINE,
  CONFIG,
  collect,
  createTimeOption,
  LACKS,
  parseBound,
  parseConcurrency,
  parseDurationMs,
  parseSeed,
  REPORT,
  RETRIES,
  SHARD,
  STRICT,
  UPDATE_BASELINE,
  WRITE_BASELINE,
} from './values.js';

const LANGUAGES = ['node', 'python', 'typescript', 'go'] as const;
export type AdapterLanguage = (typeof LANGUAGES)[number];

const EXAMPLES = `
Examples:
  taskdouble client --init node                          write adapter.mjs to start from
  taskdouble client -- node adapter.mjs                  every scenario
  taskdouble client --scenario 'races/*' -- python3 adapter.py
  taskdouble client --scenario my-scenario.yaml -- npx tsx adapter.ts
  taskdouble client --lacks sessions --lacks cancel -- node adapter.mjs
  taskdouble client --shard 2/4 --report json=shards/2.json -- node adapter.mjs
  taskdouble client --search 200 -- node adapter.mjs     every scenario, and 200 generated conversations
  taskdouble client --report junit=out.xml --baseline known.yaml -- ./adapter --url {base_url}

The command runs once for each scenario (a persistent adapter once for many), with TASKDOUBLE_BASE_URL, TASKDOUBLE_API_KEY, TASKDOUBLE_SCENARIO and TASKDOUBLE_JOB
(JSON: what to do). The last line of its stdout is its result as JSON. {base_url} in its arguments is replaced.
Exit codes: 0 conforms, 1 a rule is broken, 2 wrong usage, 3 nothing could be tested, 4 a fault of taskdouble itself.`;

export type ClientFlags = InferFlags<typeof declareClient>;

function declareClient() {
  return new Command('client')
    .description('Test a client: act as the service, and check every request and result of the client.')
    .argument('[command...]', 'the command that starts the client, after --')
    .option('--scenario <name|glob|file>', 'scenarios to play, repeatable (default: all)', collect)
    .option('--exclude <glob>', 'scenarios to leave out, repeatable', collect)
    .option(...LACKS)
    .option(...CONFIG)
    .option(
      '--timeout <duration>',
      'time limit of the client for a scenario (default: what it needs if it polls every 10 s)',
      parseDurationMs,
    )
    .option(
      '--jobs <n>',
      'scenarios in parallel (default: 8 in real time, 4 in virtual time)',
      parseConcurrency,
    )
    .addOption(createTimeOption('real; with --search, auto for an adapter'))
    .option(...REPORT)
    .option(...ALL)
    .option(...BASELINE)
    .option(...WRITE_BASELINE)
    .option(...UPDATE_BASELINE)
    .option('--seed <n>', 'seed of all random choices (default: 1)', parseSeed)
    .option(
      '--search <n>',
      'generated conversations to play in addition to the scenarios (default: none)',
      parseBound,
    )
    .option(
      '--search-time <duration>',
      'time limit of the generated conversations (default: none)',
      parseDurationMs,
    )
    .option('--out <dir>', 'directory for the failures that a search finds', 'taskdouble-races')
    .option(...SHARD)
    .option(...RETRIES)
    .option(...STRICT)
    .option('--har <file>', 'write all exchanges as HAR, keys redacted')
    .addOption(new Option('--init <language>', 'write an adapter to start from, and exit').choices(LANGUAGES))
    .addHelpText('after', EXAMPLES);
}

export function createClientCommand(): AnyCommand {
  return declareClient().action(async (words, flags, command) => {
    const { init } = flags;
    if (init === undefined) return (await import('./run-client.js')).runClient(words, flags);
    rejectOtherOptions(command, '--init makes no run', ['--init']);
    return writeAdapter(init, words);
  });
}

/** The adapter of each language, and the command that starts it. */
const ADAPTERS: Readonly<Record<AdapterLanguage, { file: string; start: readonly string[] }>> = {
  node: { file: 'adapter.mjs', start: ['node'] },
  python: { file: 'adapter.py', start: ['python3'] },
  typescript: { file: 'adapter.ts', start: ['npx', 'tsx'] },
  go: { file: 'adapter.go', start: ['go', 'run'] },
};

/** Prints the next command. Throws UsageError, also if the file exists. */
async function writeAdapter(language: AdapterLanguage, operands: readonly string[]): Promise<void> {
  const { file, start } = ADAPTERS[language];
  if (operands.length > 1) {
    throw new UsageError(
      `--init: expected one path for the adapter at most; found ${formatCommandLine(operands)}.`,
    );
  }
  const path = operands[0] ?? file;
  copy(join(findPackageRoot(), 'fixtures/adapters', file), path);
  const line = `${readCommandName()} client -- ${formatCommandLine([...start, path])}`;
  await print(
    `${path} is written. It works without changes. Test it:\n\n  ${line}\n\nThen replace its requests with calls of your client, and run the command again.\n`,
  );
}

function copy(from: string, to: string): void {
  try {
    makeDirectory(dirname(to));
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it is there already; remove it, or name another path' : message;
    throw new UsageError(`--init: ${to} cannot be written: ${why}.`);
  }
}
