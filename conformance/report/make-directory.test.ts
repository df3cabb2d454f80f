import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeDirectory } from './make-directory.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-directories-'));
afterAll(() => rmSync(directory, { recursive: true }));

const fail = (code: string) => {
  throw Object.assign(new Error(code), { code });
};

describe('makeDirectory', () => {
  it('creates missing directories, and returns whether any was missing', () => {
    const path = join(directory, 'a/b/c');
    expect([makeDirectory(path), makeDirectory(path)]).toEqual([true, false]);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it('refuses a path below a file', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'a/b')])
      expect(() => makeDirectory(path)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  });

  it('tries once where the file system makes no directories', () => {
    const tried: string[] = [];
    const system = {
      isDirectory: (path: string) => (path === '/' || path === '/fixed' ? true : undefined),
      mkdir(path: string) {
        tried.push(path);
        fail('ENOENT');
      },
    };
    expect(() => makeDirectory('/fixed/a/b', system)).toThrow('ENOENT');
    expect(tried).toEqual(['/fixed/a']);
  });

  it('continues if another process was faster', () => {
    const made = new Set(['/']);
    const system = {
      isDirectory: (path: string) => made.has(path) || undefined,
      mkdir(path: string) {
        made.add(path);
        fail('EEXIST');
      },
    };
    expect(makeDirectory('/a/b', system)).toBe(true);
  });
});
