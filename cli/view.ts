import { Command } from 'commander';
import { OPEN } from './open-browser.js';

/** The options of `taskdouble view`, parsed. */
export interface ViewFlags {
  out?: string;
  open?: boolean;
}

const EXAMPLES = `
Examples:
  taskdouble view traffic.jsonl                      serve the page of a journal on a free port of this machine
  taskdouble view traffic.har --open                 the same, and open it in the default browser
  taskdouble view day1.jsonl.gz day2.jsonl.gz        several recordings in one page
  taskdouble view taskdouble-races/NAME.yaml         a race: the run that fails beside the one that does not
  taskdouble view report.json                        a report of conform, client, explore, proxy or check
  taskdouble view bug.jsonl --out bug.html           write one HTML file, for example for a bug report

Exit codes: 0 the page was served or written, 2 wrong usage or not such a file, 3 a recording without a request to this API,
4 a fault of taskdouble itself.`;

/** `taskdouble view`: shows files in studio. */
export function createViewCommand(): Command {
  return new Command('view')
    .description(
      'Look at recordings, reports and races in studio: serve them as a page until Ctrl-C, or write one HTML file.',
    )
    .argument(
      '<file...>',
      'journals (.jsonl) and HAR 1.2 files (.har), also packed with gzip; or a JSON report; or a race of explore (.yaml)',
    )
    .option('--out <file>', 'write one HTML file that needs nothing else, and serve nothing')
    .option(...OPEN)
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], flags: ViewFlags) =>
      (await import('./view/run.js')).runView(files, flags),
    );
}
