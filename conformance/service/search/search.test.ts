import { describe, expect, it } from 'vitest';
import { mutants } from '../../../test/mutants/mutants.js';
import { nullServices } from '../../../test/mutants/null-services.js';
import { searched } from '../../../test/mutants/searched.js';
import { type Conformed, searchService } from '../../conform.js';
import type { FetchFunction } from '../http-client/target.js';
import { writeScript } from './reproduce/script.js';
import { readSequence, writeSequence } from './reproduce/sequence-file.js';

function failures({ checks }: Conformed): string[] {
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

describe('searchService', () => {
  it('finds nothing wrong with the mock, and passes what the sequences show', async () => {
    const report = await searched(12);
    expect(failures(report)).toEqual([]);
    expect(report.left).toEqual([]);
    expect(report.sequences).toMatchObject({ sequences: 12, observations: [] });
    expect(report.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(20);
  });

  it('sends nothing that the service lacks, by operation or tag', async () => {
    const report = await searched(12, undefined, undefined, ['chats', 'listProfiles']);
    const sent = new Set(report.exchanges.map(({ operation }) => operation));
    expect(sent).toContain('createTask');
    for (const lacking of ['listProfiles', 'listChats', 'createChatTask', 'getChat', 'createMessage'])
      expect(sent).not.toContain(lacking);
    const all = new Set((await searched(12)).exchanges.map(({ operation }) => operation));
    expect([...all]).toEqual(expect.arrayContaining(['listProfiles', 'listChats']));
  });

  it('finds a fault, and the shortest sequence that shows it, which a file keeps and a replay shows again', async () => {
    const faulty = mutants.find(({ requirement }) => requirement === 'PROFILE-04')!;
    const wrap = (fetch: FetchFunction) => faulty.wrap(fetch, { now: () => 0 });
    const report = await searched(20, wrap);
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
