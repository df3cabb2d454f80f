import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const STATIC_IMPORT = /^(?:import|export)\b(?! type\b)[^;'"]*?from '([^']+)'|^import '([^']+)'/gm;

/** Every module that is loaded with `entry`, and the packages and built-ins among what they import. */
function loadedWith(entry: string): { files: string[]; outside: Set<string> } {
  const files = new Set<string>();
  const outside = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
      const name = (from ?? bare)!;
      if (name.startsWith('.')) visit(findSource(join(dirname(file), name)));
      else outside.add(name);
    }
  };
  visit(join(import.meta.dirname, '../..', entry));
  return { files: [...files].map((file) => relative(join(import.meta.dirname, '../..'), file)), outside };
}

function findSource(module: string): string {
  const source = module.replace(/\.js$/, '.ts');
  if (source === module) return module;
  return existsSync(source) ? source : `${source}x`;
}

it('studio is built without modules of Node.js', () => {
  const { files, outside } = loadedWith('studio/main.tsx');
  expect(files).toContain('studio/live-app.tsx');
  expect([...outside].filter((name) => name.startsWith('node:'))).toEqual([]);
});

describe('what is loaded with the mock', () => {
  it('is none of Node.js: it runs in a browser and in a worker', () => {
    const { files, outside } = loadedWith('index.ts');
    expect(files).toContain('mock/pipeline/pipeline.ts');
    expect([...outside].filter((name) => name.startsWith('node:'))).toEqual([]);
  });

  it('is nothing heavy: the command starts in a moment', () => {
    const { files, outside } = loadedWith('cli/mock/run.ts');
    expect(files).toContain('mock/mock.ts');
    for (const heavy of [
      'yaml',
      'ajv',
      're2js',
      '@faker-js/faker',
      'json-schema-faker',
      'fflate',
      'quickjs',
      '@jitl',
    ]) {
      expect([...outside].filter((name) => name.startsWith(heavy))).toEqual([]);
    }
    const all = [...files, ...loadedWith('cli/main.ts').files];
    expect(all).toContain('cli/program.ts');
    expect(all.filter((file) => file.startsWith('conformance/rules/'))).toEqual([]);
  });
});
