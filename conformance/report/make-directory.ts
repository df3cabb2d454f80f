import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** File system access; tests replace it. */
interface DirectorySystem {
  isDirectory(path: string): boolean | undefined;
  mkdir(path: string): void;
}

const SYSTEM: DirectorySystem = {
  isDirectory: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory(),
  mkdir: (path) => mkdirSync(path),
};

/**
 * Creates a directory and its parents one by one, and returns whether any was missing. `mkdirSync` with `recursive` never
 * ends on a file system that reports ENOENT for a directory with an existing parent: it creates the parent and tries again.
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
      // Another process may have created it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !system.isDirectory(each)) throw error;
    }
  return missing.length > 0;
}
