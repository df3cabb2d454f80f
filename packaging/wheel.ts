import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Made by tests and builds. */
const LEFTOVERS = /^(?:__pycache__|\.pytest_cache|build|.*\.egg-info)$/;

/** Builds the wheel of `source` into `out`, with `temporary` for its files. Returns why it cannot, or undefined. */
export function buildWheel(
  source: string,
  { out, temporary, seconds }: { out: string; temporary: string; seconds: number },
): string | undefined {
  // pip before setuptools refuses to be imported.
  const python = ['python3', '/usr/bin/python3'].find(
    (each) => spawnSync(each, ['-c', 'import setuptools, pip, wheel']).status === 0,
  );
  if (python === undefined) return 'no python3 with pip, setuptools and wheel';
  const copy = join(temporary, 'python');
  cpSync(source, copy, { recursive: true, filter: (path) => !LEFTOVERS.test(basename(path)) });
  // The wheel has the permissions of the files, and a checkout those of its user.
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  const args = ['wheel', '--no-build-isolation', '--no-deps', '--no-index', '--wheel-dir', out, copy];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) };
  execFileSync(python, ['-m', 'pip', '--quiet', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return undefined;
}
