import { Command } from 'commander';
import { collect } from './values.js';

const EXAMPLES = `
Examples:
  taskdouble scenarios list
  taskdouble scenarios validate ./scenarios
  taskdouble scenarios draw tool-calls/corrected-input > diagram.mmd`;

/** `taskdouble scenarios`: what there is, whether it is right, and what it looks like. */
export function scenariosCommand(): Command {
  const command = new Command('scenarios').description('List, validate and draw scenarios.');
  command
    .command('list [path...]')
    .description('name and title of each scenario, of the library unless paths are given')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  taskdouble scenarios list ./scenarios --json')
    .action(async (paths: string[], flags: { json?: boolean }) => {
      await (await import('./scenarios/list.js')).listScenarios(paths, flags);
    });
  command
    .command('validate [path...]')
    .description(
      'what is wrong in scenario files, as file:line:column; of the library unless paths are given',
    )
    .addHelpText('after', '\nExample:\n  taskdouble scenarios validate ./scenarios/login.yaml')
    .action(async (paths: string[]) => {
      await (await import('./scenarios/validate.js')).validateScenarios(paths);
    });
  command
    .command('draw <name>')
    .description('a Mermaid sequence diagram of one scenario')
    .option('--scenarios <path>', 'file or directory to look in before the library, repeatable', collect)
    .addHelpText('after', '\nExample:\n  taskdouble scenarios draw tool-calls/corrected-input')
    .action(async (name: string, flags: { scenarios?: string[] }) => {
      await (await import('./scenarios/draw.js')).drawScenario(name, flags.scenarios ?? []);
    });
  return command.addHelpText('after', EXAMPLES);
}
