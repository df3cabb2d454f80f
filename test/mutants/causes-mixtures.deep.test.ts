import { expect, it } from 'vitest';
import { generateMixtures } from './causes.js';

const MIXTURES = 10;
const MOST_READ = 10;
// A failure joins a cause by evidence alone: what only meets it in one operation is a cause of its own.
const MOST_OTHERS = 3;
/** Mixtures with more, or with a fault that is named later. */
const MOST_CROWDED = 2;

it('the first causes name all requirements of five faults at once, and few causes are of others', async () => {
  let count = 0;
  const crowded: string[] = [];
  for await (const { ids, requirements, causes } of generateMixtures(1, MIXTURES)) {
    const first = causes.slice(0, MOST_READ);
    const name = (some: typeof causes) => new Set(some.flatMap((cause) => cause.requirements));
    const [early, all] = [name(first), name(causes)];
    const others = first.filter((cause) => !cause.requirements.some((id) => requirements.includes(id)));
    const about = `${ids.join(', ')}: ${first.map((cause) => cause.requirements.join('+')).join(' | ')}`;
    expect(
      requirements.filter((id) => !all.has(id)),
      about,
    ).toEqual([]);
    if (others.length > MOST_OTHERS || requirements.some((id) => !early.has(id))) crowded.push(about);
    count++;
  }
  expect(count).toBe(MIXTURES);
  expect(crowded.length, crowded.join('\n')).toBeLessThanOrEqual(MOST_CROWDED);
});
