import type { NetworkRule, Target } from '../../../scenarios/format/types.js';
import type { Deviation, Schedule } from '../types.js';

/**
 * The smallest schedule that still shows the same. First deviations are left out, one at a time, until each is needed;
 * then those left are made simpler. `shows` runs one and is asked `most` times at most.
 */
export async function shrink(
  schedule: Schedule,
  shows: (schedule: Schedule) => Promise<boolean>,
  most = 60,
): Promise<Schedule> {
  let best = schedule;
  let asked = 0;
  const isBetter = async (deviations: Deviation[]): Promise<boolean> => {
    if (asked >= most) return false;
    asked++;
    const candidate = { scenario: schedule.scenario, deviations };
    if (!(await shows(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let index = best.deviations.length - 1; index >= 0 && best.deviations.length > 0; index--) {
    // What was needed beside one that has gone may be needless without it.
    if (await isBetter(best.deviations.toSpliced(index, 1))) index = best.deviations.length;
  }
  for (let index = 0; index < best.deviations.length; index++) {
    for (const simpler of simplified(best.deviations[index]!)) {
      if (await isBetter(best.deviations.with(index, simpler))) break;
    }
  }
  return best;
}

/** Simpler ones of the same kind, the simplest first: about an earlier poll, or about the first of a row. */
function simplified(deviation: Deviation): Deviation[] {
  const { rule } = deviation;
  const found: Deviation[] = [];
  const { skip, ...unskipped } = rule;
  if (skip) found.push({ ...deviation, rule: unskipped as NetworkRule });
  const { of } = rule;
  if (of && typeof of.poll === 'number') {
    for (const poll of earlier(of.poll))
      found.push({ ...deviation, at: `poll#${poll}`, rule: { ...rule, of: { ...of, poll } } as NetworkRule });
  }
  if (rule.network === 'hold' && 'arrive' in rule.until) {
    const { arrive } = rule.until as { arrive: Target };
    if (typeof arrive.poll === 'number') {
      for (const poll of earlier(arrive.poll))
        found.push({ ...deviation, rule: { ...rule, until: { arrive: { ...arrive, poll } } } });
    }
  }
  return found;
}

function earlier(poll: number): number[] {
  return [...new Set([1, 2, Math.floor(poll / 2)])].filter((each) => each >= 1 && each < poll);
}
