import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PackedPackage {
  /** Path of the tarball. */
  tarball: string;
  /** Bytes of the tarball. */
  size: number;
  /** Bytes of what is in it. */
  unpacked: number;
  /** Each file in it: its path and its bytes. */
  files: { path: string; size: number }[];
}

interface PackOptions {
  /** Directory of the tarball. */
  out: string;
  temporary: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Builds the package in `root` and packs it. Its package.json has neither scripts nor development dependencies: npm 11 warns of
 * `prepare`, which only an install from git runs. What is packed first is changed, never the sources.
 */
export function packPackage(root: string, { out, temporary, env }: PackOptions): PackedPackage {
  const directory = mkdtempSync(join(temporary, 'pack-'));
  // Builds it first (prepack).
  const { filename } = runPack(['--pack-destination', directory], root, env);
  execFileSync('tar', ['-xzf', join(directory, filename), '-C', directory]);
  const copy = join(directory, 'package');
  const manifest = join(copy, 'package.json');
  const { scripts: _, devDependencies: __, ...kept } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, `${JSON.stringify(kept, null, 2)}\n`);
  const packed = runPack(['--ignore-scripts', '--pack-destination', out], copy, env);
  return {
    tarball: join(out, packed.filename),
    size: packed.size,
    unpacked: packed.unpackedSize,
    files: packed.files,
  };
}

interface NpmPacked {
  filename: string;
  size: number;
  unpackedSize: number;
  files: PackedPackage['files'];
}

function runPack(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): NpmPacked {
  const listed = execFileSync('npm', ['pack', '--json', '--silent', ...args], { cwd, env, encoding: 'utf8' });
  // An array, or by name: versions of npm differ.
  const [packed] = Object.values(JSON.parse(listed)) as NpmPacked[];
  return packed!;
}
