import { describe, expect, it } from 'vitest';
import {
  collectIds,
  collectRecords,
  createUnknownId,
  findText,
  readId,
  readInteger,
  readRows,
} from './read-record.js';

describe('a value in a response', () => {
  const chat = { messages: [{ t: 2, id: 'm' }], t: 1, id: 7 };

  it('is found in the record or in what wraps it', () => {
    expect(readInteger({ data: chat }, ['t'])).toBe(1);
    expect(readId({ chat }, ['chat_id', 'id'])).toBe('7');
    expect(collectRecords({ chat }, /messages/)).toEqual([{ t: 2, id: 'm' }]);
    expect(readRows({ r: [1, 2] })).toEqual([1, 2]);
  });

  it('is found under the first name, closest to the top', () => {
    expect(findText({ name: 'a', inner: { plan: 'b' } }, 'plan', 'name')).toBe('b');
    expect(findText({ owner: { name: 'a' }, name: 'b' }, 'name')).toBe('b');
  });

  it('may be an id in a list of nothing but ids', () => {
    const listed = (...attachments: unknown[]) =>
      collectIds({ messages: [{ attachments }] }, /attachment/, 'a.txt');
    expect(listed('att-1')).toEqual(['att-1']);
    for (const other of ['a.txt', 'https://files.test/a.txt', '', 7, { id: 'att-1' }])
      expect(listed(other)).toEqual([]);
  });

  it('is not made up', () => {
    for (const nothing of [undefined, null, '', [], {}, { id: null }, { id: {} }, { id: '' }])
      expect(readId(nothing, ['id'])).toBeUndefined();
    expect(readRows({ r: {} })).toBeUndefined();
  });
});

describe('an id that is not there', () => {
  it.each([
    ['0b9c6f0e-6a53-4d8a-9b43-0f6a1c2d3e4f', '0b9c6f0e-6a53-4d8a-9b43-f4e3d2c1a6f0'],
    ['01HZX3J5K7M9P1R3T5V7X9Z1B3', '01HZX3J5K7M9P13B1Z9X7V5T3R'],
    ['task_12', 'task_12908172635'],
    ['task-a', 'task-a-908172635'],
    ['7', '908172635'],
    ['abcdeffedcba', 'abcdeffedcba-908172635'],
  ])('%s becomes %s, which looks like it', (id, other) => {
    expect(createUnknownId(id)).toBe(other);
  });
});
