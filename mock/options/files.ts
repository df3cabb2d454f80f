import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { packageRoot } from '../../scenarios/format/library/package-root.js';
import { loadScenarios, readBelow } from '../../scenarios/format/load/load.js';
import { readText } from '../../scenarios/format/load/read-file.js';
import { loadNetwork } from '../../scenarios/format/network/network-file.js';
import type { NetworkRule, Problem, Scenario } from '../../scenarios/format/types.js';
import { nearest } from '../../spec/nearest.js';
import type { Fixtures } from '../fixtures/apply-fixtures.js';
import { readFixtures } from '../fixtures/read-fixtures.js';
import { InvalidFile, UnknownName } from './invalid-file.js';
import { readDialect } from './read-dialect.js';

/** Loads the scenarios of files and directories. Throws InvalidFile with every problem there is. */
export async function loadScenarioFiles(paths: readonly string[]): Promise<Scenario[]> {
  const { scenarios, problems } = await loadScenarios(paths);
  if (problems.length > 0) throw new InvalidFile(problems);
  return scenarios;
}

/** Reads network rules: a file, or their short form. Throws InvalidFile. */
export async function loadNetworkRules(fileOrSpec: string): Promise<NetworkRule[]> {
  const { rules, problems } = loadNetwork(fileOrSpec, 'network');
  if (problems.length > 0) throw new InvalidFile(problems);
  return rules;
}

/** Reads fixtures from a YAML or JSON file. Throws InvalidFile. */
export async function loadFixtures(path: string): Promise<Fixtures> {
  const text = read(path);
  return readFixtures(text, path, readBelow(dirname(realpathSync(path)), path));
}

/** Reads a dialect: a file, or the name of one that comes with the package. Throws InvalidFile or UnknownName. */
export async function loadDialect(fileOrName: string): Promise<Record<string, unknown>> {
  const directory = join(packageRoot(), 'spec/dialects');
  const names = dialectNames(directory);
  if (names.includes(fileOrName)) {
    const path = join(directory, `${fileOrName}.yaml`);
    return readDialect(read(path), path);
  }
  if (!existsSync(fileOrName) && !looksLikeFile(fileOrName)) {
    const meant = nearest(fileOrName, names);
    const advice = meant ? `did you mean "${meant}"?` : `there are ${names.join(', ')}, or give a file.`;
    throw new UnknownName(`there is no dialect "${fileOrName}"; ${advice}`);
  }
  return readDialect(read(fileOrName), fileOrName);
}

function read(path: string): string {
  const problems: Problem[] = [];
  const text = readText(path, problems);
  if (text === undefined) throw new InvalidFile(problems);
  return text;
}

function looksLikeFile(text: string): boolean {
  return extname(text) !== '' || text.includes('/') || text.includes('\\');
}

function dialectNames(directory: string): string[] {
  return readdirSync(directory).map((file) => basename(file, '.yaml'));
}
