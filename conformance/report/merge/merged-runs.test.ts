import { describe, expect, it } from 'vitest';
import { judgeMutant } from '../../../test/mutants/judge.js';
import { mutants } from '../../../test/mutants/mutants.js';
import { loadClient } from '../../../test/support/client/fixture.js';
import { mergeParts, summarizeReport, toWritten } from '../../../test/support/report/merge-parts.js';
import { createCheck, createReport } from '../../../test/support/report/reports.js';
import { checkClient } from '../../check-client/check-client.js';
import type { Shard } from '../../common/shard.js';
import { listCaseChecks, planRun, type Selection } from '../../conform.js';
import { allCases } from '../../service/all-cases.js';
import type { ConformReport } from '../../service/runner/result.js';
import { listSequenceNumbers, TASKS_OF_SEQUENCE } from '../../service/search/sequence/sequence.js';
import { applyBaseline, loadBaseline } from '../baseline.js';
import { mergeReports } from './merge-reports.js';

const listParts = (of: number): Shard[] =>
  Array.from({ length: of }, (_, index) => ({ part: index + 1, of }));

describe('a divided run of conform', () => {
  const listIds = (selection: Selection) => listCaseChecks(planRun(selection).cases).map(({ id }) => id);

  it.each([1, 2, 3, 7])('in %i parts has every check in exactly one of them', (of) => {
    for (const selection of [{}, { suites: ['auth'] }, { search: 20 }, { lacks: ['sessions'] }]) {
      const parts = listParts(of).flatMap((shard) => listIds({ ...selection, shard }));
      expect(parts.toSorted()).toEqual(listIds(selection).sort());
    }
  });

  it.each([1, 2, 3, 7])('in %i parts sends every generated sequence in exactly one of them', (of) => {
    const listAll = (shard?: Shard) => Object.values(listSequenceNumbers(50, shard)).flat();
    const byNumber = (one: number, other: number) => one - other;
    expect(
      listParts(of)
        .flatMap((shard) => listAll(shard))
        .sort(byNumber),
    ).toEqual(listAll().sort(byNumber));
    // Those that run alone are shared as well.
    const alone = listParts(of).map((shard) => listSequenceNumbers(80, shard).alone.length);
    expect(Math.max(...alone) - Math.min(...alone)).toBeLessThan(2);
  });

  it('detects the choices of the service in each part that searches, and reports them in one', () => {
    const [first, second] = listParts(2).map((shard) => planRun({ search: 10, shard }));
    const observing = [...first!.observing, ...second!.observing].map(({ id }) => id);
    expect(observing.length).toBeGreaterThan(5);
    expect(new Set(observing).size).toBe(observing.length);
    const own = new Set(first!.cases.map(({ id }) => id));
    expect(first!.observing.filter(({ id }) => own.has(id))).toEqual([]);
    expect(planRun({ shard: { part: 1, of: 2 } }).observing).toEqual([]);
    expect(first!.tasks - planRun({ shard: { part: 1, of: 2 } }).tasks).toBeGreaterThanOrEqual(
      5 * TASKS_OF_SEQUENCE,
    );
  });

  it('merged equals the whole one', async () => {
    const mutant = mutants.find(({ id }) => id === 'poll-always-200')!;
    const cases = allCases.filter(({ id }) => /^(?:polling|auth\/list)/.test(id));
    const whole = toWritten(await judgeMutant(mutant, { cases }));
    const { parts, merged } = await mergeParts(3, (shard) => judgeMutant(mutant, { cases, shard }));
    expect(whole.summary.failed).toBeGreaterThan(3);
    expect(parts.filter(({ summary }) => summary.failed > 0).length).toBeGreaterThan(1);
    expect(parts[1]!.shard).toEqual({ part: 2, of: 3 });
    expect(summarizeReport(merged)).toEqual(summarizeReport(whole));
  });
});

describe('a divided run of client', () => {
  const scenarios = ['tool-calls/*', 'sessions/bare-results', 'races/unknown-tool'];

  it.each(['reference', 'buggy/one-call-an-answer'])('of %s merged equals the whole one', async (name) => {
    const client = await loadClient(name);
    const options = { client, scenarios, search: 4 };
    const whole = toWritten(await checkClient(options));
    const { merged } = await mergeParts(3, (shard) => checkClient({ ...options, shard }));
    expect(whole.summary.failed > 0).toBe(name !== 'reference');
    expect(whole.checks.some((check) => check.case === 'generated/1-4')).toBe(true);
    expect(summarizeReport(merged)).toEqual(summarizeReport(whole));
  });
});

describe('reports of parts', () => {
  const createPart = (part: number, of: number, more: Partial<ConformReport> = {}) => ({
    file: `${part}.json`,
    report: createReport([createCheck(`polling/p${part}#POLL-01`, 'passed')], {
      shard: { part, of },
      ...more,
    }),
  });

  it('name what is missing', () => {
    const { report } = mergeReports([createPart(3, 4), createPart(1, 4, { stopped: 'interrupted' })]);
    expect(report.stopped).toBe('shards 2/4 and 4/4 are missing; shard 1/4: interrupted');
    expect(report.shard).toBeUndefined();
    expect(report.checks.map((check) => check.case)).toEqual(['polling/p1', 'polling/p3']);
  });

  it.each<[string, ReturnType<typeof createPart>[], string]>([
    ['twice the same', [createPart(1, 2), createPart(1, 2)], '1.json and 1.json are both shard 1/2'],
    [
      'other numbers of parts',
      [createPart(1, 2), createPart(2, 3)],
      'differ in the number of shards: 2 and 3',
    ],
    ['other seeds', [createPart(1, 2), createPart(2, 2, { seed: 9 })], 'differ in the seed: 7 and 9'],
    [
      'a whole run',
      [createPart(1, 2), { file: 'all.json', report: createReport([]) }],
      '1.json is the report of a shard, and all.json that of a run that was not divided',
    ],
  ])('%s: are refused', (_, given, message) => {
    expect(() => mergeReports(given)).toThrow(message);
  });

  it('keep each failure of generated sequences, which every part numbers from one', () => {
    const fail = (failure: string, id = 'search/getTask#POLL-01') =>
      createCheck(id, 'failed', { suite: 'search', failure });
    const passed = createCheck('search/sequences#TASK-01', 'passed', {
      message: 'kept, as 5 sequences show',
    });
    const kept = createCheck('search/sequences#POLL-01', 'passed');
    const searched = {
      ...{ sequences: 5, requests: 50, observations: [] },
      coverage: { cells: 3, of: 9, pairs: 2, of_pairs: 9, states: 1, of_states: 9, uncovered: ['both'] },
    };
    const part = (number: number, checks: ConformReport['checks'], cells: number) => ({
      file: `${number}.json`,
      report: createReport(checks, {
        shard: { part: number, of: 2 },
        sequences: {
          ...searched,
          coverage: { ...searched.coverage, cells, uncovered: ['both', `of ${number}`] },
        },
      }),
    });
    const { report } = mergeReports([
      part(1, [fail('POLL-01 getTask status'), passed], 3),
      part(
        2,
        [fail('POLL-01 getTask body'), fail('POLL-01 getTask status', 'search/getTask-2#POLL-01'), kept],
        4,
      ),
    ]);
    expect(report.checks.map(({ id, failure, message }) => [id, failure ?? message])).toEqual([
      ['search/getTask#POLL-01', 'POLL-01 getTask status'],
      ['search/getTask-2#POLL-01', 'POLL-01 getTask body'],
      ['search/sequences#TASK-01', 'kept, as 10 sequences show'],
    ]);
    expect(report.sequences).toMatchObject({
      sequences: 10,
      requests: 100,
      coverage: { cells: 4, of: 9, uncovered: ['both'] },
    });
  });

  it('report a stale entry of the baseline by the part that can decide it', () => {
    const entry = (check: string) => `- check: ${check}\n  reason: known\n  expires: 2099-01-01\n`;
    const text = entry("'polling/p1#POLL-01'") + entry("'*#POLL-01'");
    const baseline = loadBaseline(text, 'known.yaml').baseline!;
    const applied = [createPart(1, 2), createPart(2, 2)].map(({ file, report }) => {
      const other = file === '1.json' ? 'polling/p2#POLL-01' : 'polling/p1#POLL-01';
      return { file, report: applyBaseline(report, baseline, { today: '2026-01-01', unselected: [other] }) };
    });
    expect(mergeReports(applied).report.baseline!.problems).toEqual([
      'known.yaml:1:3: "polling/p1#POLL-01" does not fail any more; remove the entry',
    ]);
  });
});
