import { describe, expect, it } from 'vitest';
import { formatReport } from '../../test/support/report/format-report.js';
import { createExploreReport, createFailure, createScenario } from '../../test/support/report/searches.js';
import type { ExploreReport, Failure, Replay } from '../explore/types.js';
import { formatStaticReport } from './formats/html/page.js';
import { createReportPage } from './formats/html/report-page.js';
import { FORMATS } from './formats.js';
import { createReplayReport, createSearchReport } from './search-report.js';
import { decideVerdict } from './verdict.js';
import { ReportView } from './view.js';

const search = {
  client: 'node c.mjs',
  started: new Date('2026-01-02T03:04:05Z'),
  again: ({ name }: Failure) => `again ${name}`,
  file: ({ name }: Failure) => `${name}.yaml`,
};
const made = (more: Partial<ExploreReport> = {}) => createSearchReport(createExploreReport(more), search);

describe('a search in the form of a report', () => {
  it('has a failed check for each failure, with its deviations and the line to see it again', () => {
    const report = made({ failures: [createFailure('tool-calls/one-call')] });
    const [check] = report.checks;
    expect(check).toMatchObject({
      id: 'tool-calls/one-call#replies/outcome first',
      suite: 'tool-calls',
      outcome: 'failed',
      again: 'again replies-outcome-first',
    });
    expect(check!.message).toBe(
      'another outcome in exchange 2\nDeviations: drop response of poll 1 (found in schedule 17 after 1.9 s, seen in 3 schedules).',
    );
    expect(report.summary).toEqual({ passed: 1, failed: 1, inconclusive: 0, skipped: 0 });
  });

  it('has a passed check only for a scenario that was run and in which nothing was found', () => {
    const report = made({
      failures: [createFailure('tool-calls/one-call')],
      scenarios: ['tool-calls/one-call', 'mine', 'late'],
    });
    expect(report.checks.map(({ id, suite, outcome }) => [id, suite, outcome])).toEqual([
      ['tool-calls/one-call#replies/outcome first', 'tool-calls', 'failed'],
      ['mine#explored', 'own', 'passed'],
      ['late#explored', 'own', 'skipped'],
    ]);
    expect(report.checks[1]!.message).toContain('1 of 1 with 0, 20 of 40 with 1');
  });

  it('passes no scenario that fails with what another one showed first, or with what is known', () => {
    const scenarios = ['tool-calls/one-call', 'mine', 'late'];
    const report = made({
      failures: [{ ...createFailure('tool-calls/one-call'), scenarios: ['tool-calls/one-call', 'mine'] }],
      scenarios,
      coverage: scenarios.map((scenario) => ({
        scenario,
        deviations: 0,
        run: 1,
        of: 1,
        queued: 1,
        ours: 1,
        expanded: 1,
        notTriggered: 0,
      })),
      broken: [
        { scenario: 'mine', runs: 1, runsUnchanged: 1, keys: ['replies/outcome first'] },
        { scenario: 'late', runs: 1, runsUnchanged: 1, keys: ['line/output'] },
      ],
    });
    expect(report.checks.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['tool-calls/one-call#replies/outcome first', 'failed'],
      ['late#explored', 'inconclusive'],
    ]);
    expect(report.checks[0]!.message).toContain('also in mine');
    expect(report.checks[1]!.message).toBe('1 of 1 schedule broke rules: line/output (known)');
  });

  it('has one cause and one failure for each root; with all, every failure of it', () => {
    const [first, other] = [
      createFailure('mine'),
      { ...createFailure('mine', 'line/output'), key: 'line/output' },
    ];
    // Of one run.
    const failures = [first, { ...other, exchanges: first.exchanges }];
    const report = made({ failures });
    expect(report.causes).toMatchObject([
      {
        id: 'replies/outcome, no response poll',
        title: 'A reply did not carry what the tool returned when the response to poll 1 was lost.',
        explains: 1,
      },
    ]);
    expect(report.checks[0]!.message).toContain('It also breaks line/output.');
    expect(report.failures).toEqual([
      {
        id: 'mine#replies/outcome first',
        cause: 'replies/outcome, no response poll',
        rule: 'replies/outcome',
        scenarios: ['mine'],
        deviations: ['drop response of poll 1'],
        schedule: 17,
        seconds: 1.9,
        seen: 3,
        file: 'replies-outcome-first.yaml',
        timeline: ['0 ms  → create 1 ← 200'],
      },
    ]);
    const all = createSearchReport(createExploreReport({ failures }), { ...search, all: true });
    expect(all.failures!.map(({ rule }) => rule)).toEqual(['replies/outcome', 'line/output']);
    expect(all.causes).toMatchObject([{ explains: 2 }]);
    expect(all.exchanges).toHaveLength(2);
  });

  it('has the exchanges of all failures, in the order of their numbers', () => {
    const report = made({
      failures: [createFailure('mine'), createFailure('mine', 'line/output', 'must', 4)],
      advice: [createFailure('mine', 'x/y', 'advice', 2)],
    });
    expect(report.exchanges.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(report.checks.map(({ evidence }) => evidence).slice(0, 2)).toEqual([[2], [6]]);
    expect(report.checks[1]!.message).toContain('another outcome in exchange 6\n');
    expect(report.advice).toMatchObject([{ id: 'mine#x/y first', evidence: [4] }]);
  });

  it('explains why nothing could be tested, and passes no check', () => {
    const report = made({ untestable: 'no such program', coverage: [] });
    expect(report.summary).toEqual({ passed: 0, failed: 0, inconclusive: 0, skipped: 0 });
    expect(report.stopped).toBe('no such program');
  });

  it('takes one screen: the first defect with its timeline, the others in a line each', async () => {
    const failures = ['a/b', 'c/d', 'e/f', 'g/h'].map((rule, at) =>
      createFailure('mine', rule, 'must', 2 * at),
    );
    const timeline = Array.from({ length: 40 }, (_, at) => `${at} s  → poll ${at} ← 202`);
    const lines = (
      await formatReport(made({ failures: failures.map((each) => ({ ...each, timeline })) }), 'pretty')
    )
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.startsWith('✗ '))).toHaveLength(4);
    expect(lines).toContain('    … 33 earlier lines, in its file');
    expect(lines).toContain('    39 s  → poll 39 ← 202');
    expect(lines.filter((line) => line.includes('See it again'))).toHaveLength(1);
  });

  it('names the line that shows a race step by step, in HTML on the screen and on paper', () => {
    const view = new ReportView(made({ failures: [createFailure('mine')] }));
    const line = 'npx taskdouble view replies-outcome-first.yaml';
    expect(createReportPage(view).checks[0]!.view).toBe(line);
    expect(formatStaticReport(view)).toContain(`See it step by step: ${line}`);
  });

  it('can be written in every form', async () => {
    for (const form of FORMATS) {
      expect(
        (await formatReport(made({ failures: [createFailure('mine')] }), form)).length,
        form,
      ).toBeGreaterThan(50);
    }
  });
});

describe('a replay in the form of a report', () => {
  const replayed = (more: Partial<Replay>): Replay => ({
    findings: [],
    expected: 'replies/outcome first',
    shown: false,
    notTriggered: [],
    run: {
      scenario: createScenario('mine'),
      kind: 'node',
      seed: 1,
      exchanges: [],
    } as unknown as Replay['run'],
    ...more,
  });
  const outcomes = (more: Partial<Replay>) =>
    createReplayReport(replayed(more), search).checks.map(({ id, outcome }) => [id, outcome]);

  it('fails for what breaks a rule', () => {
    const findings: Replay['findings'] = [
      {
        rule: 'replies/outcome',
        requirement: 'TOOL-06',
        side: 'client',
        about: 'first',
        level: 'must',
        message: 'm',
        evidence: [1],
      },
      {
        rule: 'CLIENT-03',
        requirement: 'CLIENT-03',
        side: 'client',
        level: 'advice',
        message: 'slower',
        evidence: [],
      },
    ];
    expect(outcomes({ findings, shown: true })).toEqual([['mine#replies/outcome first', 'failed']]);
    expect(createReplayReport(replayed({ findings, shown: true }), search).advice).toMatchObject([
      { id: 'mine#CLIENT-03' },
    ]);
  });

  it('passes where what its file shows is advice', () => {
    const findings: Replay['findings'] = [createFailure('mine', 'x/y', 'advice')];
    const report = createReplayReport(
      replayed({ findings, shown: true, expected: 'x/y first (advice)' }),
      search,
    );
    expect(decideVerdict(report)).toBe('conforms');
    expect(report.checks[0]!.message).toBe(
      'it showed what its file says (x/y first (advice)), and broke no rule',
    );
  });

  it('passes only where every deviation was triggered', () => {
    expect(outcomes({})).toEqual([['mine#replay', 'passed']]);
    expect(outcomes({ notTriggered: ['d1'] })).toEqual([['mine#d1', 'inconclusive']]);
  });
});
