import { describe, expect, it } from 'vitest';
import { type CreateService, judgeService } from './judge-service.js';
import * as folded from './services/folded.js';
import * as steady from './services/steady.js';

const SERVICES: readonly {
  name: string;
  createService: CreateService;
  faults: Record<string, unknown>;
  variations: Record<string, unknown>;
}[] = [
  { name: 'steady', ...steady },
  { name: 'folded', ...folded },
];
/** Share of the faults that the cases find without generated sequences. */
const LEAST_FOUND = 0.95;

describe.each(SERVICES)('the service "$name"', ({ createService, faults, variations }) => {
  it('has no failure, as it is and with each variation', async () => {
    const failed: Record<string, unknown> = {};
    for (const variation of [undefined, ...Object.keys(variations)]) {
      const { checks } = await judgeService(createService, variation === undefined ? {} : { variation });
      const ids = checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
      if (ids.length > 0) failed[variation ?? 'as it is'] = ids;
      expect(checks.some(({ outcome }) => outcome === 'passed')).toBe(true);
    }
    expect(failed).toEqual({});
  });

  it('has failures with almost every fault', async () => {
    const missed: string[] = [];
    for (const fault of Object.keys(faults)) {
      const { checks } = await judgeService(createService, { fault });
      if (!checks.some(({ outcome }) => outcome === 'failed')) missed.push(fault);
    }
    const found = 1 - missed.length / Object.keys(faults).length;
    expect(found, `not found: ${missed.join(' ')}`).toBeGreaterThanOrEqual(LEAST_FOUND);
  });
});
