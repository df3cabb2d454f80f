import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compare, findStray } from './compare.js';
import { type Service, soundService } from './services/base/service.js';
import { DEFECTS, JOINED } from './services/defects.js';
import { judgeService } from './services/judge.js';

describe('services of people who do not know this code', () => {
  it('fails nothing of the one that has no defects', async () => {
    const { summary, checks } = await judgeService(soundService);
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(summary.passed).toBeGreaterThan(400);
  });

  it.each(Object.entries(DEFECTS))(
    '%s: each cause names one defect, each defect has a cause',
    async (name, defects) => {
      expect(findStray(`services/${name}.ts`, defects)).toEqual([]);
      const { default: service } = (await import(join(import.meta.dirname, `services/${name}.ts`))) as {
        default: Service;
      };
      const found = compare(await judgeService(service), defects);
      expect({ ...found, mixed: found.mixed.sort() }).toMatchObject({
        unexplained: [],
        unnamed: [],
        mixed: JOINED[name] ?? [],
      });
    },
  );
});
