import tab from '@bomb.sh/tab/commander';
import type * as commander from 'commander';
import type { AnyCommand } from './typed-commander.js';

/** Adds `completion SHELL`, which prints a script, and the hidden `complete`, which that script calls. `program` has every command with its options. */
export function addCompletion(program: AnyCommand): void {
  tab(program as unknown as commander.Command, { completionCommandName: 'completion' });
  const command = program.commands.find((each) => each.name() === 'completion')!;
  command.description('Print a completion script for a shell.').addHelpText(
    'after',
    `
Examples:
  taskdouble completion bash >> ~/.bashrc
  taskdouble completion zsh >> ~/.zshrc
  taskdouble completion fish > ~/.config/fish/completions/taskdouble.fish

The script calls \`taskdouble\`, which must be on the PATH: install the package globally, or put node_modules/.bin there.
For bash it needs the package bash-completion of your system.`,
  );
}
