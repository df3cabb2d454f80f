import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { splitCommandLine } from '../../conformance/common/shell.js';
import { UnknownName } from '../../scenarios/format/invalid-file.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { SCENARIOS_LISTED, ToolError } from './result.js';

/** What the user has allowed when the server was started. */
export interface Allowances {
  /** Commands of clients. */
  commands: readonly string[];
  /** Addresses of services. */
  services: readonly string[];
  /** The option that allows a command. */
  commandOption: string;
}

/** The given value if it is allowed; without one, the only one that is. Throws ToolError. */
function chooseAllowed(
  argument: string,
  given: string | undefined,
  allowed: readonly string[],
  option: string,
): string {
  if (allowed.length === 0)
    throw new ToolError(
      `No ${argument} is allowed. The user has to start this server with ${option}: ask for it.`,
    );
  if (given === undefined && allowed.length === 1) return allowed[0]!;
  if (given !== undefined && allowed.includes(given)) return given;
  throw new ToolError(
    `${argument}: expected one of ${allowed.map((each) => JSON.stringify(each)).join(', ')}`,
  );
}

/** Throws ToolError. */
export function chooseService(given: string | undefined, { services }: Allowances): string {
  return chooseAllowed('base_url', given, services, '--allow-service');
}

/** The arguments for the command of an allowed client. Throws ToolError. */
export function chooseCommand(given: string | undefined, { commands, commandOption }: Allowances): string[] {
  const command = chooseAllowed('client', given, commands, commandOption);
  const words = splitCommandLine(command);
  if (!words)
    throw new ToolError(`${commandOption} ${JSON.stringify(command)}: a quotation mark is not closed.`);
  return ['--', ...words];
}

/** A path below the working directory, also through symbolic links. Throws ToolError. */
export async function checkPath(path: string): Promise<string> {
  if (path === '' || path.includes('\0')) throw new ToolError(`${JSON.stringify(path)} is no path.`);
  const root = await realpath(process.cwd());
  const target = resolve(root, path);
  const real = await realpath(target).catch(() => target);
  const inside = relative(root, real);
  if (inside.startsWith('..') || resolve(inside) === inside)
    throw new ToolError(
      `${JSON.stringify(path)} is outside the working directory ${root}: give a path below it.`,
    );
  if (inside.startsWith('-')) throw new ToolError(`${JSON.stringify(path)}: a path may not begin with "-".`);
  return inside || '.';
}

/** Names the tools that list scenarios in place of commands, if `error` is about one of the names. */
export async function toScenarioError(error: unknown, names: readonly string[]): Promise<unknown> {
  const { createScenarioError, resolveScenarios } = await import(
    '../../conformance/client/run/client-options.js'
  );
  for (const name of names) {
    const found = await resolveScenarios([name]).catch((problem: unknown) => problem);
    if (found instanceof UnknownName)
      return new ToolError(createScenarioError(name, await loadLibrary(), SCENARIOS_LISTED).message);
  }
  return error;
}

/** Names of scenarios, globs, and files below the working directory, as arguments of a command. Throws ToolError. */
export async function selectScenarios(names: readonly string[]): Promise<string[]> {
  for (const name of names) await checkPath(name);
  return names.flatMap((name) => ['--scenario', name]);
}
