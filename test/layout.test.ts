import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The rooms, top to bottom: each may import from those below it only. */
const ROOMS = ['bench', 'cli', 'index', 'conformance', 'mock', 'scenarios', 'spec'];
const ROOT = join(import.meta.dirname, '..');

function sources(directory: string): string[] {
  return readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
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

/**
 * Where studio's code may come from, beside its own folder: also what it takes a conversation away with, HAR files and pages. Of any
 * other module it may import types: they leave no code.
 */
const STUDIO_MAY_USE =
  /^(?:(?:studio|conformance\/conversation|scenarios|spec)\/|conformance\/har\/har\.|mock\/studio\/page\.)/;

/** Relative imports of `code` that are more than types and that studio must not have. */
function straysOfStudio(file: string, code = readFileSync(join(ROOT, file), 'utf8')): string[] {
  const { statements } = ts.createSourceFile(file, code, ts.ScriptTarget.ESNext);
  return statements
    .filter((each) => ts.isImportDeclaration(each) || ts.isExportDeclaration(each))
    .filter((each) => !(ts.isImportDeclaration(each) ? each.importClause?.isTypeOnly : each.isTypeOnly))
    .flatMap(({ moduleSpecifier }) =>
      moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : [],
    )
    .filter((name) => name.startsWith('.'))
    .filter((name) => !STUDIO_MAY_USE.test(relative(ROOT, resolve(ROOT, dirname(file), name))));
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

  it('builds studio from conformance/conversation, scenarios, spec and types, and nothing imports it', () => {
    const studio = sources('studio').filter((file) => !/\.test\.tsx?$/.test(file));
    expect(studio).toContain(join('studio', 'main.tsx'));
    const found = studio.flatMap((file) => straysOfStudio(file).map((name) => `${file} imports ${name}`));
    expect(found).toEqual([]);
  });

  it('notices an import that studio must not have', () => {
    const code = `import type { Mock } from '../mock/mock.js';
      import { Conversation } from '../conformance/conversation/conversation.js';
      import { judge } from '../conformance/rules/judge.js';
      import { type A, b } from '../mock/b.js';
      export { c } from '../cli/c.js';`;
    expect(straysOfStudio('studio/x.tsx', code)).toEqual([
      '../conformance/rules/judge.js',
      '../mock/b.js',
      '../cli/c.js',
    ]);
    expect(strays('mock/x.ts', ['../studio/app.js'])).toEqual(['../studio/app.js']);
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
