import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { commandName } from '../../conformance/common/command-name.js';
import { commandLine } from '../../conformance/common/shell.js';
import { packageRoot } from '../../scenarios/format/library/package-root.js';
import { UsageError } from '../exit-codes.js';
import { print } from '../print.js';
import { FIRST_TEST, type ProjectKind, projectKind } from './projects.js';
import { writeTemplate } from './write-template.js';

/** Writes the first files into a project, and prints what it wrote and the next command. Throws UsageError. */
export async function initProject(directory: string): Promise<void> {
  if (existsSync(directory) && !statSync(directory).isDirectory())
    throw new UsageError(`init: expected a directory, and ${directory} is a file.`);
  const kind = projectKind(directory);
  const lines = Object.entries(kind.files).map(([path, template]) => {
    const isWritten = writeTemplate(template, join(directory, path));
    return isWritten ? `${path} is written.` : `${path} exists already, and is left as it is.`;
  });
  await print(`${lines.join('\n')}\n\nNext:\n\n${nextLines(kind, directory).join('\n')}\n`);
}

function nextLines({ client, files }: ProjectKind, directory: string): string[] {
  const change = resolve(directory) === process.cwd() ? [] : [commandLine(['cd', directory])];
  const commands = client === undefined ? testCommands(directory) : clientCommands(client, directory);
  const lines = [...change, ...commands].map((line) => `  ${line}`);
  if (client === undefined || 'adapter.py' in files) return lines;
  const guide = join(packageRoot(), 'docs/judge-a-client.md');
  return [...lines, '', `Before that, write the adapter that "${client}" starts: see ${guide}`];
}

function testCommands(directory: string): string[] {
  const missing = [
    ...(isInstalled('vitest', directory) ? [] : ['vitest']),
    // The package is in no registry: its name alone would install that of a stranger.
    ...(isInstalled('taskdouble', directory) ? [] : [packageRoot()]),
  ];
  return [
    ...(missing.length === 0 ? [] : [commandLine(['npm', 'install', '--save-dev', ...missing])]),
    commandLine(['npx', 'vitest', 'run', FIRST_TEST]),
  ];
}

function clientCommands(client: string, directory: string): string[] {
  return [
    `${commandName(resolve(directory))} client --scenario scenarios -- ${client}`,
    // The tarball that the workflow installs. What is running is built.
    commandLine(['npm', 'pack', '--ignore-scripts', packageRoot()]),
  ];
}

function isInstalled(name: string, directory: string): boolean {
  const paths = createRequire(join(resolve(directory), 'x.js')).resolve.paths(name) ?? [];
  return paths.some((path) => existsSync(join(path, name, 'package.json')));
}
