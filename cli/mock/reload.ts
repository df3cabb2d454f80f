import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mock } from '../../mock/mock.js';
import { getService } from '../../mock/service.js';
import { describeProblem, InvalidFile } from '../../scenarios/format/invalid-file.js';
import { formatInternalError } from '../exit-codes.js';
import { printError } from '../print.js';

/** Loads files, and says in a line what was loaded. Throws InvalidFile. */
type FileLoader = () => Promise<string>;

/** How often files are looked at, ms. */
const CHECK_EVERY_MS = 100;

/**
 * Loads again when something below `paths` changes, until `signal` is aborted. Resolves once no change is missed any more. A save
 * touches a file several times: it is read once two looks have found the same.
 */
export async function reloadOnChange(
  paths: readonly string[],
  load: FileLoader,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let loaded = await readState(paths);
  const watchPaths = async () => {
    for (let before = loaded; ; ) {
      await sleep(CHECK_EVERY_MS, undefined, { ref: false, signal });
      const now = await readState(paths);
      if (now !== loaded && now === before) {
        loaded = now;
        await reload(load, say);
      }
      before = now;
    }
  };
  watchPaths().catch((error) => {
    if (!signal.aborted) printError(formatInternalError(error));
  });
}

async function reload(load: FileLoader, say: (line: string) => void): Promise<void> {
  try {
    say(await load());
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    for (const problem of error.problems) printError(describeProblem(problem));
    printError('what was loaded stays as it was until this is put right.');
  }
}

/** Differs once something below these paths has been written, added or removed. Hidden files and node_modules do not count. */
async function readState(paths: readonly string[]): Promise<string> {
  return (await Promise.all(paths.map((path) => readPathState(path)))).join('\n');
}

/** Links to directories are not followed, as they may lead in circles. */
async function readPathState(path: string, isDirectory = true): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  const own = `${path} ${found?.ino} ${found?.mtimeMs} ${found?.size}`;
  if (!isDirectory || !found?.isDirectory()) return own;
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const below = entries.filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'));
  const states = below.map((entry) => readPathState(join(path, entry.name), entry.isDirectory()));
  return [own, ...(await Promise.all(states))].join('\n');
}

/** Loads the scenarios again: those that came from files make way, those that the admin API added stay. */
export async function reloadScenarios(mock: Mock, paths: readonly string[]): Promise<string> {
  const { loadScenarioFiles } = await import('../../mock/options/files.js');
  const loaded = await loadScenarioFiles(paths);
  const registry = getService(mock).scenarios;
  const names = new Set(loaded.map(({ name }) => name));
  const added = registry
    .list()
    .filter(({ scenario, library }) => !library && scenario.file === undefined && !names.has(scenario.name));
  registry.replace([...added.map(({ scenario }) => scenario), ...loaded]);
  return `${loaded.length} ${loaded.length === 1 ? 'scenario' : 'scenarios'} loaded again`;
}

export async function reloadFixtures(mock: Mock, path: string): Promise<string> {
  const { loadFixtures } = await import('../../mock/options/files.js');
  getService(mock).fixtures = await loadFixtures(path);
  return 'fixtures loaded again: for organisations that are opened or reset from now on';
}
