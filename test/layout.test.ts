import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The modules, top to bottom: each may import from those below it only. */
const MODULES = ['bench', 'cli', 'index', 'conformance', 'mock', 'scenarios', 'spec'];
const ROOT = join(import.meta.dirname, '..');

function sources(directory: string): string[] {
  return readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const all = [...MODULES.filter((name) => name !== 'index').flatMap(sources), 'index.ts'];

function moduleOf(file: string): string {
  return file.split(sep)[0]!.replace(/\.ts$/, '');
}

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'), true, true);
  return importedFiles.map(({ fileName }) => fileName);
}

/** Those of the imports of `file` that go up, or to a module that does not exist. */
function strays(file: string, imports = importsOf(file)): string[] {
  const from = MODULES.indexOf(moduleOf(file));
  return imports
    .filter((name) => name.startsWith('.'))
    .filter((name) => {
      const target = relative(ROOT, resolve(ROOT, dirname(file), name));
      const to = MODULES.indexOf(moduleOf(target).replace(/\.js$/, ''));
      return to < from;
    });
}

/**
 * Where studio's code may come from, beside its own folder: also what it takes a conversation away with, HAR files and pages. Of any
 * other module it may import types: they leave no code.
 */
const STUDIO_MAY_USE =
  /^(?:(?:studio|conformance\/conversation|scenarios|spec)\/|mock\/exchange\/readers\/har-writer\.|mock\/pages\/studio-page\.)/;

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

/** The folders and files at the top of a module, from low to high: each may import from those before it only. docs/architecture.md has them, too. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  scenarios: ['generated', 'verbs', 'format'],
  mock: [
    ...[
      'exchange',
      'generate',
      'engine',
      'clock',
      'pipeline',
      'network',
      'evaluate',
      'fixtures',
      'options',
      'api',
    ],
    ...[
      'scenario-registry',
      'service',
      'control',
      'admin',
      'pages',
      'serve',
      'virtual-time',
      'mock',
      'replay',
    ],
  ],
  conformance: [
    ...[
      'common',
      'conversation',
      'rules',
      'causes',
      'service',
      'both-sides',
      'client',
      'explore',
      'check-client',
    ],
    ...['conform', 'config', 'explain', 'report', 'in-tests', 'recordings', 'index', 'proxy'],
  ],
};

/** The part of its module that a file belongs to. */
function partOf(file: string): string {
  return file.split(sep)[1]!.replace(/\.[jt]s$/, '');
}

/** Imports of `file` that go up within its module, or to a part without a place in the order. */
function upwardImports(file: string, imports = importsOf(file)): string[] {
  const module = moduleOf(file);
  const order = ORDERS[module]!;
  const from = order.indexOf(partOf(file));
  const targets = imports
    .filter((name) => /^\..*\.js$/.test(name))
    .map((name) => relative(ROOT, resolve(ROOT, dirname(file), name)));
  return targets.filter((target) => {
    const to = moduleOf(target) === module ? order.indexOf(partOf(target)) : 0;
    return from === -1 || to === -1 || to > from;
  });
}

/** The other folders within `parent` that the file imports from. */
function foreignFolders(file: string, parent: string, imports = importsOf(file)): string[] {
  const readFolder = (path: string) => relative(join(ROOT, parent), path).split(sep)[0]!;
  const folders = imports
    .filter((name) => name.startsWith('.'))
    .map((name) => readFolder(resolve(ROOT, dirname(file), name)));
  return [...new Set(folders)].filter((folder) => folder !== '..' && folder !== readFolder(join(ROOT, file)));
}

describe('the package layout', () => {
  it('has a source in every module that is built', () => {
    for (const name of ['cli', 'mock', 'scenarios', 'spec']) {
      expect(all.filter((file) => moduleOf(file) === name).length, name).toBeGreaterThan(3);
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
    expect(strays('spec/x.ts', ['../scenarios/types.js', '../bad-module/x.js']).length).toBe(2);
  });

  it.each(Object.keys(ORDERS))('imports only from lower folders within %s, types too', (module) => {
    const found = all
      .filter((file) => moduleOf(file) === module && !/\.(test|examples)\.ts$/.test(file))
      .flatMap((file) => upwardImports(file).map((target) => `${file} imports ${target}`));
    expect(found).toEqual([]);
  });

  it('notices an import that goes up within a module', () => {
    expect(
      upwardImports(join('mock', 'engine', 'x.ts'), ['../api/y.js', '../exchange/z.js', './w.js']),
    ).toEqual([join('mock', 'api', 'y.js')]);
    expect(upwardImports(join('mock', 'no-such-folder', 'x.ts'), ['./w.js']).length).toBe(1);
  });

  it('keeps the table of operations apart from the suite and the search, which share it', () => {
    const service = join('conformance', 'service');
    const found = all
      .filter((file) => file.startsWith(join(service, 'operations') + sep) && !file.endsWith('.test.ts'))
      .flatMap((file) => foreignFolders(file, service).map((folder) => `${file} imports ${folder}`));
    expect(found.filter((each) => !/ (?:http-client|test-case)$/.test(each))).toEqual([]);
    expect(foreignFolders(join(service, 'operations', 'x.ts'), service, ['../search/play.js'])).toEqual([
      'search',
    ]);
  });

  it('parses addresses with parseUrl: URL.canParse refuses "https://ü.example" in code that runs often', () => {
    const found = all.filter((file) => /URL\.canParse\(/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(found).toEqual([]);
  });

  it('has the order of docs/architecture.md', () => {
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    for (const [module, order] of Object.entries(ORDERS)) {
      const line = page.split('\n').find((each) => each.startsWith(`- \`${module}\`: `));
      expect(line?.match(/`[^`]+`/g)?.slice(1), module).toEqual(order.map((part) => `\`${part}\``));
    }
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
