import { describe, expect, it } from 'vitest';
import { findGeneratedConversation } from '../client/generate/generate-scenario.js';
import { expandGenerated } from './explored-scenarios.js';
import { minimizeScenario } from './reproduce/reproducer.js';
import type { Deviation, Schedule } from './types.js';

describe('generated', () => {
  it('expands to 20 conversations of the seed, next to other names', () => {
    const given = expandGenerated(['polling/one-shot', 'generated'], 3);
    expect(given).toHaveLength(21);
    expect(given).toEqual(expandGenerated(given, 3));
    expect(expandGenerated(['generated'], 4)).not.toEqual(given.slice(1));
    for (const name of given.slice(1) as string[]) {
      expect(name).toMatch(/^generated\/3-\d+$/);
      expect(findGeneratedConversation(name)!.scenario.timeline.length).toBeLessThanOrEqual(20);
    }
  });
});

describe('the generated scenario of a schedule', () => {
  const name = expandGenerated(['generated'], 1).find((each) => hasCalls(each as string, 3)) as string;
  const { scenario } = findGeneratedConversation(name)!;
  const calls = ({ timeline }: Schedule['scenario']) =>
    timeline.flatMap((step) => ('service' in step && step.service === 'tool_call' ? [step.id] : []));
  const [, , third] = calls(scenario);
  const late: Deviation = {
    kind: 'delay',
    rule: { network: 'delay', time_ms: 100, of: { step: third! } },
    at: `step ${third}`,
  };
  const schedule: Schedule = { scenario, deviations: [late] };

  it('is minimized to the smallest that still reproduces the failure, with the same deviations', async () => {
    const shows = async (candidate: Schedule) => calls(candidate.scenario).includes(third);
    const small = await minimizeScenario(schedule, shows, { runs: 500 });
    expect(small.deviations).toEqual([late]);
    expect(calls(small.scenario)).toEqual([third]);
    expect(small.scenario.name).toBe(name);
  });

  it('is unchanged if no smaller one reproduces it, or if it is not generated', async () => {
    expect(await minimizeScenario(schedule, async () => false, { runs: 500 })).toBe(schedule);
    const other = { ...schedule, scenario: { ...scenario, name: 'own' } };
    expect(await minimizeScenario(other, async () => true, { runs: 500 })).toBe(other);
  });
});

function hasCalls(name: string, least: number): boolean {
  const { timeline } = findGeneratedConversation(name)!.scenario;
  return timeline.filter((step) => 'service' in step && step.service === 'tool_call').length >= least;
}
