import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Node.js in the executables: npm packages that hold its binary, and the hashes of their tarballs. */
const NODE_VERSION = '26.12.1';
const NODE_HASHES = {
  x64: 'jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==',
  arm64: '8Oxs6Y7rDcKufVIM/zYRSwytj46WOrZk7yFCLTKDcs17bBjAeD9HMAqo97hMfMyxozIud0S4vZCs5WB/3iavNQ==',
} as const;

export type Architecture = keyof typeof NODE_HASHES;
export const ARCHITECTURES = Object.keys(NODE_HASHES) as Architecture[];

/** Puts `code`, a module in one file, into a copy of Node.js for Linux. A binary of this machine's architecture does it for each. */
export function buildExecutable(
  code: string,
  { architecture, out, temporary }: { architecture: Architecture; out: string; temporary: string },
): void {
  mkdirSync(temporary, { recursive: true });
  const main = join(temporary, 'main.mjs');
  const settings = join(temporary, `${architecture}.json`);
  writeFileSync(main, code);
  writeFileSync(
    settings,
    JSON.stringify({
      main,
      mainFormat: 'module',
      executable: fetchNode(architecture, temporary),
      output: out,
      disableExperimentalSEAWarning: true,
    }),
  );
  const builder = fetchNode(process.arch === 'arm64' ? 'arm64' : 'x64', temporary);
  execFileSync(builder, ['--build-sea', settings], { stdio: ['ignore', 'ignore', 'inherit'] });
  chmodSync(out, 0o755);
}

/** Path of the binary. Throws an Error if the registry sends other bytes than expected. */
function fetchNode(architecture: Architecture, temporary: string): string {
  const directory = join(temporary, architecture);
  const binary = join(directory, 'package/bin/node');
  mkdirSync(directory, { recursive: true });
  const name = `node-linux-${architecture}`;
  const args = [
    'pack',
    `${name}@${NODE_VERSION}`,
    '--silent',
    '--prefer-offline',
    '--pack-destination',
    directory,
  ];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const tarball = join(directory, `${name}-${NODE_VERSION}.tgz`);
  const hash = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (hash !== NODE_HASHES[architecture])
    throw new Error(`${name}@${NODE_VERSION} has the hash ${hash}; expected ${NODE_HASHES[architecture]}.`);
  execFileSync('tar', ['-xzf', tarball, '-C', directory, 'package/bin/node']);
  return binary;
}
