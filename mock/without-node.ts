/**
 * Stands in for the modules that need Node.js wherever a bundle for browsers is made: the field `browser` of
 * package.json leads here, and so no bundle holds anything of Node.js. Each says what to do instead.
 */

import { loadNetworkText } from '../scenarios/network-text.js';
import type { NetworkRule } from '../scenarios/types.js';
import { InvalidFile } from './invalid-file.js';

/** Not in a browser: files, ports, the clocks of a process. */
export class NeedsNode extends TypeError {
  override readonly name = 'NeedsNode';
}

function missing(what: string, instead: string): () => never {
  return () => {
    throw new NeedsNode(`${what}, which there is only in Node.js; ${instead}`);
  };
}

/** In place of `mock/serve/http.js`. */
export const listen: typeof import('./serve/http.js').listen = async () =>
  missing(
    'mock.listen() opens a port',
    'in a browser hand mock.fetch to the client, or use handlers() of taskdouble/msw.',
  )();

/** In place of `mock/files.js`. */
export const loadScenarioFiles: typeof import('./files.js').loadScenarioFiles = async (paths) =>
  missing(
    `scenarios: ${JSON.stringify(paths[0])} is the path of a file`,
    'in a browser give scenarios as objects.',
  )();

export const loadFixtures: typeof import('./files.js').loadFixtures = async (path) =>
  missing(`fixtures: ${JSON.stringify(path)} is the path of a file`, 'in a browser give an object.')();

export const loadDialect: typeof import('./files.js').loadDialect = async (name) =>
  missing(
    `dialect: ${JSON.stringify(name)} stands for a file`,
    'in a browser give the choices as an object.',
  )();

/** Rules in short need no file: `fail 503 of poll`. */
export const loadNetworkRules: typeof import('./files.js').loadNetworkRules = async (fileOrSpec) => {
  if (/\.(ya?ml|json)$/.test(fileOrSpec.trim())) {
    missing(
      `network: ${JSON.stringify(fileOrSpec)} is the path of a file`,
      'in a browser give rules as objects or in short.',
    )();
  }
  const { rules, problems } = loadNetworkText(JSON.stringify(fileOrSpec), { file: 'network' });
  if (problems.length > 0) throw new InvalidFile(problems);
  return rules as NetworkRule[];
};

/** In place of `scenarios/library-files.js`. */
export const readLibraryFiles: typeof import('../scenarios/library-files.js').readLibraryFiles = async () =>
  missing(
    'The library of scenarios is read from YAML files where the package was not built',
    'build it first: npm run build.',
  )();

/** In place of `mock/replay/read-file.js`. */
export const readTapeFile: typeof import('./replay/read-file.js').readTapeFile = (path) =>
  missing(`replayMock: ${JSON.stringify(path)} is the path of a file`, 'in a browser give the exchanges.')();

/** In place of `mock/time/context/run-in-context.js`. */
export const runInContext: typeof import('./time/context/run-in-context.js').runInContext = async () =>
  missing(
    'mock.time.run makes the time of Node.js virtual',
    "in a browser use createMock({ clock: 'skipping' }).",
  )();

export const handOverHere: typeof import('./time/context/run-in-context.js').handOverHere = (answer) =>
  answer;
