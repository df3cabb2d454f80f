import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkClient } from '../../conformance/check-client/check-client.js';
import type { GivenClient } from '../../conformance/client/run/client-options.js';
import { DEFECTS, JOINED } from './clients/defects.js';
import { compare, findStray } from './compare.js';

/** Those that are programs of their own, which start others at each step, and what they play: where each defect shows. */
const PROGRAMS: Readonly<Record<string, string[]>> = {
  'shell-program': ['polling/*', 'tool-calls/*', 'sessions/*', 'errors/truncated-poll'],
};

async function clientNamed(name: string): Promise<GivenClient> {
  const file = join(import.meta.dirname, `clients/${name}.mjs`);
  return name in PROGRAMS ? { kind: 'node', command: ['node', file] } : (await import(file)).run;
}

describe('clients of people who do not know this code', () => {
  it('fails nothing of the one that has no defects', async () => {
    const { summary, checks } = await checkClient({ client: await clientNamed('sound') });
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(summary.passed).toBeGreaterThan(300);
  });

  it.each(Object.entries(DEFECTS))(
    '%s: each cause names one defect, each defect has a cause',
    async (name, defects) => {
      expect(findStray(`clients/${name}.mjs`, defects)).toEqual([]);
      const scenarios = PROGRAMS[name];
      const report = await checkClient({ client: await clientNamed(name), ...(scenarios && { scenarios }) });
      const found = compare(report, defects);
      expect({ ...found, mixed: found.mixed.sort() }).toMatchObject({
        unexplained: [],
        unnamed: [],
        mixed: JOINED[name] ?? [],
      });
    },
  );
});
