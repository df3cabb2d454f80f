import { join } from 'node:path';
import { readCommandName } from '../conformance/common/command-name.js';
import { toOneLine } from '../spec/visible.js';
import { UsageError } from './exit-codes.js';
import { print } from './print.js';
import { type AnyCommand, Command } from './typed-commander.js';
import { SCENARIO_SCHEMA, writeTemplate } from './write-template.js';

const EXAMPLES = `
Examples:
  taskdouble new scenario checkout              writes scenarios/checkout.yaml
  taskdouble new scenario checkout/lost-reply   writes scenarios/checkout/lost-reply.yaml`;

export function createNewCommand(): AnyCommand {
  const command = new Command('new').description('Write a file to start from.');
  command
    .command('scenario <name>')
    .description('write a scenario with one tool call, to start from')
    .option('--dir <dir>', 'directory of your scenarios', 'scenarios')
    .addHelpText('after', EXAMPLES)
    .action(writeNewScenario);
  return command.addHelpText('after', EXAMPLES);
}

const NAME = /^[\w-]+(\/[\w-]+)*$/;

/** Writes `DIR/NAME.yaml` and prints the next commands. Throws UsageError: an existing file is never overwritten. */
async function writeNewScenario(name: string, { dir }: { dir: string }): Promise<void> {
  if (!NAME.test(name)) {
    throw new UsageError(
      `new scenario: expected a name of letters, digits, "-" and "_", with "/" for folders; found "${toOneLine(name)}".`,
    );
  }
  const path = join(dir, `${name}.yaml`);
  const words = { TITLE: formatTitle(name) };
  if (!writeTemplate({ name: 'scenario.yaml', words, schema: SCENARIO_SCHEMA }, path))
    throw new UsageError(`new scenario: ${path} exists already; remove it, or choose another name.`);
  const start = readCommandName();
  await print(
    `${path} is written. Edit it, then:\n\n  ${start} scenarios validate ${path}\n  ${start} mock --scenarios ${dir}\n`,
  );
}

/** `checkout/lost-reply`: "Lost reply". */
function formatTitle(name: string): string {
  const words = name.split('/').at(-1)!.replace(/[-_]+/g, ' ').trim();
  return JSON.stringify(words.charAt(0).toUpperCase() + words.slice(1));
}
