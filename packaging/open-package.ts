import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** Unpacks the tarball of the package into `directory/package`, beside the dependencies that are installed here. Returns that path. */
export function openPackage(tarball: string, directory: string): string {
  mkdirSync(directory, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', directory]);
  const root = join(directory, 'package');
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}
