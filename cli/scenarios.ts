import { Command } from 'commander';
import { collect } from './values.js';

const EXAMPLES = `
Examples:
  taskdouble scenarios list
  taskdouble scenarios validate ./scenarios
  taskdouble scenarios draw tool-calls/corrected-input > diagram.mmd`;

/** `taskdouble scenarios`: lists, validates and draws scenarios. */
export function scenariosCommand(): Command {
  const command = new Command('scenarios').description('List, validate and draw scenarios.');
  command
    .command('list [path...]')
    .description('print the name and title of each scenario (default: of the library)')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  taskdouble scenarios list ./scenarios --json')
    .action(async (paths: string[], flags: { json?: boolean }) => {
      await (await import('./scenarios/run.js')).listScenarios(paths, flags);
    });
  command
    .command('validate [path...]')
    .description('print the problems in scenario files as file:line:column (default: of the library)')
    .addHelpText('after', '\nExample:\n  taskdouble scenarios validate ./scenarios/login.yaml')
    .action(async (paths: string[]) => {
      await (await import('./scenarios/run.js')).validateScenarios(paths);
    });
  command
    .command('draw <name>')
    .description('print a Mermaid sequence diagram of one scenario')
    .option('--scenarios <path>', 'file or directory to search before the library, repeatable', collect)
    .addHelpText('after', '\nExample:\n  taskdouble scenarios draw tool-calls/corrected-input')
    .action(async (name: string, flags: { scenarios?: string[] }) => {
      await (await import('./scenarios/run.js')).drawScenario(name, flags.scenarios ?? []);
    });
  return command.addHelpText('after', EXAMPLES);
}
