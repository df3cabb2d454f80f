import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { isUnpacked, readCommandName } from '../conformance/common/command-name.js';
import { formatCommandLine } from '../conformance/common/shell.js';
import { VERSION } from '../conformance/common/version.js';
import { findPackageRoot } from '../scenarios/format/library/package-root.js';
import { UsageError } from './exit-codes.js';
import { print } from './print.js';
import { type AnyCommand, Command } from './typed-commander.js';
import { type FileTemplate, SCENARIO_SCHEMA, writeTemplate } from './write-template.js';

const EXAMPLES = `
Examples:
  taskdouble init           in the root of your project
  taskdouble init my-app    in another directory`;

export function createInitCommand(): AnyCommand {
  return new Command('init')
    .description(
      'Write a scenario, what plays it (a test, or an adapter in Python), a configuration and a CI job. Existing files are left as they are.',
    )
    .argument('[directory]', 'root of your project', '.')
    .addHelpText('after', EXAMPLES)
    .action(initProject);
}

/** A kind of project, and the files that `init` writes into it. */
interface ProjectKind {
  /** The project is of this kind if it has one of these files. */
  shownBy: readonly string[];
  /** By path in the project. */
  files: Readonly<Record<string, FileTemplate>>;
  /** The command that starts the adapter; undefined if a test plays the scenario. */
  client?: string;
}

const FIRST_TEST = 'test/taskdouble.test.mjs';
const CONFIG = 'taskdouble.config.yaml';
const SCENARIO = 'scenarios/lost-reply.yaml';
const WORKFLOW = '.github/workflows/taskdouble.yml';
/** A file of each release. */
const TARBALL = `./taskdouble-${VERSION}.tgz`;
const scenario = { name: 'scenario.yaml', words: { TITLE: 'The response to a reply is lost' } };

/** Only this kind names schemas: editors find them in node_modules. */
const NODE: ProjectKind = {
  shownBy: ['package.json'],
  files: {
    [CONFIG]: { name: 'taskdouble.config.yaml', schema: 'conformance/config/config.schema.json' },
    [SCENARIO]: { ...scenario, schema: SCENARIO_SCHEMA },
    [FIRST_TEST]: { name: 'first-test.mjs' },
    [WORKFLOW]: { name: 'workflow.yaml' },
  },
};

/** `setup`: the lines of the workflow that install the language. */
function createClientProject(
  shownBy: readonly string[],
  client: string,
  setup: readonly string[],
): ProjectKind {
  const words = { SETUP: setup.join('\n      '), CLIENT: client };
  return {
    shownBy,
    files: {
      [CONFIG]: { name: 'client-config.yaml' },
      [SCENARIO]: scenario,
      [WORKFLOW]: { name: 'client-workflow.yaml', words },
    },
    client,
  };
}

const python = createClientProject(
  ['pyproject.toml', 'requirements.txt', 'setup.py', 'setup.cfg'],
  'python3 adapter.py',
  [
    '- uses: actions/setup-python@v5',
    "  with: { python-version: '3.x' }",
    '# Install here what your client needs, for example: pip install -r requirements.txt',
  ],
);
const PYTHON = { ...python, files: { ...python.files, 'adapter.py': { name: '../adapters/adapter.py' } } };

const GO = createClientProject(['go.mod'], 'go run ./adapter', [
  '- uses: actions/setup-go@v5',
  '  with: { go-version-file: go.mod }',
]);

const OTHER = createClientProject([], './adapter', ['# Install here what your client needs.']);

function detectProjectKind(directory: string): ProjectKind {
  const isDetected = ({ shownBy }: ProjectKind) => shownBy.some((file) => existsSync(join(directory, file)));
  return [NODE, PYTHON, GO].find(isDetected) ?? OTHER;
}

/** Prints what it wrote, and the next commands. Throws UsageError. */
async function initProject(directory: string): Promise<void> {
  if (existsSync(directory) && !statSync(directory).isDirectory())
    throw new UsageError(`init: expected a directory, and ${directory} is a file.`);
  const kind = detectProjectKind(directory);
  const lines = Object.entries(kind.files).map(([path, template]) => {
    const isWritten = writeTemplate(template, join(directory, path));
    return isWritten ? `${path} is written.` : `${path} exists already, and is left as it is.`;
  });
  await print(`${lines.join('\n')}\n\nNext:\n\n${listNextLines(kind, directory).join('\n')}\n`);
}

function listNextLines({ client, files }: ProjectKind, directory: string): string[] {
  const change = resolve(directory) === process.cwd() ? [] : [formatCommandLine(['cd', directory])];
  const commands = client === undefined ? listTestCommands(directory) : listClientCommands(client, directory);
  const lines = [...change, ...commands].map((line) => `  ${line}`);
  if (isUnpacked())
    lines.push('', `The tests and the CI job install ${TARBALL}: copy it here from the release.`);
  if (client === undefined || 'adapter.py' in files) return lines;
  const guide = join(findPackageRoot(), 'docs/judge-a-client.md');
  return [...lines, '', `Before that, write the adapter that "${client}" starts: see ${guide}`];
}

function listTestCommands(directory: string): string[] {
  const missing = [
    ...(isInstalled('vitest', directory) ? [] : ['vitest']),
    // The package is in no registry: its name alone could install another package.
    ...(isInstalled('taskdouble', directory) ? [] : [isUnpacked() ? TARBALL : findPackageRoot()]),
  ];
  return [
    ...(missing.length === 0 ? [] : [formatCommandLine(['npm', 'install', '--save-dev', ...missing])]),
    formatCommandLine(['npx', 'vitest', 'run', FIRST_TEST]),
  ];
}

function listClientCommands(client: string, directory: string): string[] {
  return [
    `${readCommandName(resolve(directory))} client --scenario scenarios -- ${client}`,
    // The tarball that the workflow installs. The running package is built already.
    ...(isUnpacked() ? [] : [formatCommandLine(['npm', 'pack', '--ignore-scripts', findPackageRoot()])]),
  ];
}

function isInstalled(name: string, directory: string): boolean {
  const paths = createRequire(join(resolve(directory), 'x.js')).resolve.paths(name) ?? [];
  return paths.some((path) => existsSync(join(path, name, 'package.json')));
}
