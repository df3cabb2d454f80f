import { describe, expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import { FIXTURES } from '../../../test/mutants/fixtures.js';
import { mutants } from '../../../test/mutants/mutants.js';
import { nullServices } from '../../../test/mutants/null-services.js';
import { type Conformed, searchService } from '../../conform.js';
import { mockTarget } from '../http-client/in-process.js';
import type { FetchFunction } from '../http-client/target.js';
import { ALLOWANCES } from '../test-case/test-case.js';

/** A search in virtual time against a mock; through a faulty service around it, if one is given. */
async function searched(
  sequences: number,
  wrap?: (fetch: FetchFunction) => FetchFunction,
): Promise<Conformed> {
  const mock = new Mock({ clock: 'manual', fixtures: FIXTURES });
  await mock.ready;
  const core: FetchFunction = (address, init) => mock.fetch(address, init);
  try {
    return await searchService({
      ...mockTarget(mock, wrap?.(core) as typeof mock.fetch | undefined),
      apiKey: 'main-key',
      keys: { other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' },
      allow: ALLOWANCES,
      concurrency: 1,
      seed: 1,
      sequences,
    });
  } finally {
    await mock.close();
  }
}

function failures({ checks }: Conformed): string[] {
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

describe('searchService', () => {
  it('finds nothing wrong with the mock, and passes what the sequences show', async () => {
    const report = await searched(25);
    expect(failures(report)).toEqual([]);
    expect(report.left).toEqual([]);
    expect(report.sequences).toMatchObject({ sequences: 25, observations: [] });
    expect(report.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(30);
  });

  it('finds a fault, and the shortest sequence that shows it', async () => {
    const faulty =
      mutants.find(({ id }) => id === 'delete-profile-pretended') ??
      mutants.find(({ requirement }) => requirement === 'PROFILE-04')!;
    const report = await searched(40, (fetch) => faulty.wrap(fetch, { now: () => 0 }));
    const found = report.found!.find(({ finding }) => finding.requirement === 'PROFILE-04')!;
    expect(found.shown).toBe(3);
    expect(found.sequence.length).toBeLessThanOrEqual(4);
    expect(failures(report).some((id) => id.endsWith('#PROFILE-04'))).toBe(true);
  });

  it('passes nothing where there is no service', async () => {
    for (const name of ['constant 200 {"r":{}}', 'constant 404', 'closes every connection']) {
      const report = await searchService({
        baseUrl: 'http://null.test',
        apiKey: 'main-key',
        fetch: nullServices[name]!,
        clock: { now: () => 0, sleep: async () => {} },
        sequences: 3,
        seed: 1,
      });
      expect(
        report.checks.filter(({ outcome }) => outcome === 'passed'),
        name,
      ).toEqual([]);
      expect(report.sequences, name).toBeUndefined();
    }
  });
});
