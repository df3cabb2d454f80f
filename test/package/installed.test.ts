import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { entries, modules, type PackageEntry } from './entries.js';
import { Project } from './project.js';

/** Projects of others that have installed the tarball: each entry point is imported, type-checked and used in each. */
const PROGRAMS = join(import.meta.dirname, 'programs');
const PEERS = [...new Set(modules.flatMap(({ peers }) => peers))];
const { tarball } = inject('packed');

function fileOf({ program, inVitest }: PackageEntry): string {
  return `${program}${inVitest ? '.test' : ''}.ts`;
}

describe('the programs', () => {
  it('are there for every entry point, and for nothing else', () => {
    expect(readdirSync(PROGRAMS).sort()).toEqual(modules.map(fileOf).sort());
  });

  it('are for no entry point that needs a peer which package.json does not name', () => {
    const { peerDependencies } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
    );
    expect(Object.keys(peerDependencies)).toEqual(expect.arrayContaining(PEERS));
  });
});

describe('a TypeScript project', () => {
  let project: Project;

  beforeAll(() => {
    project = new Project({
      tarball,
      type: 'module',
      beside: ['typescript', '@types/node', ...PEERS],
    });
    cpSync(PROGRAMS, join(project.directory, 'src'), { recursive: true });
  });
  afterAll(() => project.clear());

  it.each([
    { moduleResolution: 'bundler', module: 'esnext' },
    { moduleResolution: 'nodenext', module: 'nodenext' },
  ])(
    'has types that hold in strict mode with $moduleResolution, without a skipped declaration of ours',
    (how) => {
      const compilerOptions = {
        ...how,
        strict: true,
        skipLibCheck: false,
        target: 'es2022',
        // No DOM: what the platform's names mean has to come from Node.js's types.
        lib: ['es2023'],
        types: ['node'],
        resolveJsonModule: true,
        rootDir: 'src',
        outDir: 'out',
      };
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
      // Declarations of others may need what is not here; ours may not. Lines that begin with blanks go on with one above.
      const complaints = project
        .run('npx', 'tsc')
        .output.split('\n')
        .filter((line) => /^\S/.test(line));
      expect(complaints.filter((line) => !/^node_modules\/(?!taskdouble\/)/.test(line))).toEqual([]);
      expect(readdirSync(join(project.directory, 'out')).length).toBe(modules.length);
    },
  );

  it.each(modules.filter(({ inVitest }) => !inVitest))('runs a program with $specifier', ({ program }) => {
    expect(project.run('node', `out/${program}.js`)).toEqual({ code: 0, output: '' });
  });

  it.each(modules.filter(({ inVitest }) => inVitest))('runs a test with $specifier', ({ program }) => {
    const { code, output } = project.run('npx', 'vitest', 'run', `out/${program}.test.js`);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Tests\s+\d+ passed/);
  });
});

describe('a CommonJS project', () => {
  let project: Project;

  beforeAll(() => {
    project = new Project({ tarball, type: 'commonjs', beside: PEERS });
  });
  afterAll(() => project.clear());

  it.each(modules)('imports $specifier by import()', ({ specifier, inVitest }) => {
    const say = `import('${specifier}').then((entry) => console.log(Object.keys(entry).length))`;
    const { code, output } = inVitest ? inTests(project, say) : project.run('node', '-e', say);
    expect(code, output).toBe(0);
  });

  it('finds every document', () => {
    for (const { specifier } of entries.filter(({ isModule }) => !isModule)) {
      const { code, output } = project.run('node', '-p', `require.resolve('${specifier}')`);
      expect(code, output).toBe(0);
      const text = readFileSync(output.trim(), 'utf8');
      if (output.trim().endsWith('.json')) expect(JSON.parse(text), specifier).toBeTypeOf('object');
      else expect(text.length, specifier).toBeGreaterThan(1000);
    }
  });
});

describe('a project of plain modules, without the optional peers', () => {
  let project: Project;

  beforeAll(() => {
    project = new Project({ tarball, type: 'module' });
  });
  afterAll(() => project.clear());

  const imported = (specifier: string) => {
    const main = `import * as entry from '${specifier}'; console.log(Object.keys(entry).length);`;
    return project.run('node', '--input-type=module', '-e', main);
  };

  it.each(modules.filter(({ peers }) => peers.length === 0))('imports $specifier', ({ specifier }) => {
    const { code, output } = imported(specifier);
    expect(code, output).toBe(0);
  });

  it.each(modules.filter(({ peers }) => peers.length > 0))('is told what $specifier needs', (entry) => {
    const { code, output } = imported(entry.specifier);
    expect(code).not.toBe(0);
    expect(output).toContain(`Cannot find package '${entry.peers[0]}'`);
    expect(output).toContain('node_modules/taskdouble/');
  });

  it('has got no peer, and nothing that runs at the installation', () => {
    const modules = join(project.directory, 'node_modules');
    for (const peer of PEERS) expect(existsSync(join(modules, peer)), peer).toBe(false);
    if (project.installed === 'links') return;
    const lock = JSON.parse(readFileSync(join(project.directory, 'package-lock.json'), 'utf8'));
    const scripted = Object.entries(
      lock.packages as Record<string, { hasInstallScript?: boolean; optional?: boolean }>,
    )
      .filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional)
      .map(([path]) => path);
    expect(scripted).toEqual([]);
  });

  it('has a command that may be run', () => {
    const command = join(project.directory, 'node_modules/.bin/taskdouble');
    expect(statSync(command).mode & 0o111).not.toBe(0);
  });
});

function inTests(project: Project, say: string) {
  project.write('entry.test.mjs', `import { it } from 'vitest';\nit('imports', () => ${say});\n`);
  return project.run('npx', 'vitest', 'run', 'entry.test.mjs');
}
