import { type AnyCommand, Command } from './typed-commander.js';
import { collect } from './values.js';

const EXAMPLES = `
Examples:
  taskdouble scenarios list
  taskdouble scenarios validate ./scenarios
  taskdouble scenarios draw tool-calls/corrected-input > diagram.mmd
  taskdouble scenarios from traffic.har --out ./scenarios`;

export function createScenariosCommand(): AnyCommand {
  const command = new Command('scenarios').description(
    'List, validate and draw scenarios, and make them from recordings.',
  );
  command
    .command('list [path...]')
    .description('print the name and title of each scenario (default: the library)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  taskdouble scenarios list ./scenarios --json')
    .action(async (paths, flags) => {
      await (await import('./scenarios/run.js')).listScenarios(paths, flags);
    });
  command
    .command('validate [path...]')
    .description('print the problems in scenario files as file:line:column (default: the library)')
    .addHelpText('after', '\nExample:\n  taskdouble scenarios validate ./scenarios/login.yaml')
    .action(async (paths) => {
      await (await import('./scenarios/run.js')).validateScenarios(paths);
    });
  command
    .command('draw <name|file>')
    .description('print a Mermaid sequence diagram of one scenario')
    .option('--scenarios <path>', 'file or directory to search before the library, repeatable', collect)
    .addHelpText('after', '\nExample:\n  taskdouble scenarios draw tool-calls/corrected-input')
    .action(async (name, flags) => {
      await (await import('./scenarios/run.js')).drawScenario(name, flags);
    });
  command
    .command('from <file>')
    .description('make a scenario of each conversation in a recording: a journal or a HAR file')
    .option('--task <id>', 'only this task')
    .option('--out <dir>', 'write a file for each conversation there, and print the paths')
    .addHelpText(
      'after',
      '\nExamples:\n  taskdouble scenarios from traffic.har --out ./scenarios\n  taskdouble scenarios from bug.jsonl --task 3f1c0a9b > bug.yaml',
    )
    .action(async (file, flags) => {
      await (await import('./scenarios/from.js')).writeScenariosFrom(file, flags);
    });
  return command.addHelpText('after', EXAMPLES);
}
