import { expect, it } from 'vitest';
import { judgeMutant } from './judge.js';
import { mutants } from './mutants.js';

/** One of 80, over all tables. */
const sample = mutants.filter((_, index) => index % 80 === 0);
/** Mutants whose fault breaks something else in more test cases: that stands first, as nothing ties the two together. */
const MOST_SECOND = 1;

it('the first cause names the requirement of a single fault', async () => {
  const second: string[] = [];
  for (const mutant of sample) {
    const { causes } = await judgeMutant(mutant);
    if (!causes[0]?.requirements.includes(mutant.requirement)) second.push(mutant.id);
  }
  expect(sample.length).toBeGreaterThanOrEqual(9);
  expect(second.length, second.join(', ')).toBeLessThanOrEqual(MOST_SECOND);
});
