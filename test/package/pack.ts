import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createEnvironment } from './environment.js';

export const ROOT = join(import.meta.dirname, '../..');

/** What `npm pack` made. */
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

/** Packages of the sources as they were, by a hash of them: CI needs the same one three times. */
const CACHE = join(ROOT, 'node_modules/.cache/taskdouble-packed');

/**
 * Packs the package as `npm publish` would, from a copy of the sources in `directory`: whatever lies in `dist/` here takes
 * no part in it, and nobody who works here is disturbed. Takes about 20 s, and nothing while the sources stay the same.
 */
export function pack(directory: string): PackedPackage {
  const sources = listSources();
  const cache = join(CACHE, hashFiles(sources));
  const result = join(cache, 'packed.json');
  if (!existsSync(result)) {
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    const copy = join(directory, 'sources');
    copyRepository(copy, sources);
    const npm = ['pack', '--json', '--silent', '--pack-destination', cache];
    const { status, stdout, stderr } = spawnSync('npm', npm, {
      cwd: copy,
      env: createEnvironment(),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`npm pack failed:\n${stdout}${stderr}`);
    writeFileSync(result, stdout);
  }
  const [packed] = Object.values(JSON.parse(readFileSync(result, 'utf8'))) as {
    filename: string;
    size: number;
    unpackedSize: number;
    files: PackedPackage['files'];
  }[];
  const { filename, size, unpackedSize, files } = packed!;
  return { tarball: join(cache, filename), size, unpacked: unpackedSize, files };
}

/** A directory of its own for `use`, which is gone afterwards. */
export function createTemporary(): { directory: string; clear: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-package-'));
  return { directory, clear: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Everything that git knows or would add. */
function listSources(): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  // Left out: what is deleted and not committed yet, and links such as a node_modules that is shared.
  return listed.split('\0').filter((path) => {
    const from = join(ROOT, path);
    return path !== '' && existsSync(from) && lstatSync(from).isFile();
  });
}

function hashFiles(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

/** Copies the sources, beside the dependencies that are installed here. */
export function copyRepository(to: string, paths: readonly string[] = listSources()): void {
  for (const path of paths) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(ROOT, path), join(to, path));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}
