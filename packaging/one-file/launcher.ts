/**
 * The code at the start of `taskdouble.mjs` and of the executables. It unpacks the package once into a directory of the user, because
 * threads and preloaded modules need paths, and starts the command there. It runs before anything is known about the Node.js that runs
 * it, so it uses what every version has.
 */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { unpackFiles } from './archive.js';

/** Set by the bundler. */
declare const ARCHIVE: string;
/** Version and hash of the archive. */
declare const ARCHIVE_NAME: string;
/** Of the directory `dist/command`. */
declare const CODE_FILES: number;
declare const CODE_BYTES: number;

const ONLY_OWN = 0o700;
const USAGE_ERROR = 2;

function findCache(): string {
  const { XDG_CACHE_HOME: given, LOCALAPPDATA: windows } = process.env;
  if (given !== undefined && isAbsolute(given)) return given;
  return process.platform === 'win32' && windows ? windows : join(homedir(), '.cache');
}

function prepareDirectory(): string {
  const home = join(findCache(), 'taskdouble');
  const directory = join(home, ARCHIVE_NAME);
  try {
    mkdirSync(home, { recursive: true, mode: ONLY_OWN });
    if (isOwn(home)) {
      if (!isUsable(directory)) unpackInto(directory);
      if (isUsable(directory)) return directory;
    }
  } catch {
    // The cache cannot be written: a read-only file system, a full disk, a user without a home directory.
  }
  return unpackForThisRun();
}

/** False if another user could have written into it, or if code is missing. */
function isUsable(directory: string): boolean {
  if (!isOwn(directory)) return false;
  const { files, bytes } = measureCode(directory);
  return files === CODE_FILES && bytes === CODE_BYTES;
}

/** Not a link, and no other user may write there. */
function isOwn(directory: string): boolean {
  try {
    const status = lstatSync(directory);
    if (!status.isDirectory()) return false;
    // Windows has no such numbers: the directory is in the user's profile.
    return process.getuid === undefined || (status.uid === process.getuid() && (status.mode & 0o022) === 0);
  } catch {
    return false;
  }
}

/** The code: to look at all files would take as long as reading what is needed. */
function measureCode(directory: string): { files: number; bytes: number } {
  const code = join(directory, 'dist/command');
  const sizes = readdirSync(code).map((name) => lstatSync(join(code, name)).size);
  return { files: sizes.length, bytes: sizes.reduce((total, size) => total + size, 0) };
}

/** Complete or not at all: other processes may start at the same moment. */
function unpackInto(directory: string): void {
  const temporary = `${directory}.${process.pid}-${Date.now()}`;
  try {
    mkdirSync(temporary, { mode: ONLY_OWN });
    writeFiles(temporary);
    try {
      renameSync(temporary, directory);
    } catch {
      // It exists: of a process that was faster, or damaged.
      if (isUsable(directory)) return;
      rmSync(directory, { recursive: true, force: true });
      renameSync(temporary, directory);
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function unpackForThisRun(): string {
  try {
    const directory = mkdtempSync(join(tmpdir(), 'taskdouble-'));
    process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
    writeFiles(directory);
    return directory;
  } catch (error) {
    const { message } = error as Error;
    return fail(
      `taskdouble cannot unpack itself into ${findCache()} or ${tmpdir()}: ${message}. Set XDG_CACHE_HOME to a directory that you can write.`,
    );
  }
}

function writeFiles(directory: string): void {
  const made = new Set<string>();
  // Only the first start needs it.
  const { brotliDecompressSync } = createRequire(import.meta.url)('node:zlib') as typeof import('node:zlib');
  for (const [path, content] of unpackFiles(brotliDecompressSync(Buffer.from(ARCHIVE, 'base64')))) {
    const file = join(directory, path);
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: ONLY_OWN });
    made.add(dirname(file));
    writeFileSync(file, content, { mode: 0o600 });
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(USAGE_ERROR);
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`taskdouble needs Node.js 20.19 or later, and this is ${process.version}.`);
// By require: an executable imports built-in modules only.
createRequire(join(prepareDirectory(), 'package.json'))('./dist/command/start.cjs');
