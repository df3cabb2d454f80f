import { describe, expect, it } from 'vitest';
import { type FilterField, formatFilter, matchesFilter, parseFilter } from './filter-words.js';

describe('the words of a filter', () => {
  it('are fields with values, quoted texts, exclusions and plain texts', () => {
    const word = (field: FilterField | undefined, value: string, isExcluded = false) => {
      return { field, value, isExcluded };
    };
    expect(parseFilter('status:5xx  -KIND:poll body:"two Words" tea "a b" -c http://x')).toEqual([
      word('status', '5xx'),
      word('kind', 'poll', true),
      word('body', 'two words'),
      word(undefined, 'tea'),
      word(undefined, 'a b'),
      word(undefined, 'c', true),
      word(undefined, 'http://x'),
    ]);
    const words = parseFilter('-body:"a b" status:5xx tea');
    expect(parseFilter(formatFilter(words))).toEqual(words);
    expect(parseFilter('status: rule:')).toEqual([word(undefined, 'status:'), word(undefined, 'rule:')]);
    expect(parseFilter(' ""  body:"open')).toEqual([word('body', 'open')]);
  });

  it('match if each of them does', () => {
    const item: Partial<Record<FilterField | 'text', readonly (string | number | undefined)[]>> = {
      status: [503, 'running'],
      kind: ['poll'],
      body: ['{"temp_c": 9}', undefined],
      text: ['Find tea'],
    };
    const matches = (text: string) =>
      matchesFilter(parseFilter(text), (field) => item[field ?? 'text'] ?? []);
    for (const yes of [
      '',
      'status:5xx',
      'status:503',
      'status:RUNNING',
      'body:temp_c',
      'TEA kind:poll',
      '-kind:reply',
    ])
      expect(matches(yes), yes).toBe(true);
    for (const no of ['status:4xx', 'status:50', 'status:run', 'kind:pol', '-tea', 'tea rule:x', 'body:tea'])
      expect(matches(no), no).toBe(false);
  });
});
