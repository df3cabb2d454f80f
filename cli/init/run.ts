import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { readCommandName } from '../../conformance/common/command-name.js';
import { formatCommandLine } from '../../conformance/common/shell.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { UsageError } from '../exit-codes.js';
import { print } from '../print.js';
import { detectProjectKind, FIRST_TEST, type ProjectKind } from './projects.js';
import { writeTemplate } from './write-template.js';

/** Writes the first files into a project, and prints what it wrote and the next command. Throws UsageError. */
export async function initProject(directory: string): Promise<void> {
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
  if (client === undefined || 'adapter.py' in files) return lines;
  const guide = join(findPackageRoot(), 'docs/judge-a-client.md');
  return [...lines, '', `Before that, write the adapter that "${client}" starts: see ${guide}`];
}

function listTestCommands(directory: string): string[] {
  const missing = [
    ...(isInstalled('vitest', directory) ? [] : ['vitest']),
    // The package is in no registry: its name alone would install that of a stranger.
    ...(isInstalled('taskdouble', directory) ? [] : [findPackageRoot()]),
  ];
  return [
    ...(missing.length === 0 ? [] : [formatCommandLine(['npm', 'install', '--save-dev', ...missing])]),
    formatCommandLine(['npx', 'vitest', 'run', FIRST_TEST]),
  ];
}

function listClientCommands(client: string, directory: string): string[] {
  return [
    `${readCommandName(resolve(directory))} client --scenario scenarios -- ${client}`,
    // The tarball that the workflow installs. What is running is built.
    formatCommandLine(['npm', 'pack', '--ignore-scripts', findPackageRoot()]),
  ];
}

function isInstalled(name: string, directory: string): boolean {
  const paths = createRequire(join(resolve(directory), 'x.js')).resolve.paths(name) ?? [];
  return paths.some((path) => existsSync(join(path, name, 'package.json')));
}
