import type { Client } from '../../conformance/client/types.js';
import type { ExploreFlags } from '../explore.js';
import { clientOf, commandLine } from '../judging/client-command.js';
import { UsageError } from '../usage-error.js';
import { functionIn } from './function-file.js';

/** The client of a search. */
export interface ClientSource {
  client: Client;
  /** As reports call it. */
  name: string;
  /** What stands for it on a command line. */
  words: string[];
}

/** The client that was named: a command, or a function in a module. Throws UsageError. */
export async function clientFor(command: readonly string[], flags: ExploreFlags): Promise<ClientSource> {
  if (flags.function === undefined) {
    return {
      client: clientOf(command, flags.time, 'explore'),
      name: commandLine(command),
      words: ['--', ...command],
    };
  }
  if (command.length > 0)
    throw new UsageError(`--function: leave the command out (${commandLine(command)}).`);
  if (flags.time === 'real')
    throw new UsageError('--time real: a function is run on virtual time; leave --time out.');
  return {
    client: await functionIn(flags.function),
    name: flags.function,
    words: ['--function', flags.function],
  };
}
