/**
 * What there is only in Node.js, and what to do in its place. Small and loaded with the page, so that a page that is
 * offline learns it too.
 */

/** Not in a browser: files, ports, the clocks of a process. */
export class NeedsNode extends TypeError {
  override readonly name = 'NeedsNode';
}

function missing(what: string, instead: string): NeedsNode {
  return new NeedsNode(`${what}, which there is only in Node.js; ${instead}`);
}

export function isNode(): boolean {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  return typeof process?.versions?.node === 'string';
}

/** Throws what is missing, where this is no Node.js. To be called before the module is asked for that would need it. */
export function needNode(missing: () => NeedsNode): void {
  if (!isNode()) throw missing();
}

export const noPort = () =>
  missing(
    'mock.listen() opens a port',
    'in a browser hand mock.fetch to the client, or use handlers() of taskdouble/msw.',
  );

export const noScenarioFiles = (paths: readonly string[]) =>
  missing(
    `scenarios: ${JSON.stringify(paths[0])} is the path of a file`,
    'in a browser give scenarios as objects.',
  );

export const noFixturesFile = (path: string) =>
  missing(`fixtures: ${JSON.stringify(path)} is the path of a file`, 'in a browser give an object.');

export const noDialectFile = (name: string) =>
  missing(
    `dialect: ${JSON.stringify(name)} stands for a file`,
    'in a browser give the choices as an object.',
  );

/** Rules in short need no file: `fail 503 of poll`. */
export const isRulesFile = (fileOrSpec: string) => /\.(ya?ml|json)$/.test(fileOrSpec.trim());

export const noRulesFile = (path: string) =>
  missing(
    `network: ${JSON.stringify(path)} is the path of a file`,
    'in a browser give rules as objects or in short.',
  );

export const noTapeFile = (path: string) =>
  missing(`replayMock: ${JSON.stringify(path)} is the path of a file`, 'in a browser give the exchanges.');

export const noLibraryFiles = () =>
  missing(
    'The library of scenarios is read from YAML files where the package was not built',
    'build it first: npm run build.',
  );

export const noVirtualTime = () =>
  missing(
    'mock.time.run makes the time of Node.js virtual',
    "in a browser use createMock({ clock: 'skipping' }).",
  );
