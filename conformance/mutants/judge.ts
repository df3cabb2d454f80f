import { createMock } from '../../mock/create.js';
import { type Conformed, conform } from '../conform.js';
import { mockTarget } from '../service/in-process.js';
import { ALLOWANCES, type Probe } from '../service/probe.js';
import type { Fetch } from '../service/target.js';
import type { Mutant } from './mutant.js';

/** Keys that unlock every probe. */
const KEYS = { other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' };
const MAIN = 'main-key';

/** Holds the suite, or some of its probes, against a mock in virtual time; through a mutant, if one is given. */
export async function judged(mutant?: Pick<Mutant, 'wrap'>, probes?: readonly Probe[]): Promise<Conformed> {
  const mock = createMock({ clock: 'manual' });
  try {
    await mock.ready;
    const core: Fetch = (address, init) => mock.fetch(address, init);
    const fetch = mutant ? mutant.wrap(core, { now: () => mock.clock.now(MAIN) }) : core;
    return await conform({
      ...mockTarget(mock, (address, init) => fetch(String(address), init)),
      api_key: MAIN,
      keys: KEYS,
      allow: ALLOWANCES,
      concurrency: 1,
      seed: 1,
      ...(probes ? { probes } : {}),
    });
  } finally {
    await mock.close();
  }
}

/** The checks of a run that failed, by the requirements they are about. */
export function failures({
  checks,
}: Pick<Conformed, 'checks'>): { id: string; covers: string[]; message: string }[] {
  return checks
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id, covers, message }) => ({ id, covers, message }));
}
