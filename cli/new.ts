import { Command } from 'commander';

const EXAMPLES = `
Examples:
  taskdouble new scenario checkout              writes scenarios/checkout.yaml
  taskdouble new scenario checkout/lost-reply   writes scenarios/checkout/lost-reply.yaml`;

/** `taskdouble new`: writes a file to start from. */
export function createNewCommand(): Command {
  const command = new Command('new').description('Write a file to start from.');
  command
    .command('scenario <name>')
    .description('write a scenario with one tool call, to start from')
    .option('--dir <dir>', 'directory of your scenarios', 'scenarios')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, { dir }: { dir: string }) =>
      (await import('./init/new-scenario.js')).writeNewScenario(name, dir),
    );
  return command.addHelpText('after', EXAMPLES);
}
