import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../../test/support/explore/scenarios.js';
import type { Deviation, Schedule } from '../types.js';
import { minimizeSchedule } from './minimize-schedule.js';

const scenario = parseScenario('- service: finish');
const fail = (poll: number): Deviation => ({
  kind: 'limited',
  rule: { network: 'fail', of: { poll }, status: 429 },
  at: `poll#${poll}`,
});
const drop: Deviation = {
  kind: 'response-lost',
  rule: { network: 'drop', of: { create: 1 } },
  at: 'create#1',
};
const names = ({ deviations }: Schedule) => deviations.map(({ at }) => at);

/** Shrinks what is needed to: all of `needed` must be there. */
function shrinkTo(deviations: Deviation[], isShown: (schedule: Schedule) => boolean, most = 60) {
  const asked: Schedule[] = [];
  const shows = async (schedule: Schedule) => {
    asked.push(schedule);
    return isShown(schedule);
  };
  return minimizeSchedule({ scenario, deviations }, shows, most, () => []).then((small) => ({
    small,
    asked,
  }));
}

describe('minimizeSchedule', () => {
  it('removes unnecessary deviations', async () => {
    const { small } = await shrinkTo([drop, fail(1), fail(2)], (schedule) =>
      names(schedule).includes('create#1'),
    );
    expect(names(small)).toEqual(['create#1']);
  });

  it('keeps deviations that are necessary together', async () => {
    const both = (schedule: Schedule) =>
      ['create#1', 'poll#1'].every((name) => names(schedule).includes(name));
    const { small } = await shrinkTo([drop, fail(2), fail(1)], both);
    expect(names(small)).toEqual(['create#1', 'poll#1']);
  });

  it('removes all deviations if the unchanged scenario fails', async () => {
    const { small } = await shrinkTo([drop, fail(1)], () => true);
    expect(small.deviations).toEqual([]);
  });

  it('uses the earliest poll that reproduces the failure', async () => {
    const polls = ({ deviations }: Schedule) => deviations.map(({ rule }) => rule.of?.poll as number);
    const { small } = await shrinkTo([fail(9)], (schedule) => (polls(schedule)[0] ?? 0) >= 2);
    expect(small.deviations).toEqual([fail(2)]);
  });

  it('limits the number of runs', async () => {
    const { asked, small } = await shrinkTo([fail(7), fail(8), fail(9)], () => false, 2);
    expect(asked).toHaveLength(2);
    expect(small.deviations).toHaveLength(3);
  });
});
