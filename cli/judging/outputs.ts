import { accessSync, constants, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Mistake } from '../mistake.js';

/** Before anything is sent: whether a file can be written. Makes the directories above it. Throws Mistake. */
export function checkWritable(option: string, path: string): void {
  const refuse = (why: string) => new Mistake(`${option}: ${path} cannot be written: ${why}`);
  let there: Stats | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    there = statSync(path, { throwIfNoEntry: false });
    accessSync(there ? path : dirname(path), constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') throw refuse('what stands above it is no directory');
    throw refuse(code === 'EACCES' || code === 'EROFS' ? 'not allowed to' : message);
  }
  if (there?.isDirectory()) throw refuse('it is a directory; name a file');
}
