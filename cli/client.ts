import { Command, Option } from 'commander';
import { LANGUAGES, type Language } from './client/languages.js';
import { TIMES, type Time } from './judging/client-command.js';
import { collect, concurrency, duration, seed } from './values.js';

/** The options of `taskdouble client`, parsed. */
export interface ClientFlags {
  scenario?: string[];
  /** ms */
  timeout?: number;
  jobs?: number;
  time: Time;
  report?: string[];
  baseline?: string;
  seed?: number;
  strict?: boolean;
  har?: string;
  init?: Language;
}

const EXAMPLES = `
Examples:
  taskdouble client --init node                          writes adapter.mjs to start from
  taskdouble client -- node adapter.mjs                  every scenario
  taskdouble client --scenario 'races/*' -- python3 adapter.py
  taskdouble client --scenario my-scenario.yaml -- npx tsx adapter.ts
  taskdouble client --report junit=out.xml --baseline known.yaml -- ./adapter --url {base_url}

The command is run once a scenario, with TASKDOUBLE_BASE_URL, TASKDOUBLE_API_KEY, TASKDOUBLE_SCENARIO and TASKDOUBLE_JOB (JSON:
what to do). The last line of its stdout is JSON that says what came of it. {base_url} in its arguments is replaced.
Exit codes: 0 conforms, 1 a rule is broken, 2 wrong usage, 3 nothing could be tested, 4 a fault of taskdouble itself.`;

/** `taskdouble client`: judges a client. */
export function clientCommand(): Command {
  return new Command('client')
    .description(
      'Judge a client: play the service, hold what the client does and says against the rules of the API.',
    )
    .argument('[command...]', 'the client, behind --')
    .option(
      '--scenario <name|glob|file>',
      'what is played, repeatable; the whole library unless given',
      collect,
    )
    .option(
      '--timeout <duration>',
      'until the client has to be through with a scenario (15s unless given)',
      duration,
    )
    .option('--jobs <n>', 'scenarios at a time (4 unless given)', concurrency)
    .addOption(
      new Option('--time <kind>', 'whose time runs take; auto: virtual where the command starts Node.js')
        .choices(TIMES)
        .default('real'),
    )
    .option(
      '--report <format[=path]>',
      'pretty (to stdout unless given), json, junit, tap, html, markdown, ctrf, badge; repeatable',
      collect,
    )
    .option('--baseline <file>', 'known failures, each with a reason and an expiry')
    .option('--seed <n>', 'decides whatever is drawn (1 unless given)', seed)
    .option('--strict', 'an inconclusive check counts as failed')
    .option('--har <file>', 'write all exchanges as HAR, keys redacted')
    .addOption(
      new Option('--init <language>', 'no run: write an adapter to start from, to the path given').choices(
        LANGUAGES,
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (command: string[], flags: ClientFlags) => {
      if (flags.init !== undefined) await (await import('./client/init.js')).writeAdapter(command, flags);
      else await (await import('./client/run.js')).runClient(command, flags);
    });
}
