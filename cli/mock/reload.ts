import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mock } from '../../mock/mock.js';
import { getService } from '../../mock/service.js';
import { describeProblem, InvalidFile } from '../../scenarios/format/invalid-file.js';
import { formatInternalError } from '../exit-codes.js';
import { printError } from '../print.js';

/** Loads files, and returns a message about what was loaded. Throws InvalidFile. */
type FileLoader = () => Promise<string>;

/** Polling interval, ms. */
const CHECK_EVERY_MS = 100;

/**
 * Loads again when a file below `paths` changes, until `signal` is aborted. Resolves when the watch has started. A save touches
 * a file several times: it is read after two polls found the same state.
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
    printError('the files loaded before stay in use until this is corrected.');
  }
}

/** Changes when a file below these paths is written, added or removed. Ignores hidden files and node_modules. */
async function readState(paths: readonly string[]): Promise<string> {
  return (await Promise.all(paths.map((path) => readPathState(path)))).join('\n');
}

/** Does not follow links to directories: they may be circular. */
async function readPathState(path: string, isDirectory = true): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  const own = `${path} ${found?.ino} ${found?.mtimeMs} ${found?.size}`;
  if (!isDirectory || !found?.isDirectory()) return own;
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const below = entries.filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'));
  const states = below.map((entry) => readPathState(join(path, entry.name), entry.isDirectory()));
  return [own, ...(await Promise.all(states))].join('\n');
}

/** Replaces the scenarios that were loaded from files; those that the admin API added stay. */
export async function reloadScenarios(mock: Mock, paths: readonly string[]): Promise<string> {
  const { loadScenarioFiles } = await import('../../mock/options/files.js');
  const loaded = await loadScenarioFiles(paths);
  getService(mock).scenarios.reloadFiles(loaded);
  return `${loaded.length} ${loaded.length === 1 ? 'scenario' : 'scenarios'} loaded again`;
}

export async function reloadFixtures(mock: Mock, path: string): Promise<string> {
  const { loadFixtures } = await import('../../mock/options/files.js');
  getService(mock).fixtures = await loadFixtures(path);
  return 'fixtures loaded again: for organisations that are opened or reset from now on';
}
