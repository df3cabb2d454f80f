import { describe, expect, it } from 'vitest';
import { readEdits } from './edited-clients.js';
import { findAll } from './first-failure.js';

/** One of so many: "npm run coverage:clients" takes all. */
const sampleOf = (file: Parameters<typeof readEdits>[0], of: number) =>
  readEdits(file)
    .filter((_, index) => index % of === 0)
    .map(({ name }) => name);

describe('client --search', () => {
  it('200 finds at least 95 of 100 clients with a bug', { timeout: 600_000 }, async () => {
    const { byScenario, bySearch, missed } = await findAll('buggy-edits.txt', 200, {
      names: sampleOf('buggy-edits.txt', 3),
    });
    const all = byScenario.length + bySearch.length + missed.length;
    expect(missed.length / all, missed.join(' ')).toBeLessThanOrEqual(0.05);
    expect(bySearch.length, 'what scenarios alone do not find').toBeGreaterThanOrEqual(10);
  });

  it('100 fails no correct client', { timeout: 600_000 }, async () => {
    const names = sampleOf('correct-edits.txt', 3);
    const { byScenario, bySearch, missed } = await findAll('correct-edits.txt', 100, { names });
    expect([...byScenario, ...bySearch]).toEqual([]);
    expect(missed).toEqual(names);
    expect(names.length).toBeGreaterThanOrEqual(7);
  });
});
