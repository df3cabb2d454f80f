import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec/generated/documents.js';
import { countOccurrences, loadEdited, readEdits } from './edited-clients.js';

const buggy = readEdits('buggy-edits.txt');
const correct = readEdits('correct-edits.txt');

describe('clients made of the reference client by one edit', () => {
  it('have names and titles of their own', () => {
    const all = [...buggy, ...correct];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  });

  it('are many, and each one with a bug breaks a requirement of clients', () => {
    const ofClients = new Set(
      requirements.filter(({ side }) => side === 'client').map(({ id }) => id as string),
    );
    expect(buggy.filter(({ requirement }) => !ofClients.has(requirement))).toEqual([]);
    expect(buggy.length).toBeGreaterThanOrEqual(100);
    expect(correct.map(({ requirement }) => requirement)).toEqual(correct.map(() => '-'));
    expect(correct.length).toBeGreaterThanOrEqual(10);
  });

  it('load, and replace a text that stands exactly once in the client', async () => {
    for (const edit of [...buggy, ...correct]) {
      expect(countOccurrences(edit), edit.name).toBe(1);
      expect(await loadEdited(edit), edit.name).toBeTypeOf('function');
    }
  });
});
