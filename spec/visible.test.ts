import { expect, it } from 'vitest';
import { toOneLine, toVisible } from './visible.js';

it('shows what moves a cursor, hides or turns the text around it as codes, and keeps lines and columns', () => {
  expect(toVisible('a\tb\r\nc\rd')).toBe('a\tb\nc\\u000dd');
  for (const sign of [
    '\u0000',
    '\u001b',
    '\u0085',
    '\u00ad',
    '\u061c',
    '\u180e',
    '\u200b',
    '\u2028',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\uffff',
  ])
    expect(toVisible(`a${sign}b`)).toBe(`a\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}b`);
  expect(toVisible('é 日本 😀')).toBe('é 日本 😀');
  expect(toVisible('\ud800x')).toBe('\ufffdx');
  expect(toVisible('0123456789', 5)).toBe('0123…');
  expect(toOneLine('one \n  two')).toBe('one two');
});
