import { describe, expect, it } from 'vitest';
import { listBrokenRequirements } from './broken-requirements.js';
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
/** Share of those whose first cause names a requirement that the fault breaks. */
const LEAST_NAMED = 0.9;

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

  it('has failures with almost every fault, and the first cause names it', async () => {
    const missed: string[] = [];
    const unnamed: string[] = [];
    for (const fault of Object.keys(faults)) {
      const { causes } = await judgeService(createService, { fault });
      const [first] = causes;
      const broken = listBrokenRequirements(fault);
      expect(broken, fault).not.toEqual([]);
      if (first === undefined) missed.push(fault);
      else if (!broken.some((id) => first.example.endsWith(`#${id}`))) unnamed.push(fault);
    }
    const all = Object.keys(faults).length;
    const found = all - missed.length;
    expect(found / all, `not found: ${missed.join(' ')}`).toBeGreaterThanOrEqual(LEAST_FOUND);
    const named = found - unnamed.length;
    expect(named / found, `not named: ${unnamed.join(' ')}`).toBeGreaterThanOrEqual(LEAST_NAMED);
  });
});
