import { expect, it } from 'vitest';
import { mutants } from '../../../test/mutants/mutants.js';
import { searchMock } from '../../../test/mutants/search-mock.js';
import type { ConformResult } from '../../conform.js';
import type { FetchFunction } from '../http-client/target.js';
import { writeScript } from './reproduce/script.js';
import { readSequence, writeSequence } from './reproduce/sequence-file.js';

function failures({ checks }: ConformResult): string[] {
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

it('searchService finds a fault and minimizes its sequence; a replay of the file reproduces it', async () => {
  const faulty = mutants.find(({ requirement }) => requirement === 'PROFILE-04')!;
  const wrap = (fetch: FetchFunction) => faulty.wrap(fetch, { now: () => 0 });
  const report = await searchMock(40, wrap);
  const found = report.found!.find(({ finding }) => finding.requirement === 'PROFILE-04')!;
  expect(found.shown).toBe(3);
  expect(found.sequence.length).toBeLessThanOrEqual(4);
  expect(failures(report).some((id) => id.endsWith('#PROFILE-04'))).toBe(true);

  const text = writeSequence(found, { dialect: {}, seed: 1, again: 'again' });
  const replay = readSequence(text, 'found.yaml');
  expect(failures(await searchMock(0, wrap, replay))).toContain('search/replay#PROFILE-04');
  expect(failures(await searchMock(0, undefined, replay))).toEqual([]);

  const script = writeScript(found, 'http://127.0.0.1:1');
  expect(script).toContain('curl -sS -X POST "$TASKDOUBLE_BASE_URL/api/v1/profile"');
  expect(script).not.toContain('main-key');
});
