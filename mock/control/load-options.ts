import { InvalidFile } from '../../scenarios/format/invalid-file.js';
import type { MockOptions } from '../options/mock-options.js';
import { isNode, needNode } from '../options/needs-node.js';
import { isLoaded, type MockService } from '../service.js';
import { readRules } from './mock-network.js';
import { readScenarios } from './read-scenarios.js';

/** Loads the files that the options name, and checks the objects that they contain. Rejects with InvalidFile, UnknownName or TypeError. */
export async function loadOptions(options: MockOptions, service: MockService): Promise<void> {
  await loadDialects(options, service);
  const { fixtures, network, scenarios = [] } = options;
  if (typeof fixtures === 'object') {
    const { checkFixtures } = await import('../fixtures/fixtures.js');
    checkFixtures(fixtures);
  }
  if (typeof fixtures === 'string') {
    needFiles('fixtures', fixtures, 'give an object.');
    const { loadFixtures } = await import('../options/files.js');
    service.fixtures = await loadFixtures(fixtures);
  }
  if (network !== undefined) await loadNetwork(network, service);
  const paths = scenarios.filter((each) => typeof each === 'string');
  if (paths.length > 0) {
    needFiles('scenarios', paths[0]!, 'give scenarios as objects.');
    const { loadScenarioFiles } = await import('../options/files.js');
    service.scenarios.addAtStart(await loadScenarioFiles(paths));
  }
  const objects = scenarios.filter((each) => typeof each === 'object' && !isLoaded(each));
  if (objects.length > 0) {
    const { scenarios: read, problems } = await readScenarios(objects, undefined);
    if (problems.length > 0) throw new InvalidFile(problems);
    service.scenarios.addAtStart(read);
  }
}

function needFiles(option: string, path: string, instead: string): void {
  needNode(`${option}: ${JSON.stringify(path)} is the path of a file`, `in a browser ${instead}`);
}

async function loadDialects({ dialect }: MockOptions, service: MockService): Promise<void> {
  const choices = [dialect ?? []].flat();
  const named = choices.find((each) => typeof each === 'string');
  if (named === undefined) return;
  needNode(
    `dialect: ${JSON.stringify(named)} is the name of a file`,
    'in a browser give the choices as an object.',
  );
  const { loadDialect } = await import('../options/files.js');
  service.setDialect(
    await Promise.all(choices.map((each) => (typeof each === 'string' ? loadDialect(each) : each))),
  );
}

/** Loads network rules, given as the path of a file, as shorthand or as objects. */
export async function loadNetwork(
  network: string | object,
  { sharedRules }: Pick<MockService, 'sharedRules'>,
): Promise<void> {
  const isText = typeof network === 'string';
  if (isText && /\.(ya?ml|json)$/.test(network.trim()))
    needFiles('network', network, 'give rules as objects or as shorthand.');
  const { rules, problems } =
    isText && isNode()
      ? (await import('../../scenarios/format/load/load.js')).loadNetwork(network, 'network')
      : await readRules(isText ? JSON.stringify(network) : network, 'network');
  if (problems.length > 0) throw new InvalidFile(problems);
  sharedRules.setInitial(rules);
}
