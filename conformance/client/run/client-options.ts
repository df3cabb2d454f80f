import { existsSync } from 'node:fs';
import { loadScenarioFiles } from '../../../mock/options/files.js';
import { UnknownName } from '../../../scenarios/format/invalid-file.js';
import { loadLibrary } from '../../../scenarios/format/library/library.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { findNearest } from '../../../spec/nearest.js';
import { readCommandName } from '../../common/command-name.js';
import { formatCommandLine } from '../../common/shell.js';
import { parseGlob } from '../../common/text.js';
import { findGeneratedConversation } from '../generate/generate-scenario.js';
import type { Client, ClientFunction } from '../types.js';

/** A client: a `Client` object, a function (in process, on virtual time), or the words of a command (in real time). */
export type GivenClient = Client | ClientFunction | readonly string[];

/** Scenarios, names or globs of library scenarios, names of generated ones (`generated/1-17`), or paths of files and directories. */
export type GivenScenarios = readonly (Scenario | string)[];

/** Throws TypeError if there is no client, or one of an unknown kind. */
export function resolveClient(given: GivenClient): Client {
  if (typeof given === 'function') return { kind: 'function', run: given, name: given.name || 'run' };
  if (Array.isArray(given) && given.length > 0 && given.every((word) => typeof word === 'string'))
    return { kind: 'command', command: given };
  const spelled = given as Client | undefined;
  if (spelled?.kind === 'function' && typeof spelled.run === 'function') return spelled;
  if ((spelled?.kind === 'node' || spelled?.kind === 'command') && Array.isArray(spelled.command))
    return spelled;
  throw new TypeError(
    'client: expected a function, the words of a command such as ["node", "client.mjs"], or { kind: "function" | "node" | "command", ... }',
  );
}

/**
 * Returns each scenario once. `more`: scenarios that can be named in addition to the library. Throws UnknownName for an unknown name,
 * InvalidFile for a file with errors.
 */
export async function resolveScenarios(
  given: GivenScenarios,
  more: readonly Scenario[] = [],
): Promise<Scenario[]> {
  const library = given.some((each) => typeof each === 'string') ? [...(await loadLibrary()), ...more] : [];
  const found = await Promise.all(
    given.map((each) => (typeof each === 'string' ? findScenarios(each, library) : [each])),
  );
  return [...new Map(found.flat().map((scenario) => [scenario.name, scenario])).values()];
}

export function excludeScenarios(scenarios: readonly Scenario[], exclude: readonly string[]): Scenario[] {
  const globs = exclude.map(parseGlob);
  return scenarios.filter(({ name }) => !globs.some((glob) => glob.test(name)));
}

async function findScenarios(requested: string, library: readonly Scenario[]): Promise<Scenario[]> {
  const glob = parseGlob(requested);
  const fitting = library.filter(({ name }) => glob.test(name));
  if (fitting.length > 0) return fitting;
  const generated = findGeneratedConversation(requested);
  if (generated) return [generated.scenario];
  if (!existsSync(requested) && !/\.(ya?ml|json)$/.test(requested))
    throw createScenarioError(requested, library);
  const loaded = await loadScenarioFiles([requested]);
  if (loaded.length === 0) throw new UnknownName(`there is no scenario in ${requested}.`);
  return loaded;
}

/** `where`: what lists the scenarios, if no name is near. */
export function createScenarioError(
  requested: string,
  known: readonly Pick<Scenario, 'name'>[],
  where = `"${readCommandName()} scenarios list" shows those there are`,
): UnknownName {
  const names = known.map(({ name }) => name);
  const globs = [...new Set(names.map((name) => `${name.split('/')[0]}/*`))];
  const meant =
    findNearest(requested, requested.includes('*') ? globs : names) ??
    names.find((name) => name.endsWith(`/${requested}`));
  const advice = meant
    ? `did you mean "${meant}"?`
    : `${where}; a file or a glob such as "races/*" can be played too.`;
  return new UnknownName(`there is no scenario "${requested}"; ${advice}`);
}

/** The command, or the name of the function. */
export function formatClientName(client: Client): string {
  if (client.kind !== 'function') return formatCommandLine(client.command);
  return client.name ?? (client.run.name || 'a function');
}

/** The command line that repeats a scenario; undefined for functions. */
export function formatRepeatCommand(
  client: Client,
  { name, file }: Pick<Scenario, 'name' | 'file'>,
  seed: number,
): string | undefined {
  if (client.kind === 'function') return undefined;
  // Scenarios of the package are referenced by name.
  const what = file !== undefined && !file.startsWith('scenarios/') ? file : name;
  const time = client.kind === 'command' ? '' : ' --time virtual';
  return `${readCommandName()} client --scenario ${formatCommandLine([what])}${seed === 1 ? '' : ` --seed ${seed}`}${time} -- ${formatClientName(client)}`;
}
