import { beforeAll, describe, expect, it } from 'vitest';
import { openPoints, requirements } from '../index.js';
import { generate } from './all.js';
import { fieldRow, flow } from './schema-fields.js';
import { driftedFiles } from './write-files.js';

describe('the generated files', () => {
  let files: Map<string, string>;
  beforeAll(async () => {
    files = await generate();
  });

  it('match the sources', () => {
    expect(driftedFiles(files)).toEqual([]);
  });

  it('are found to have drifted when they differ or are missing, by name', () => {
    const other = new Map(files).set('docs/dialects.md', '').set('docs/no-such-page.md', '');
    expect(driftedFiles(other)).toEqual(['docs/dialects.md', 'docs/no-such-page.md']);
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
    for (const [name, text] of markdown) expect(text, name).toMatch(/^<!-- Generated .* Do not edit\. -->\n/);
  });

  it('leave no rule and no point out', () => {
    for (const { id } of requirements) expect(files.get('docs/requirements.md')).toContain(`| \`${id}\` |`);
    for (const { id } of openPoints) expect(files.get('docs/dialects.md')).toContain(`\n### ${id}\n`);
  });
});

describe('fieldRow', () => {
  const definitions = {
    side: { description: 'Where. Left out: none.', examples: ['x', 'y'], default: 'request' },
  };

  it('shows name, type, default, example and meaning', () => {
    const row = fieldRow('side', { $ref: '#/$defs/side' }, false, definitions, [{ side: null }]);
    expect(row).toEqual(['`side`', '[side](#side)', '`request`', '`null`', 'Where.']);
    const other = {
      description: 'Often. Left out: once in a timeline.',
      examples: [3],
      'x-expected': 'a number',
    };
    expect(fieldRow('times', other, false, {})).toEqual([
      '`times`',
      'a number',
      'once in a timeline',
      '`3`',
      'Often.',
    ]);
    expect(fieldRow('times', other, true, {})[2]).toBe('*required*');
  });

  it('refuses a field without an example or a description', () => {
    expect(() => fieldRow('side', { description: 'x' }, false, {})).toThrow(
      'side: expected a description and an',
    );
    expect(() => fieldRow('side', { examples: [1] }, false, {})).toThrow(
      'side: expected a description and an',
    );
  });

  it('writes values on one line', () => {
    expect(flow({ of: { poll: 2 }, list: ['a b', null, ''] })).toBe(
      '{ of: { poll: 2 }, list: [ a b, null, "" ] }',
    );
  });
});
