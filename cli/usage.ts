import type { Command } from 'commander';
import { printError } from './print.js';

/** Wrong usage that the user can correct: one line on stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** `message`: what was expected, what came, what to do. */
  constructor(message: string) {
    super(message.replace(/\s*\n\s*/g, ' '));
  }
}

/** Reports wrong usage in one line on stderr, then throws instead of exiting. */
export function configure(command: Command): Command {
  command.exitOverride().configureOutput({ outputError: (text) => printError(oneLine(text, command)) });
  for (const child of command.commands) configure(child);
  return command;
}

/** `error: unknown option '--prt'` and `(Did you mean --port?)` stand on two lines otherwise. */
function oneLine(text: string, command: Command): string {
  const said = text
    .replace(/^error: /, '')
    // What stands behind a misspelt option may be a key.
    .replace(/^(unknown option '[^'=]*)=.*?'(?= \(|\s|$)/s, "$1'")
    .trim()
    .replace(/\s*\n\s*/g, ' ');
  return `${said} (see "${pathOf(command)} --help")`;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
