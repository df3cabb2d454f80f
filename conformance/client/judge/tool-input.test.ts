import { describe, expect, it } from 'vitest';
import { PLAIN_JOB } from '../../../test/support/client/run.js';
import { isSameToolInput } from './tools.js';

const inputs = {
  type: 'object',
  properties: {
    address: { type: 'string' },
    copies: { type: 'integer', default: 1 },
    note: { type: 'string' },
    parts: {
      type: 'array',
      items: { type: 'object', properties: { unit: { default: 'kg' }, weight: {} }, required: ['weight'] },
    },
  },
  required: ['address'],
};
const job = { ...PLAIN_JOB, request: { task: 'x', custom_tools: [{ name: 'print', inputs }] } };
const ranWith = (called: unknown, ran: unknown, tool = 'print') => isSameToolInput(tool, called, ran, job);

describe('the input of a run of a tool', () => {
  const address = 'Quay 1';
  it.each<[string, unknown, unknown]>([
    ['as it came', { address }, { address }],
    ['with a default of the schema', { address }, { address, copies: 1 }],
    ['with null for what is left out', { address }, { address, copies: null, note: null }],
    ['without what the schema does not have', { address, colour: 'red' }, { address }],
    [
      'with defaults in the members of a list',
      { address, parts: [{ weight: 2 }] },
      { address, parts: [{ weight: 2, unit: 'kg' }] },
    ],
  ])('is that of the call: %s', (_, called, ran) => {
    expect(ranWith(called, ran)).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['another value', { address }, { address: 'Quay 2' }],
    ['another value than the default', { address }, { address, copies: 2 }],
    ['a value that the schema has is lost', { address, copies: 0 }, { address }],
    ['null is lost', { address, note: null }, { address }],
    ['a value that is in neither', { address }, { address, colour: 'red' }],
    [
      'another value of what the schema does not have',
      { address, colour: 'red' },
      { address, colour: 'blue' },
    ],
    ['a member is lost', { address, parts: [{ weight: 2 }] }, { address, parts: [] }],
  ])('is not: %s', (_, called, ran) => {
    expect(ranWith(called, ran)).toBe(false);
  });

  it('has to be unchanged if the tool was never registered', () => {
    expect(ranWith({ address }, { address }, 'other')).toBe(true);
    expect(ranWith({ address }, { address, copies: 1 }, 'other')).toBe(false);
  });
});
