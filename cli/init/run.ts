import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { commandLine } from '../../conformance/conversation/shell.js';
import { packageRoot } from '../../scenarios/format/library/package-root.js';
import { UsageError } from '../exit-codes.js';
import { print } from '../print.js';
import { SCENARIO_SCHEMA } from './new-scenario.js';
import { type Template, writeTemplate } from './write-template.js';

const TEST = 'test/taskdouble.test.mjs';

/** What `init` writes, by path in the project. */
const FILES: Readonly<Record<string, Template>> = {
  'taskdouble.config.yaml': {
    name: 'taskdouble.config.yaml',
    schema: 'conformance/config/config.schema.json',
  },
  'scenarios/lost-reply.yaml': {
    name: 'scenario.yaml',
    words: { TITLE: 'The response to a reply is lost' },
    schema: SCENARIO_SCHEMA,
  },
  [TEST]: { name: 'first-test.mjs' },
  '.github/workflows/taskdouble.yml': { name: 'workflow.yaml' },
};

/** Writes the first files into a project, and prints what it wrote and the next command. Throws UsageError. */
export async function initProject(directory: string): Promise<void> {
  if (existsSync(directory) && !statSync(directory).isDirectory())
    throw new UsageError(`init: expected a directory, and ${directory} is a file.`);
  const lines = Object.entries(FILES).map(([path, template]) => {
    const isWritten = writeTemplate(template, join(directory, path));
    return isWritten ? `${path} is written.` : `${path} exists already, and is left as it is.`;
  });
  await print(`${lines.join('\n')}\n\nNext:\n\n${nextLines(directory).join('\n')}\n`);
}

function nextLines(directory: string): string[] {
  const missing = [
    ...(isInstalled('vitest', directory) ? [] : ['vitest']),
    // The package is in no registry: its name alone would install that of a stranger.
    ...(isInstalled('taskdouble', directory) ? [] : [packageRoot()]),
  ];
  const commands = [
    ...(resolve(directory) === process.cwd() ? [] : [['cd', directory]]),
    ...(missing.length === 0 ? [] : [['npm', 'install', '--save-dev', ...missing]]),
    ['npx', 'vitest', 'run', TEST],
  ];
  return commands.map((words) => `  ${commandLine(words)}`);
}

function isInstalled(name: string, directory: string): boolean {
  const paths = createRequire(join(resolve(directory), 'x.js')).resolve.paths(name) ?? [];
  return paths.some((path) => existsSync(join(path, name, 'package.json')));
}
