import { expect, it } from 'vitest';
import { copyOf } from './copy.js';

it.each([
  '1',
  'null',
  '"text"',
  '[]',
  '{"a":{"b":[1,{"c":null}],"d":false},"e":""}',
  '{"__proto__":{"a":1},"constructor":2}',
])('copies %s', (text) => {
  const value = JSON.parse(text);
  const copy = copyOf(value);
  expect(JSON.stringify(copy)).toBe(text);
  expect(copy).toEqual(value);
});

it('shares nothing with what it copies', () => {
  const value = { list: [{ a: 1 }] };
  const copy = copyOf(value);
  copy.list[0]!.a = 2;
  copy.list.push({ a: 3 });
  expect(value).toEqual({ list: [{ a: 1 }] });
});

it('leaves out what is undefined, as a text does', () => {
  expect(Object.keys(copyOf({ a: undefined, b: 1 }))).toEqual(['b']);
});
