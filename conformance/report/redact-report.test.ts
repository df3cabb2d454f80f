import { expect, it } from 'vitest';
import { mapFields } from './redact-report.js';

it('replaces the fields with these names at any depth, and copies the rest', () => {
  const other = new Map([['text', 'x']]);
  const given = { text: 'a', list: [{ text: 'b', id: 'text' }], deep: { text: [1] }, other, none: null };
  const mapped = mapFields(given, new Set(['text']), (value) => [value]);
  expect(mapped).toEqual({
    text: ['a'],
    list: [{ text: ['b'], id: 'text' }],
    deep: { text: [[1]] },
    other,
    none: null,
  });
  expect(given.list).toEqual([{ text: 'b', id: 'text' }]);
});
