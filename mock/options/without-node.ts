/**
 * Stands in for the modules that need Node.js wherever a bundle for browsers is made: the field `browser` of
 * package.json leads here, and so no bundle holds anything of Node.js. Each says what to do instead.
 */

import { loadNetworkText } from '../../scenarios/format/network/network-text.js';
import type { NetworkRule } from '../../scenarios/format/types.js';
import { InvalidFile } from './invalid-file.js';
import {
  isRulesFile,
  noDialectFile,
  noFixturesFile,
  noLibraryFiles,
  noPort,
  noRulesFile,
  noScenarioFiles,
  noTapeFile,
  noVirtualTime,
} from './needs-node.js';

/** In place of `mock/serve/http.js`. */
export const listen: typeof import('../serve/http.js').listen = async () => {
  throw noPort();
};

/** In place of `mock/options/files.js`. */
export const loadScenarioFiles: typeof import('./files.js').loadScenarioFiles = async (paths) => {
  throw noScenarioFiles(paths);
};

export const loadFixtures: typeof import('./files.js').loadFixtures = async (path) => {
  throw noFixturesFile(path);
};

export const loadDialect: typeof import('./files.js').loadDialect = async (name) => {
  throw noDialectFile(name);
};

export const loadNetworkRules: typeof import('./files.js').loadNetworkRules = async (fileOrSpec) => {
  if (isRulesFile(fileOrSpec)) throw noRulesFile(fileOrSpec);
  const { rules, problems } = loadNetworkText(JSON.stringify(fileOrSpec), { file: 'network' });
  if (problems.length > 0) throw new InvalidFile(problems);
  return rules as NetworkRule[];
};

/** In place of `scenarios/format/library/library-files.js`. */
export const readLibraryFiles: typeof import('../../scenarios/format/library/library-files.js').readLibraryFiles =
  async () => {
    throw noLibraryFiles();
  };

/** In place of `mock/journal/replay/read-file.js`. */
export const readTapeFile: typeof import('../journal/replay/read-file.js').readTapeFile = (path) => {
  throw noTapeFile(path);
};

/** In place of `mock/virtual-time/mock-run.js`. */
export const queueRun: typeof import('../virtual-time/mock-run.js').queueRun = async () => {
  throw noVirtualTime();
};

export const runOnMock: typeof import('../virtual-time/mock-run.js').runOnMock = async () => {
  throw noVirtualTime();
};

export const handOver: typeof import('../virtual-time/mock-run.js').handOver = (response) => response;
