import { expect, it } from 'vitest';
import { describeValueChange } from './value-change.js';

it.each([
  ['a value became a text', { a: 1 }, '{"a":1}'],
  ['a value became a text', null, 'null'],
  ['a value became a text', [1], '1'],
  ['a text became a number', '0042', 42],
  ['a text became a number', { id: ['0042'] }, { id: [42] }],
  ['an empty value became null', 0, null],
  ['an object became null', {}, null],
  ['a list has another length', [1, 2], [1]],
  ['a field was renamed', { page_url: 1 }, { pageUrl: 1 }],
  ['a field was left out', { a: 1, b: null }, { a: 1 }],
  ['a field was added', {}, { id: 1 }],
  ['a number became another', 0.125, 0.13],
  ['a number became another', { a: 16 }, { a: 3 }],
  ['blanks at the end of a text were removed', ' two  words\n', 'two  words'],
  ['a text was cut', 'one two three', 'one two'],
  ['characters of a text were replaced', 'a\r\nb', 'a\nb'],
  ['characters of a text were replaced', { day: '2026-02-28T00:00' }, { day: 'Saturday' }],
])('%s', (words, expected, actual) => {
  expect(describeValueChange(expected, actual)).toBe(words);
});

it.each([
  [null, { a: 1 }],
  ['The first result.', 'Something else.'],
  [200, 404],
])('is undefined for another value: %j, %j', (expected, actual) => {
  expect(describeValueChange(expected, actual)).toBeUndefined();
});
