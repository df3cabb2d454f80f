import { describe, expect, it } from 'vitest';
import { readEdits } from './edited-clients.js';
import { findAll } from './first-failure.js';

/** One of three: "npm run coverage:clients" takes all. */
const sample = readEdits('buggy-edits.txt')
  .filter((_, index) => index % 3 === 0)
  .map(({ name }) => name);

describe('client --search 200', () => {
  it('finds at least 95 of 100 clients with a bug', { timeout: 600_000 }, async () => {
    const { byScenario, bySearch, missed } = await findAll('buggy-edits.txt', 200, { names: sample });
    const all = byScenario.length + bySearch.length + missed.length;
    expect(missed.length / all, missed.join(' ')).toBeLessThanOrEqual(0.05);
    expect(bySearch.length, 'what scenarios alone do not find').toBeGreaterThanOrEqual(14);
  });

  it('fails no correct client', { timeout: 600_000 }, async () => {
    const { byScenario, bySearch, missed } = await findAll('correct-edits.txt', 200);
    expect([...byScenario, ...bySearch]).toEqual([]);
    expect(missed.length).toBeGreaterThanOrEqual(10);
  });
});
