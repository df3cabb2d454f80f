import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { loadFunction } from '../../conformance/client/run/function-module.js';
import type { Client } from '../../conformance/client/types.js';
import { readCommandName } from '../../conformance/common/command-name.js';
import { formatCommandLine } from '../../conformance/common/shell.js';
import { EXIT, UsageError } from '../exit-codes.js';
import type { ExploreFlags } from '../explore.js';
import type { TimeMode } from '../values.js';

/** Commands that start Node.js. */
const NODE = new Set(['node', 'nodejs', 'npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'tsx', 'ts-node']);

/** Throws UsageError if there is no command, or if it cannot be started. */
export function resolveClient(
  command: readonly string[],
  time: TimeMode | undefined,
  subcommand: string,
): Client {
  const [program] = command;
  if (program === undefined) {
    throw new UsageError(
      `which client? Give its command behind --: ${readCommandName()} ${subcommand} -- node client.mjs (${readCommandName()} client --init node writes one to start from)`,
    );
  }
  if (!canRun(program)) {
    const why = existsSync(program)
      ? 'it is no program. Make it executable, or put its interpreter before it.'
      : 'there is no such program. Correct its name, or give its path.';
    throw new UsageError(`the client cannot be started: ${program}: ${why}`, EXIT.unreachable);
  }
  const startsNode = NODE.has(basename(program).replace(/\.(exe|cmd)$/i, ''));
  if (time === 'virtual' || (time === 'auto' && startsNode)) return { kind: 'node', command };
  const timeOfAdapter = time === 'auto' ? 'virtual' : time;
  return { kind: 'command', command, ...(timeOfAdapter && { timeOfAdapter }) };
}

function canRun(program: string): boolean {
  const places = /[\\/]/.test(program)
    ? [program]
    : (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory || '.', program));
  return places.some(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The client of a search. */
export interface ClientSource {
  client: Client;
  /** Its name in reports. */
  name: string;
  /** Its words on a command line. */
  words: string[];
}

/** A command, or a function in a module. Throws UsageError. */
export async function resolveClientSource(
  command: readonly string[],
  flags: ExploreFlags,
): Promise<ClientSource> {
  if (flags.function === undefined) {
    return {
      client: resolveClient(command, flags.time ?? 'auto', 'explore'),
      name: formatCommandLine(command),
      words: ['--', ...command],
    };
  }
  if (command.length > 0)
    throw new UsageError(`--function: leave the command out (${formatCommandLine(command)}).`);
  if (flags.time === 'real')
    throw new UsageError('--time real: a function is run on virtual time; leave --time out.');
  return {
    client: await loadClientFunction(flags.function),
    name: flags.function,
    words: ['--function', flags.function],
  };
}

/** The client function in a module: its export `run`, or its default export. Throws UsageError. */
export async function loadClientFunction(file: string): Promise<Client> {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`--function: ${file}: there is no such file.`);
  const { run, exports } = await loadFunction(path).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = /\.[cm]?tsx?$/.test(file) ? '; compile it first, or start taskdouble with tsx' : '';
    throw new UsageError(`--function: ${file} could not be loaded: ${reason}${advice}.`);
  });
  if (run === undefined) {
    const names = exports.join(', ') || 'nothing';
    throw new UsageError(
      `--function: ${file}: expected a function as "export async function run({ baseUrl, apiKey, fetch, signal, job })" or as its default export; it exports ${names}.`,
    );
  }
  return { kind: 'function', run, name: basename(file), module: path };
}
