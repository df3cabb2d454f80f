import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { drifted, generate } from './all.js';

describe('the generated files', () => {
  let files: Map<string, string>;
  beforeAll(async () => {
    files = await generate();
  });

  it('are those that the YAML files give now', async () => {
    expect(await drifted(files)).toEqual([]);
  });

  it('are found to have drifted when they differ, by name', async () => {
    const other = new Map(files).set('operations.ts', '').set('extra.ts', '');
    other.delete('openapi.ts');
    expect(await drifted(other)).toEqual(['extra.ts', 'openapi.ts', 'operations.ts']);
  });

  it('need nothing at run time but each other', () => {
    for (const name of files.keys()) {
      const text = readFileSync(new URL(`../generated/${name}`, import.meta.url), 'utf8');
      const imported = [...text.matchAll(/^import (?!type)[^;]*|\brequire\(/gm)].map(([found]) => found);
      expect(imported, name).toEqual([]);
    }
  });
});
