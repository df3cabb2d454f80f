import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Where directories are made; tests hand in another. */
export interface DirectorySystem {
  isDirectory(path: string): boolean | undefined;
  mkdir(path: string): void;
}

const SYSTEM: DirectorySystem = {
  isDirectory: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory(),
  mkdir: (path) => mkdirSync(path),
};

/**
 * Makes a directory and those above it, one after the other, and returns whether it had to. `mkdirSync` with `recursive` never ends
 * where a file system reports ENOENT for a directory whose parent exists: it makes the parent, and tries again.
 */
export function makeDirectory(path: string, system: DirectorySystem = SYSTEM): boolean {
  const missing: string[] = [];
  let at = resolve(path);
  let isDirectory = system.isDirectory(at);
  while (isDirectory === undefined && dirname(at) !== at) {
    missing.unshift(at);
    at = dirname(at);
    isDirectory = system.isDirectory(at);
  }
  if (!isDirectory)
    throw Object.assign(new Error(`${at} is no directory`), {
      code: isDirectory === undefined ? 'ENOENT' : 'ENOTDIR',
    });
  for (const each of missing)
    try {
      system.mkdir(each);
    } catch (error) {
      // Another process may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !system.isDirectory(each)) throw error;
    }
  return missing.length > 0;
}
