import { Command, Option } from 'commander';
import { deviations, schedules, shard } from './explore/values.js';
import { TIMES, type Time } from './judging/client-command.js';
import { collect, concurrency, duration, seed } from './values.js';

/** The options of `taskdouble explore`, parsed. */
export interface ExploreFlags {
  scenario?: string[];
  schedules?: number;
  deviations?: number;
  seed?: number;
  shard?: { part: number; of: number };
  jobs?: number;
  /** ms */
  timeLimit?: number;
  out: string;
  replay?: string;
  time: Time;
  function?: string;
  report?: string[];
  baseline?: string;
}

const EXAMPLES = `
Examples:
  taskdouble explore -- node client.mjs
  taskdouble explore --scenario 'tool-calls/*' --time-limit 10m -- npx tsx client.ts
  taskdouble explore --function client.mjs --schedules 50000    in this process, which is much faster
  taskdouble explore --shard 2/4 --report junit=out.xml -- python3 client.py
  taskdouble explore --replay taskdouble-races/NAME.yaml -- node client.mjs

The command gets TASKDOUBLE_BASE_URL, TASKDOUBLE_API_KEY, TASKDOUBLE_SCENARIO and TASKDOUBLE_JOB (see "taskdouble client --help").
Exit codes: 0 nothing was found, 1 a failure was found, 2 wrong usage, 3 nothing could be tested, 4 a fault of taskdouble itself.`;

/** `taskdouble explore`: searches a client for races. */
export function exploreCommand(): Command {
  return new Command('explore')
    .description(
      'Search a client for races: bend the order of things until a rule breaks, shrink it, write it down.',
    )
    .argument('[command...]', 'the client, behind --')
    .option(
      '--scenario <name|glob|file>',
      'what is bent, repeatable; a small set with everything in it unless given',
      collect,
    )
    .option('--schedules <n>', 'schedules at most (10000 unless given)', schedules)
    .option(
      '--deviations <k>',
      'deviations in a schedule at most before it gets random (2 unless given)',
      deviations,
    )
    .option('--seed <n>', 'decides whatever is drawn (1 unless given)', seed)
    .option(
      '--shard <i/n>',
      'this part of the schedules only: 1/4, 2/4, ... share the work without overlap',
      shard,
    )
    .option('--jobs <n>', 'commands at a time (2 unless given)', concurrency)
    .option('--time-limit <duration>', 'ends the search (2m unless given)', duration)
    .option('--out <dir>', 'where what was found is written', 'taskdouble-races')
    .option('--replay <file>', 'no search: run this file once, and say what breaks')
    .addOption(
      new Option('--time <kind>', 'whose time runs take; auto: virtual where the command starts Node.js')
        .choices(TIMES)
        .default('auto'),
    )
    .option('--function <file>', 'no command: the client is a function, the export run of this module')
    .option(
      '--report <format[=path]>',
      'pretty (to stdout unless given), json, junit, tap, html, markdown, ctrf, badge; repeatable',
      collect,
    )
    .option('--baseline <file>', 'known failures, each with a reason and an expiry')
    .addHelpText('after', EXAMPLES)
    .action(async (command: string[], flags: ExploreFlags) => {
      if (flags.replay !== undefined) await (await import('./explore/replay.js')).runReplay(command, flags);
      else await (await import('./explore/run.js')).runExplore(command, flags);
    });
}
