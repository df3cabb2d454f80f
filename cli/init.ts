import { Command } from 'commander';

const EXAMPLES = `
Examples:
  taskdouble init           in the root of your project
  taskdouble init my-app    in another directory`;

/** `taskdouble init`: writes the first files of a project. */
export function createInitCommand(): Command {
  return new Command('init')
    .description(
      'Write a scenario, what plays it (a test, or an adapter in Python), a configuration and a CI job. Existing files are left as they are.',
    )
    .argument('[directory]', 'root of your project', '.')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string) => (await import('./init/run.js')).initProject(directory));
}
