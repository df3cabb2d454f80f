import { expect, it } from 'vitest';
import { conditionalMutants } from './conditional/conditional-mutants.js';
import { findFirstNotice, type Notice } from './conditional/first-notice.js';

/** All take many minutes: `npm run coverage:conditional`. */
const SAMPLE = conditionalMutants.filter((_, index) => index % 18 === 0);
const SEQUENCES = 150;

it('the suite and generated sequences notice most faults that show under one condition', async () => {
  const notices = new Map<string, Notice | undefined>();
  for (const mutant of SAMPLE) notices.set(mutant.id, await findFirstNotice(mutant, SEQUENCES));
  const all = [...notices.values()];
  const missed = [...notices].filter(([, notice]) => !notice).map(([id]) => id);
  expect(all.filter((notice) => notice?.by === 'search').length, 'by sequences').toBeGreaterThanOrEqual(3);
  expect(missed.length / all.length, missed.join(' ')).toBeLessThanOrEqual(0.6);
});
