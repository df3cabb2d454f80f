import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatReport } from '../../test/support/report/format-report.js';
import { createCheck, createExchange, createReport } from '../../test/support/report/reports.js';
import type { ConformReport } from '../service/runner/result.js';
import { applyBaseline, listUnneededEntries, loadBaseline } from './baseline.js';
import { removeEntries } from './baseline-file.js';
import { compareReports, writeComparison } from './compare.js';
import { mergeReports } from './merge/merge-reports.js';
import { parseReport } from './read-report.js';
import { decideVerdict, formatVerdict, listFailures } from './verdict.js';

const MESSAGE = 'failed in 1 of 3 tries: GET /task/{task_id}: expected a success, got 502';

function flakyReport(): ConformReport {
  const refused = createExchange({ url: '/api/v1/task/t1' }, { status: 502, body: 'bad gateway' });
  const flaky = { message: MESSAGE, evidence: [refused.seq], retries: 2 };
  return createReport(
    [
      createCheck('polling/one-shot#POLL-01', 'flaky', flaky),
      createCheck('polling/other#POLL-01', 'flaky', { ...flaky, evidence: [] }),
      createCheck('auth/keys#AUTH-01', 'passed'),
    ],
    { exchanges: [refused] },
  );
}

const loaded = (text: string) => {
  const { baseline, problems } = loadBaseline(text, 'known.yaml');
  expect(problems).toEqual([]);
  return baseline!;
};

describe('a flaky check', () => {
  it('fails a run only strictly, has no cause, and is counted where there is one', () => {
    const run = flakyReport();
    expect(run.summary).toEqual({ passed: 1, failed: 0, flaky: 2, inconclusive: 0, skipped: 0 });
    expect(run.causes).toEqual([]);
    expect(decideVerdict(run)).toBe('conforms');
    expect(decideVerdict(run, { strict: true })).toBe('violations');
    expect(listFailures(run, { strict: true })).toHaveLength(2);
    expect(formatVerdict(run)).toMatch(/conforms: 0 failed, 2 flaky, 1 passed/);
    expect(formatVerdict(createReport([createCheck('a/b#C-1', 'passed')]))).not.toContain('flaky');
  });

  it('was tested: a run that has nothing else is not untested', () => {
    expect(decideVerdict(createReport([createCheck('polling/one-shot#POLL-01', 'flaky')]))).toBe('conforms');
  });

  it('is listed in the terminal and in Markdown', async () => {
    const pretty = await formatReport(flakyReport(), 'pretty');
    expect(pretty).toContain(
      `Flaky (failed, then passed on a retry)\n≈ polling/one-shot#POLL-01, polling/other#POLL-01: ${MESSAGE}`,
    );
    expect(pretty).toContain('0 failed, 2 flaky, 1 passed');
    const many = createReport(
      Array.from({ length: 40 }, (_, n) => createCheck(`polling/case-${n}#POLL-01`, 'flaky')),
    );
    expect(await formatReport(many, 'pretty')).toMatch(
      /≈ polling\/case-0#POLL-01, .* and 30 more: why it is flaky/,
    );
    expect(await formatReport(many, 'pretty', { all: true })).toContain('polling/case-39#POLL-01: why');
    const strict = await formatReport(flakyReport(), 'pretty', { strict: true });
    expect(strict).toContain('≈ polling/other#POLL-01  What');
    expect(strict).not.toContain('Flaky (');
    const markdown = await formatReport(flakyReport(), 'markdown');
    expect(markdown).toContain('| suite | passed | failed | flaky | inconclusive | skipped |');
    expect(markdown).toContain('## Flaky (failed, then passed on a retry)');
  });

  it('is an outcome in JSON, with the number of retries', async () => {
    const { summary, checks } = parseReport(await formatReport(flakyReport(), 'json'), 'a.json');
    expect(summary.flaky).toBe(2);
    expect(checks[0]).toMatchObject({ outcome: 'flaky', retries: 2, message: MESSAGE });
  });

  it('passes in JUnit with a <flakyFailure>', async () => {
    const xml = await formatReport(flakyReport(), 'junit');
    expect(xml).toContain('tests="3" failures="0" errors="0" skipped="0"');
    expect(xml).toMatch(
      /name="polling\/one-shot#POLL-01">\s*<flakyFailure message="failed in 1 of 3 tries: [^"]*" type="violation"><stackTrace>[^<]*502[^<]*<\/stackTrace><\/flakyFailure>/,
    );
    expect(await formatReport(flakyReport(), 'junit', { strict: true })).toContain('failures="2"');
  });

  it('is ok in TAP, with a comment', async () => {
    const lines = (await formatReport(flakyReport(), 'tap')).split('\n');
    const at = lines.findIndex((line) => line.startsWith('ok 1 - polling/one-shot'));
    expect(lines[at]).not.toContain('# SKIP');
    expect(lines[at + 1]).toBe(`# flaky polling/one-shot\\#POLL-01: ${MESSAGE}`);
    expect(await formatReport(flakyReport(), 'tap', { strict: true })).toContain(
      'not ok 1 - polling/one-shot',
    );
  });

  it('is passed and flaky in CTRF', async () => {
    const { results } = JSON.parse(await formatReport(flakyReport(), 'ctrf'));
    expect(results.summary).toMatchObject({ passed: 3, failed: 0, flaky: 2, other: 0 });
    expect(results.tests[0]).toMatchObject({ status: 'passed', flaky: true, retries: 2, rawStatus: 'flaky' });
    const strict = JSON.parse(await formatReport(flakyReport(), 'ctrf', { strict: true })).results;
    expect(strict.summary.failed).toBe(2);
    expect(strict.tests[0].flaky).toBeUndefined();
  });

  it('is marked in HTML, with its exchanges', async () => {
    const html = await formatReport(flakyReport(), 'html');
    expect(html).toContain('2 flaky');
    expect(html).toMatch(/"mark":\s*"flaky"/);
  });

  it('is in the badge', async () => {
    expect(JSON.parse(await formatReport(flakyReport(), 'badge'))).toMatchObject({
      message: '1 passed, 2 flaky',
      color: 'brightgreen',
    });
  });

  it('has a mark in a comparison', async () => {
    const other = createReport([createCheck('polling/one-shot#POLL-01', 'passed')]);
    const comparison = compareReports([
      { name: 'a', report: flakyReport() },
      { name: 'b', report: other },
    ]);
    expect(comparison.checks.find(({ id }) => id === 'polling/one-shot#POLL-01')?.cells).toEqual([
      'flaky',
      'passed',
    ]);
    let out = '';
    await writeComparison(comparison, [{ format: 'pretty' }], { write: (text: string) => (out += text) });
    expect(out).toContain('≈ ✓  polling/one-shot#POLL-01');
    expect(out).toContain('1 passed, 0 failed, 2 flaky');
  });

  it.each([
    ['passed', 'flaky'],
    ['flaky', 'flaky'],
    ['failed', 'failed'],
  ] as const)('merged with one that is %s is %s', (outcome, merged) => {
    const other = createReport([createCheck('polling/one-shot#POLL-01', outcome)]);
    const { report: whole } = mergeReports([
      { file: 'a.json', report: flakyReport() },
      { file: 'b.json', report: other },
    ]);
    expect(whole.checks.find(({ id }) => id === 'polling/one-shot#POLL-01')?.outcome).toBe(merged);
  });
});

describe('a baseline entry with flaky: true', () => {
  const today = '2026-05-05';
  const entry = (name: string, more = ', flaky: true') =>
    `- { check: "${name}", reason: slow, expires: 2099-01-01${more} }\n`;
  const run = createReport([
    createCheck('polling/a#POLL-01', 'passed'),
    createCheck('polling/b#POLL-01', 'flaky'),
    createCheck('polling/c#POLL-01', 'failed'),
  ]);

  it('is no problem where its check passes, is flaky, or did not come up; a failure of it is known', () => {
    const names = ['polling/a#POLL-01', 'polling/b#POLL-01', 'polling/c#POLL-01', 'polling/c#POLL-02'];
    const baseline = loaded(names.map((name) => entry(name)).join(''));
    const applied = applyBaseline(run, baseline, { today });
    expect(applied.baseline).toMatchObject({ known: 1, problems: [] });
    expect(decideVerdict(applied)).toBe('conforms');
    expect(listUnneededEntries(run, baseline, { today })).toEqual([]);
  });

  it('expires like any other', () => {
    const applied = applyBaseline(run, loaded(entry('polling/a#POLL-01')), { today: '2100-01-01' });
    expect(applied.baseline?.problems).toEqual([expect.stringContaining('expired on 2099-01-01')]);
  });

  it('is kept by --update-baseline, where one without is removed', () => {
    const text = entry('polling/a#POLL-01', '') + entry('polling/a#POLL-*');
    const baseline = loaded(text);
    const unneeded = listUnneededEntries(run, baseline, { today });
    expect(unneeded).toEqual([0]);
    expect(parse(removeEntries(text, baseline, unneeded)!)).toMatchObject([
      { check: 'polling/a#POLL-*', flaky: true },
    ]);
  });

  it('is refused with another value', () => {
    const { problems } = loadBaseline(entry('a/b#C-1', ', flaky: often'), 'known.yaml');
    expect(problems).toMatchObject([{ message: expect.stringContaining('flaky: expected true or false') }]);
  });
});
