import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import { playRoundTrip } from '../../../test/support/recordings/round-trip.js';

const library = await readLibrary();

/** A request that is repeated while a poll gets its result: a scenario has one order of the two. */
const REPEATED_BESIDE_ITS_RESULT = ['errors/action-response-lost', 'errors/close-response-lost'];

/** The reference client runs the library; each journal is converted into a scenario, which the same client runs. */
describe('the scenario of a recorded conversation', () => {
  it.each(
    library
      .filter(({ name }) => !REPEATED_BESIDE_ITS_RESULT.includes(name))
      .map((each) => [each.name, each] as const),
  )('%s: the same conversation', async (_, scenario) => {
    const { problems, before, after, yaml } = await playRoundTrip(scenario);
    expect(problems).toEqual([]);
    expect(after, yaml).toEqual(before);
  });
});
