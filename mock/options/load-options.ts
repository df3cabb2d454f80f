import { readScenarios } from '../control/read-scenarios.js';
import type { MockService } from '../service.js';
import { isLoaded } from '../service.js';
import { InvalidFile } from './invalid-file.js';
import type { MockOptions } from './mock-options.js';
import {
  isRulesFile,
  needNode,
  noDialectFile,
  noFixturesFile,
  noRulesFile,
  noScenarioFiles,
} from './needs-node.js';

/** Loads what the options name by path, and checks what they give as objects. Rejects with InvalidFile, UnknownName or TypeError. */
export async function loadOptions(options: MockOptions, service: MockService): Promise<void> {
  await loadDialects(options, service);
  const { fixtures, network, scenarios = [] } = options;
  if (typeof fixtures === 'object') {
    const { checkFixtures } = await import('../fixtures/read-fixtures.js');
    checkFixtures(fixtures);
  }
  if (typeof fixtures === 'string') {
    needNode(() => noFixturesFile(fixtures));
    const { loadFixtures } = await import('./files.js');
    service.fixtures = await loadFixtures(fixtures);
  }
  if (typeof network === 'string') {
    if (isRulesFile(network)) needNode(() => noRulesFile(network));
    const { loadNetworkRules } = await import('./files.js');
    service.setInitialNetwork(await loadNetworkRules(network));
  }
  const paths = scenarios.filter((each) => typeof each === 'string');
  if (paths.length > 0) {
    needNode(() => noScenarioFiles(paths));
    const { loadScenarioFiles } = await import('./files.js');
    service.scenarios.add(await loadScenarioFiles(paths));
  }
  const objects = scenarios.filter((each) => typeof each === 'object' && !isLoaded(each));
  if (objects.length > 0) {
    const { scenarios: read, problems } = await readScenarios(objects, undefined);
    if (problems.length > 0) throw new InvalidFile(problems);
    service.scenarios.add(read);
  }
}

async function loadDialects({ dialect }: MockOptions, service: MockService): Promise<void> {
  const choices = [dialect ?? []].flat();
  const named = choices.find((each) => typeof each === 'string');
  if (named === undefined) return;
  needNode(() => noDialectFile(named));
  const { loadDialect } = await import('./files.js');
  service.setDialect(
    await Promise.all(choices.map((each) => (typeof each === 'string' ? loadDialect(each) : each))),
  );
}
