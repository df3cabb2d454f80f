import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mock } from '../../mock/mock.js';
import { serviceOf } from '../../mock/service.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { MockFlags } from '../mock.js';
import { printError } from '../print.js';

/** What is watched, and what to do when it changes. */
export interface Watched {
  paths: readonly string[];
  reload: () => Promise<void>;
}

/** A save touches a file several times: it is read once it has been still for so long, ms. */
const STILL_MS = 80;
/** How often it is asked whether what is watched is still the same place, ms. */
const SAME_PLACE_EVERY_MS = 250;

/** Watches files and directories; resolves once no change can be missed any more. Returns what ends it. */
export async function watchFiles(watched: readonly Watched[]): Promise<() => Promise<void>> {
  const ends = await Promise.all(watched.map(watchOne));
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

async function watchOne({ paths, reload }: Watched): Promise<() => Promise<void>> {
  const again = oneAtATime(reload);
  let watcher = await arm(paths, again);
  let known = placesOf(paths);
  let ended = false;
  let renewing = Promise.resolve();

  // The system's notices stop with a directory that goes away (a checkout, a build): one that came back is another one.
  const renew = async () => {
    const now = placesOf(paths);
    if (ended || now === known) return;
    known = now;
    await watcher.close();
    watcher = await arm(paths, again);
    again();
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch(() => {
      // It went away again while it was looked at: the next look finds it.
      known = '';
    });
  }, SAME_PLACE_EVERY_MS);
  timer.unref();
  return async () => {
    ended = true;
    clearInterval(timer);
    await renewing;
    await watcher.close();
  };
}

async function arm(paths: readonly string[], again: () => void) {
  const { watch } = await import('chokidar');
  const watcher = watch([...paths], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: STILL_MS, pollInterval: STILL_MS / 4 },
  });
  watcher.on('add', again).on('change', again).on('unlink', again);
  await new Promise<void>((resolve, reject) => watcher.once('ready', resolve).once('error', reject));
  return watcher;
}

/** Differs once a directory is gone, back, or another one. A saved file stands for the directory it is in. */
function placesOf(paths: readonly string[]): string {
  return paths.map(placeOf).join('\n');
}

function placeOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  const directory = found?.isDirectory() ? found : statSync(dirname(path), { throwIfNoEntry: false });
  if (!directory) return 'gone';
  return `${found ? 'here' : 'gone'} ${directory.ino} ${directory.birthtimeMs}`;
}

/** Runs `work`, and once more after it when it was asked for meanwhile. */
function oneAtATime(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => void run();
}

/** What is watched for these flags. `say` is called after each reload; problems go to stderr in any case. */
export function reloads(mock: Mock, flags: MockFlags, say: (line: string) => void): Watched[] {
  const { scenarios = [], fixtures } = flags;
  const watched: Watched[] = [];
  if (scenarios.length > 0) {
    const reload = async () => {
      const { loadScenarioFiles } = await import('../../mock/options/files.js');
      const loaded = await loadScenarioFiles(scenarios);
      replaceLoaded(mock, loaded);
      return `${loaded.length} ${loaded.length === 1 ? 'scenario' : 'scenarios'} loaded again`;
    };
    watched.push({ paths: scenarios, reload: () => attempt(reload, say, 'the scenarios') });
  }
  if (fixtures !== undefined) {
    const reload = async () => {
      const { loadFixtures } = await import('../../mock/options/files.js');
      serviceOf(mock).fixtures = await loadFixtures(fixtures);
      return 'fixtures loaded again: for organisations that are opened or reset from now on';
    };
    watched.push({ paths: [fixtures], reload: () => attempt(reload, say, 'the fixtures') });
  }
  return watched;
}

/** Those that came from files make way for `loaded`; those that the admin API added stay. */
function replaceLoaded(mock: Mock, loaded: readonly Scenario[]): void {
  const registry = serviceOf(mock).scenarios;
  const names = new Set(loaded.map(({ name }) => name));
  const added = registry
    .list()
    .filter(({ scenario, library }) => !library && scenario.file === undefined && !names.has(scenario.name));
  registry.replace([...added.map(({ scenario }) => scenario), ...loaded]);
}

async function attempt(
  reload: () => Promise<string>,
  say: (line: string) => void,
  what: string,
): Promise<void> {
  const { InvalidFile, describeProblem } = await import('../../mock/options/invalid-file.js');
  try {
    say(await reload());
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    for (const problem of error.problems) printError(describeProblem(problem));
    printError(`${what} stay as they were until this is put right.`);
  }
}
