import { readCommandName } from '../conformance/common/command-name.js';
import { readDisplay, wrapText } from '../conformance/report/terminal.js';
import { findNearest, formatSuggestion } from '../spec/nearest.js';
import { classifyError, UsageError } from './exit-codes.js';
import { printError } from './print.js';
import { type AnyCommand, Command } from './typed-commander.js';

/** The summary of each subcommand, and its module, which is loaded on demand: start-up time counts. */
const SUBCOMMANDS: Readonly<Record<string, [summary: string, load: () => Promise<AnyCommand>]>> = {
  init: ['write the first files of a project', async () => (await import('./init.js')).createInitCommand()],
  mock: ['start the mock service', async () => (await import('./mock.js')).createMockCommand()],
  conform: ['test a service', async () => (await import('./conform.js')).createConformCommand()],
  client: ['test a client', async () => (await import('./client.js')).createClientCommand()],
  explore: ['search a client for races', async () => (await import('./explore.js')).createExploreCommand()],
  proxy: [
    'forward and judge traffic between a client and a service',
    async () => (await import('./proxy.js')).createProxyCommand(),
  ],
  check: ['judge recordings', async () => (await import('./check.js')).createCheckCommand()],
  view: [
    'show recordings, reports and races in studio',
    async () => (await import('./view.js')).createViewCommand(),
  ],
  timeline: ['print recordings as text', async () => (await import('./timeline.js')).createTimelineCommand()],
  explain: [
    'explain a rule, a requirement, an exit code, …',
    async () => (await import('./explain.js')).createExplainCommand(),
  ],
  'merge-reports': [
    'merge the reports of shards',
    async () => (await import('./merge-reports.js')).createMergeReportsCommand(),
  ],
  scenarios: [
    'list, validate and draw scenarios, make them from recordings',
    async () => (await import('./scenarios.js')).createScenariosCommand(),
  ],
  mcp: [
    'serve the Model Context Protocol to an agent',
    async () => (await import('./mcp.js')).createMcpCommand(),
  ],
  new: ['write a scenario to start from', async () => (await import('./new.js')).createNewCommand()],
};

const EXAMPLES = `
Examples:
  taskdouble init                       write a first scenario, what plays it, a configuration and a CI job
  taskdouble mock                       start the mock service on port 4010
  taskdouble mock --help                its options
  taskdouble conform URL --api-key KEY  test a service
  taskdouble client -- node client.mjs  test a client
  taskdouble explore -- node client.mjs search a client for races
  taskdouble proxy URL                  forward and judge traffic
  taskdouble check traffic.har          judge a recording
  taskdouble view traffic.har           show a recording in a browser
  taskdouble timeline bug.jsonl         print a recording
  taskdouble explain replies/once       explain a rule
  taskdouble merge-reports shards/      one report from those of shards
  taskdouble mcp                        serve an agent on stdin and stdout
  taskdouble scenarios list             list the scenarios of the library`;

/** Runs a command; sets `process.exitCode`. Does not throw. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    const program = await createProgram(args);
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    const { code, line } = classifyError(error);
    if (line !== undefined) printError(line);
    // Not process.exit(): output may still be in a pipe.
    process.exitCode = code;
  }
}

async function createProgram(all: readonly string[]): Promise<AnyCommand> {
  // The arguments after -- are the command of a client.
  const args = all.includes('--') ? all.slice(0, all.indexOf('--')) : all;
  const program = new Command('taskdouble')
    .description('Mock server and protocol test harness of the Browser Automation Task Service API.')
    .addHelpText('after', EXAMPLES);
  if (args.includes('--version') || args.includes('-V')) {
    program.version((await import('../conformance/common/version.js')).VERSION);
  } else program.option('-V, --version', 'print the version');
  const [first, second] = args.filter((arg) => !arg.startsWith('-'));
  const requested = first === 'help' ? second : first;
  // The script that `completion` prints calls `complete` for suggestions: both need the options of every subcommand.
  const isCompletion = requested === 'completion' || requested === 'complete';
  for (const [name, [summary, load]] of Object.entries(SUBCOMMANDS)) {
    program.addCommand(
      name === requested || isCompletion ? await load() : new Command(name).description(summary),
    );
  }
  if (isCompletion) (await import('./completion.js')).addCompletion(program);
  else program.addCommand(new Command('completion').description('print a completion script for a shell'));
  if (first === 'help' && second !== undefined) rejectUnknownHelp(program, second);
  return reportUsageErrors(program);
}

/** Commander would show the general help for `help moc`. Throws UsageError. */
function rejectUnknownHelp(program: AnyCommand, name: string): void {
  const names = program.commands.map((command) => command.name());
  if (names.includes(name)) return;
  const advice = formatSuggestion(name, names, `expected one of ${names.join(', ')}`);
  throw new UsageError(`help: there is no command "${name}"${advice}`);
}

/** Makes commander report wrong usage in one line on stderr and throw instead of exiting. */
function reportUsageErrors(command: AnyCommand): AnyCommand {
  command.exitOverride().configureOutput({
    outputError: (text) => printError(formatUsageError(text, command)),
    writeOut: (text) => process.stdout.write(wrapProse(text)),
  });
  for (const child of command.commands) reportUsageErrors(child);
  return command;
}

/** Commander wraps its own parts of a help, but not the text after it. Examples are indented, and stay as they are. */
function wrapProse(text: string): string {
  const { columns } = readDisplay(process.stdout);
  return text.replace(/^\S.*/gm, (line) => wrapText(line, columns, 0));
}

/** Joins commander's lines: `error: unknown option '--prt'` and `(Did you mean --port?)`. */
function formatUsageError(text: string, command: AnyCommand): string {
  const line = text
    .replace(/^error: /, '')
    // The value of a misspelled option may be a key.
    .replace(/^(unknown option '[^'=]*)=.*?'(?= \(|\s|$)/s, "$1'")
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(
      /(?:argument|value) '(.*)' is invalid(?: for .*)?\. Allowed choices are (.*)\.$/,
      (message, typed, choices) => {
        const meant = findNearest(typed, choices.split(', '));
        return meant === undefined ? message : `${message} (Did you mean ${meant}?)`;
      },
    );
  return `${line} (see "${formatCommandPath(command)} --help")`;
}

function formatCommandPath(command: AnyCommand): string {
  return command.parent ? `${formatCommandPath(command.parent)} ${command.name()}` : readCommandName();
}
