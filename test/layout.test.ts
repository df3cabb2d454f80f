import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The rooms, top to bottom: each may import from those below it only. */
const ROOMS = ['bench', 'cli', 'index', 'conformance', 'mock', 'scenarios', 'spec'];
const ROOT = join(import.meta.dirname, '..');

function sources(directory: string): string[] {
  return readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const all = [...ROOMS.filter((room) => room !== 'index').flatMap(sources), 'index.ts'];

function roomOf(file: string): string {
  return file.split(sep)[0]!.replace(/\.ts$/, '');
}

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'), true, true);
  return importedFiles.map(({ fileName }) => fileName);
}

/** Those of the imports of `file` that go up, or to a room that does not exist. */
function strays(file: string, imports = importsOf(file)): string[] {
  const from = ROOMS.indexOf(roomOf(file));
  return imports
    .filter((name) => name.startsWith('.'))
    .filter((name) => {
      const target = relative(ROOT, resolve(ROOT, dirname(file), name));
      const to = ROOMS.indexOf(roomOf(target).replace(/\.js$/, ''));
      return to < from;
    });
}

describe('the house', () => {
  it('has a source in every room that is built', () => {
    for (const room of ['cli', 'mock', 'scenarios', 'spec']) {
      expect(all.filter((file) => roomOf(file) === room).length, room).toBeGreaterThan(3);
    }
  });

  it('imports only downwards: cli → conformance → mock → scenarios → spec', () => {
    // Tests may look at the package from outside.
    const found = all
      .filter((file) => !/\.(test|examples)\.ts$/.test(file))
      .flatMap((file) => strays(file).map((name) => `${file} imports ${name}`));
    expect(found).toEqual([]);
  });

  it('notices an import that goes up', () => {
    expect(strays('mock/engine/x.ts', ['../../cli/main.js', '../../spec/types.js', '../wire.js'])).toEqual([
      '../../cli/main.js',
    ]);
    expect(strays('spec/x.ts', ['../scenarios/types.js', '../bad-room/x.js']).length).toBe(2);
  });

  it('keeps clocks, chance, timers and I/O out of the engine', () => {
    const forbidden =
      /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b|\bperformance\.now\b|\bcrypto\.(randomUUID|getRandomValues)\b|\bprocess\.|\bfetch\(/;
    const engine = all.filter(
      (file) => /^mock\/(engine|generate)\//.test(file) && !file.endsWith('.test.ts'),
    );
    expect(engine.length).toBeGreaterThan(10);
    const found = engine.filter((file) => {
      const code = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      return forbidden.test(code) || importsOf(file).some((name) => name.startsWith('node:'));
    });
    expect(found).toEqual([]);
  });
});
