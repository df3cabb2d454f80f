import { describe, expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import { FIXTURES } from '../../../test/mutants/fixtures.js';
import { mutants } from '../../../test/mutants/mutants.js';
import { nullServices } from '../../../test/mutants/null-services.js';
import { type Conformed, conform, searchService } from '../../conform.js';
import { mockTarget } from '../http-client/in-process.js';
import type { FetchFunction } from '../http-client/target.js';
import { ALLOWANCES } from '../test-case/test-case.js';
import { writeScript } from './reproduce/script.js';
import { readSequence, type SequenceFile, writeSequence } from './reproduce/sequence-file.js';

/** A search in virtual time against a mock; through a faulty service around it, if one is given. */
async function searched(
  search: number,
  wrap: (fetch: FetchFunction) => FetchFunction = (fetch) => fetch,
  replay?: SequenceFile,
): Promise<Conformed> {
  const mock = new Mock({ clock: 'manual', fixtures: FIXTURES });
  await mock.ready;
  const faulty = wrap((address, init) => mock.fetch(address, init));
  try {
    return await conform({
      ...mockTarget(mock, (address, init) => faulty(String(address), init)),
      apiKey: 'main-key',
      keys: { other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' },
      allow: ALLOWANCES,
      cases: [],
      concurrency: 1,
      seed: 1,
      search,
      replay,
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
    expect(report.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(20);
  });

  it('finds a fault, and the shortest sequence that shows it, which a file keeps and a replay shows again', async () => {
    const faulty = mutants.find(({ requirement }) => requirement === 'PROFILE-04')!;
    const wrap = (fetch: FetchFunction) => faulty.wrap(fetch, { now: () => 0 });
    const report = await searched(60, wrap);
    const found = report.found!.find(({ finding }) => finding.requirement === 'PROFILE-04')!;
    expect(found.shown).toBe(3);
    expect(found.sequence.length).toBeLessThanOrEqual(4);
    expect(failures(report).some((id) => id.endsWith('#PROFILE-04'))).toBe(true);

    const text = writeSequence(found, { dialect: {}, seed: 1, again: 'again' });
    const replay = readSequence(text, 'found.yaml');
    expect(failures(await searched(0, wrap, replay))).toContain('search/replay#PROFILE-04');
    expect(failures(await searched(0, undefined, replay))).toEqual([]);

    const script = writeScript(found, 'http://127.0.0.1:1');
    expect(script).toContain('curl -sS -X POST "$TASKDOUBLE_BASE_URL/api/v1/profile"');
    expect(script).not.toContain('main-key');
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
