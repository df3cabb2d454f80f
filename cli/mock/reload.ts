import type { Mock } from '../../mock/mock.js';
import { serviceOf } from '../../mock/service.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { MockFlags } from '../mock.js';
import { printError } from '../print.js';
import type { Watched } from './watch.js';

/** What is watched for these flags. `say` is told of what has been loaded again; problems go to stderr in any case. */
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
