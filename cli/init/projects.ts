import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SCENARIO_SCHEMA } from './new-scenario.js';
import type { FileTemplate } from './write-template.js';

/** A kind of project, and what `init` writes into it. */
export interface ProjectKind {
  /** Files that show the kind: one is enough. */
  shownBy: readonly string[];
  /** By path in the project. */
  files: Readonly<Record<string, FileTemplate>>;
  /** What starts the adapter; undefined where a test plays the scenario. */
  client?: string;
}

export const FIRST_TEST = 'test/taskdouble.test.mjs';
const CONFIG = 'taskdouble.config.yaml';
const SCENARIO = 'scenarios/lost-reply.yaml';
const WORKFLOW = '.github/workflows/taskdouble.yml';
const scenario = { name: 'scenario.yaml', words: { TITLE: 'The response to a reply is lost' } };

/** Only such a project has npm, and node_modules, where editors find the schemas. */
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

export function detectProjectKind(directory: string): ProjectKind {
  const isDetected = ({ shownBy }: ProjectKind) => shownBy.some((file) => existsSync(join(directory, file)));
  return [NODE, PYTHON, GO].find(isDetected) ?? OTHER;
}
