import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../../test/support/explore/scenarios.js';
import type { Deviation } from '../types.js';
import { applyDeviations, formatScheduleKey, isInShard, listUntriggered } from './schedule.js';

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
const scenario = parseScenario('- service: finish\n  after: 1s');

describe('a schedule', () => {
  it('is played with its deviations as network steps at the beginning', () => {
    const { timeline } = applyDeviations({ scenario, deviations: [limited, lost] });
    expect(timeline.map(({ id }) => id)).toEqual(['d1', 'd2', undefined]);
    expect(timeline[0]).toEqual({ network: 'fail', of: { poll: 2 }, status: 429, id: 'd1' });
    expect(applyDeviations({ scenario, deviations: [] })).toBe(scenario);
  });

  it('is equal in every order of its deviations, and different with another deviation', () => {
    const text = formatScheduleKey({ scenario, deviations: [limited, lost] });
    expect(formatScheduleKey({ scenario, deviations: [lost, limited] })).toBe(text);
    expect(formatScheduleKey({ scenario, deviations: [limited] })).not.toBe(text);
    expect(
      formatScheduleKey({ scenario: { ...scenario, name: 'other' }, deviations: [limited, lost] }),
    ).not.toBe(text);
  });

  it('is not triggered if a rule has not fired, or a hold gave up', () => {
    const played = applyDeviations({ scenario, deviations: [limited, lost] });
    const rule = (id: string, fired: number, gave_up = 0) => {
      return {
        id,
        step: id,
        rule: limited.rule,
        state: 'live' as const,
        passed: 0,
        waiting: 0,
        fired,
        gave_up,
      };
    };
    const missed = (...rules: ReturnType<typeof rule>[]) => listUntriggered({ scenario: played, rules });
    expect(missed(rule('d1', 1))).toEqual(['d2']);
    expect(missed(rule('d1', 1), rule('d2', 1))).toEqual([]);
    expect(missed(rule('d1', 1, 1), rule('d2', 0))).toEqual(['d1', 'd2']);
  });
});

describe('shards', () => {
  const texts = Array.from({ length: 1000 }, (_, index) => `schedule ${index}`);

  it('have every schedule exactly once, about as many each', () => {
    const parts = [1, 2, 3].map((part) => texts.filter((text) => isInShard(text, 1, { part, of: 3 })));
    expect(parts.flat().sort()).toEqual(texts.toSorted());
    for (const part of parts) expect(part.length).toBeGreaterThan(270);
  });

  it('all run the defaults', () => {
    expect([1, 2, 3].every((part) => isInShard('x', 0, { part, of: 3 }))).toBe(true);
  });
});
