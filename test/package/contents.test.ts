import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { entries, modules } from './entries.js';
import { ROOT } from './pack.js';

/** Bounds, a little above what there is: growing beyond them is a decision. */
const MOST = { tarball_kB: 2800, unpacked_kB: 9600 };

const { files, size, tarball, unpacked } = inject('packed');
const paths = files.map(({ path }) => path);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('the tarball', () => {
  it('is small', () => {
    expect(size / 1000).toBeLessThan(MOST.tarball_kB);
    expect(unpacked / 1000).toBeLessThan(MOST.unpacked_kB);
  });

  it('has the size that its page says', () => {
    const page = readFileSync(join(ROOT, 'docs/package.md'), 'utf8');
    const [, packed, whole] = /([\d.]+) MB packed, ([\d.]+) MB unpacked/.exec(page) ?? [];
    expect(Math.abs(Number(packed) - size / 1e6)).toBeLessThan(0.1);
    expect(Math.abs(Number(whole) - unpacked / 1e6)).toBeLessThan(0.2);
  });

  it('has what exports, bin and browser lead to', () => {
    const wanted = [
      ...entries.flatMap(({ file, types }) => [file, ...(types === undefined ? [] : [types])]),
      ...Object.values<string>(manifest.bin),
      ...Object.entries<string>(manifest.browser).flat(),
    ];
    expect(paths).toEqual(expect.arrayContaining(wanted.map((file) => file.replace(/^\.\//, ''))));
    for (const file of [
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'action.yml',
      'dist/docs/api-reference.html',
      'dist/docs/render-page.js',
      'dist/docs/docs.css',
    ])
      expect(paths).toContain(file);
  });

  it('is what examples in the repository mean by its names, without a build', () => {
    const { paths: named } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')).compilerOptions;
    const sources = modules.map(({ specifier, file }) => [
      specifier,
      [file.replace('./dist/', './').replace(/\.js$/, '.ts')],
    ]);
    expect(named).toEqual(Object.fromEntries(sources));
  });

  it('has declarations beside all code', () => {
    // The command, studio and the documentation are bundles without types.
    const code = paths.filter((path) => /^dist\/(?!command\/|studio\/|docs\/).*\.js$/.test(path));
    const bare = code.filter((path) => !paths.includes(path.replace(/\.js$/, '.d.ts')));
    expect(bare).toEqual([]);
  });

  it('has nothing that users do not need', () => {
    const forbidden =
      /\.test\.|\.map$|\.tsbuildinfo$|^(bench|test)\/|node_modules|mutants|redocly|^dist\/(fixtures|bench|test)\/|^(?!dist\/|fixtures\/).*\.ts$/;
    // npm packs every file in the root whose name begins with README, whatever `files` says.
    expect(paths.filter((path) => forbidden.test(path))).toEqual([]);
  });

  it('has no scripts: nothing runs, and npm warns of nothing, when it is installed', () => {
    const packed = JSON.parse(
      execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
    );
    const { scripts: _, devDependencies: __, ...kept } = manifest;
    expect(packed).toEqual(kept);
  });
});

describe('the runtime dependencies', () => {
  /** Free, and without duties beyond naming the authors. */
  const FREE = new Set([
    'MIT',
    'ISC',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    '0BSD',
    'Unlicense',
    'CC0-1.0',
  ]);
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages as Record<
    string,
    { dev?: boolean; devOptional?: boolean; peer?: boolean; license?: string; hasInstallScript?: boolean }
  >;
  const runtime = Object.entries(lock).filter(
    ([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer,
  );

  it('are few, with all that they bring', () => {
    expect(runtime.length).toBeGreaterThanOrEqual(Object.keys(manifest.dependencies).length);
    expect(runtime.length).toBeLessThanOrEqual(20);
  });

  it.each(runtime)('%s is free', (_, { license }) => expect(FREE).toContain(license));

  it.each(runtime)('%s runs nothing when it is installed', (_, { hasInstallScript }) =>
    expect(hasInstallScript).not.toBe(true),
  );
});
