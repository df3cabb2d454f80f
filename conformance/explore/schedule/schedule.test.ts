import { describe, expect, it } from 'vitest';
import { scenarioOf } from '../../../test/support/explore/scenarios.js';
import type { Deviation } from '../types.js';
import { scheduled, scheduleText, unrealised } from './schedule.js';

const limited: Deviation = {
  kind: 'limited',
  rule: { network: 'fail', of: { poll: 2 }, status: 429 },
  at: 'poll#2',
};
const lost: Deviation = {
  kind: 'response-lost',
  rule: { network: 'drop', of: { create: 1 }, side: 'response' },
  at: 'create#1',
};
const scenario = scenarioOf('- service: finish\n  after: 1s');

describe('a schedule', () => {
  it('is played with its deviations as network steps before everything else', () => {
    const { timeline } = scheduled({ scenario, deviations: [limited, lost] });
    expect(timeline.map(({ id }) => id)).toEqual(['d1', 'd2', undefined]);
    expect(timeline[0]).toEqual({ network: 'fail', of: { poll: 2 }, status: 429, id: 'd1' });
    expect(scheduled({ scenario, deviations: [] })).toBe(scenario);
  });

  it('is the same in every order of its deviations, and another with another one', () => {
    const text = scheduleText({ scenario, deviations: [limited, lost] });
    expect(scheduleText({ scenario, deviations: [lost, limited] })).toBe(text);
    expect(scheduleText({ scenario, deviations: [limited] })).not.toBe(text);
    expect(scheduleText({ scenario: { ...scenario, name: 'other' }, deviations: [limited, lost] })).not.toBe(
      text,
    );
  });

  it('is unrealised where a rule has not fired, or a hold gave up', () => {
    const rule = { rule: limited.rule, state: 'live' as const, passed: 0, waiting: 0 };
    const schedule = { scenario, deviations: [limited, lost] };
    const fired = { ...rule, fired: 1, gave_up: 0 };
    expect(unrealised(schedule, [{ ...fired, id: 'task-1/d1', step: 'd1' }])).toEqual([1]);
    expect(
      unrealised(schedule, [
        { ...fired, id: 'task-1/d1' },
        { ...fired, id: 'd2', step: 'd2' },
      ]),
    ).toEqual([]);
    expect(
      unrealised(schedule, [
        { ...fired, id: 'task-1/d1', gave_up: 1 },
        { ...fired, id: 'd2', fired: 0 },
      ]),
    ).toEqual([0, 1]);
  });
});
