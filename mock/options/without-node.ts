/**
 * Stands in for the modules that need Node.js wherever a bundle for browsers is made: the field `browser` of
 * package.json leads here, and so no bundle holds anything of Node.js. `needNode` says what to do before any is called.
 */

import { NeedsNode } from './needs-node.js';

function absent(): never {
  throw new NeedsNode('This bundle was made for browsers: it holds nothing that needs Node.js.');
}

// Of `mock/serve/http.js`.
export const listen = absent;
// Of `mock/options/files.js`.
export const loadScenarioFiles = absent;
export const loadFixtures = absent;
export const loadDialect = absent;
export const loadNetworkRules = absent;
export const readDialect = absent;
export const readFile = absent;
// Of `scenarios/format/library/library-files.js`.
export const readLibraryFiles = absent;
// Of `mock/virtual-time/mock-run.js`.
export const queueRun = absent;
export const runOnMock = absent;
export const handOver = absent;
