import { beforeAll, describe, expect, it } from 'vitest';
import { openPoints, requirements } from '../index.js';
import { generate } from './all.js';
import { listDriftedFiles } from './write-files.js';

describe('the generated files', () => {
  let files: Map<string, string>;
  beforeAll(async () => {
    files = await generate();
  });

  it('match the sources', () => {
    expect(listDriftedFiles(files)).toEqual([]);
  });

  it('are found to have drifted when they differ or are missing, by name', () => {
    const other = new Map(files).set('docs/dialects.md', '').set('docs/no-such-page.md', '');
    expect(listDriftedFiles(other)).toEqual(['docs/dialects.md', 'docs/no-such-page.md']);
  });

  it('need nothing at run time but each other', () => {
    for (const [name, text] of files) {
      if (!name.endsWith('.ts')) continue;
      const imported = [...text.matchAll(/^import (?!type)[^;]*|\brequire\(/gm)].map(([found]) => found);
      expect(imported, name).toEqual([]);
    }
  });

  it('say that they are generated', () => {
    const markdown = [...files].filter(([name]) => name.endsWith('.md'));
    for (const [name, text] of markdown)
      expect(text, name).toMatch(/^<!-- Generated .* Do not edit below\. -->$/m);
  });

  it('leave no rule and no point out', () => {
    for (const { id } of requirements) expect(files.get('docs/requirements.md')).toContain(`| \`${id}\` |`);
    for (const { id } of openPoints) expect(files.get('docs/dialects.md')).toContain(`\n### ${id}\n`);
  });
});
