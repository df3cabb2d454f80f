import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

let project: string | undefined;

/**
 * A project of a user: the packed package under its own name, beside all packages that are installed here. Created on first use,
 * once per process. The package must be built.
 */
export function openReadersProject(): string {
  if (project !== undefined) return project;
  const root = mkdtempSync(join(tmpdir(), 'taskdouble-pages-'));
  project = root;
  writeFileSync(join(root, 'package.json'), '{ "private": true, "type": "module" }\n');
  const modules = join(root, 'node_modules');
  linkAll(join(ROOT, 'node_modules'), modules, (name) => !name.startsWith('.') && name !== 'taskdouble');
  linkAll(join(ROOT, 'node_modules/.bin'), join(modules, '.bin'), (name) => name !== 'taskdouble');
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', root], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(packed.toString()) as [{ filename: string }];
  execFileSync('tar', ['-xzf', join(root, filename), '-C', root]);
  renameSync(join(root, 'package'), join(modules, 'taskdouble'));
  // As `npm install` does.
  chmodSync(join(modules, 'taskdouble/dist/command/main.js'), 0o755);
  symlinkSync('../taskdouble/dist/command/main.js', join(modules, '.bin/taskdouble'));
  return root;
}

export function removeReadersProject(): void {
  if (project !== undefined) rmSync(project, { recursive: true, force: true });
  project = undefined;
}

function linkAll(from: string, to: string, isWanted: (name: string) => boolean): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter(isWanted)) symlinkSync(join(from, name), join(to, name));
}
