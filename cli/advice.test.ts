import { describe, expect, it } from 'vitest';
import { judgeBothSides } from '../conformance/both-sides/both-sides.js';
import { createReportPage } from '../conformance/report/formats/html/report-page.js';
import { formatPrettyReport } from '../conformance/report/formats/pretty.js';
import { mergeReports } from '../conformance/report/merge/merge-reports.js';
import { createPalette } from '../conformance/report/palette.js';
import { showSearch } from '../conformance/report/progress.js';
import { createSearchReport } from '../conformance/report/search-report.js';
import { PLAIN_DISPLAY } from '../conformance/report/terminal.js';
import { decideVerdict } from '../conformance/report/verdict.js';
import { ReportView } from '../conformance/report/view.js';
import type { ConformReport } from '../conformance/service/runner/result.js';
import { formatReport } from '../test/support/report/format-report.js';
import { createCheck, createReport } from '../test/support/report/reports.js';
import { createExploreReport, createFailure } from '../test/support/report/searches.js';
import {
  buildExchanges,
  createCallEvent,
  toTimestamp,
} from '../test/support/rules/service-exchange-builder.js';
import { MockLog } from './mock/log.js';
import { computeProxyExitCode } from './run-proxy.js';

/** A client that polls a task once more after its end, and a recording of it. */
const judged = judgeBothSides(
  buildExchanges()
    .createWithTool()
    .poll(0, { events: [createCallEvent('c1', 10)] })
    .sendReply('c1')
    .complete(toTimestamp(10))
    .wait(2000)
    .complete(toTimestamp(10)).exchanges,
);
const advice = createFailure('mine', 'create/again', 'advice');

/** What each judge reports of a client that earns advice alone. */
const REPORTS: Readonly<Record<string, ConformReport>> = {
  'check and proxy': judged.createReport({
    baseUrl: 'http://service.example',
    started: new Date(0),
    duration_ms: 1,
    sides: ['client'],
  }),
  client: createReport([createCheck('polling/one-shot#exchanges', 'passed', { covers: [] })], {
    target: { base_url: 'http://127.0.0.1', client: 'node client.mjs' },
    dialect: {},
    advice: [
      {
        id: 'polling/one-shot#polling/pace',
        scenario: 'polling/one-shot',
        rule: 'polling/pace',
        message: 'polls every 10 ms',
        evidence: [],
      },
    ],
  }),
  explore: createSearchReport(createExploreReport({ advice: [advice] }), {
    client: 'node client.mjs',
    started: new Date(0),
    again: () => '',
    file: () => '',
  }),
};

const RED = '\u001b[31m';
const CYAN = '\u001b[36m';
const [marked, failing] = ['ℹ', '✗'];

describe.each(Object.entries(REPORTS))('advice alone, in a report of %s', (_, judgedReport) => {
  const rule = judgedReport.advice![0]!.rule;

  it('conforms: exit code 0, whichever side may fail the run, and with no cause', () => {
    expect(judgedReport.advice).toHaveLength(1);
    expect(judgedReport.summary.failed).toBe(0);
    expect(judgedReport.causes).toEqual([]);
    expect(decideVerdict(judgedReport)).toBe('conforms');
    expect(computeProxyExitCode(judgedReport, 'any')).toBe(0);
  });

  it.each([
    ['markdown', [/## Advice/], [failing]],
    [
      'junit',
      [/<testsuites .* failures="0" errors="0"/, /<testcase classname="taskdouble.advice"/],
      ['<failure', '<error'],
    ],
    ['tap', [/^# advice /m], ['not ok']],
    ['ctrf', [/"failed": 0/, /"advice": \[/], ['"status": "failed"']],
    ['json', [/"failed": 0/, /"advice": \[/], ['"outcome": "failed"']],
    ['badge', [/passed/], ['failed', 'red']],
  ] as const)('is no failure in %s', async (format, shown, never) => {
    const text = await formatReport(judgedReport, format, { all: true });
    for (const pattern of shown) expect(text).toMatch(pattern);
    for (const part of never) expect(text).not.toContain(part);
    if (format !== 'badge') expect(text).toContain(rule);
  });

  it('has a sign and a color of its own in the terminal, and nothing is red', () => {
    const text = formatPrettyReport(new ReportView(judgedReport, { all: true }), {
      ...PLAIN_DISPLAY,
      isColored: true,
    });
    expect(text).toContain(`${CYAN}${marked}`);
    expect(text).toContain('0 failed');
    for (const part of [RED, failing]) expect(text).not.toContain(part);
  });

  it('stands in a part of its own on the page of the report', () => {
    const { verdict, checks, parts } = createReportPage(new ReportView(judgedReport));
    expect(verdict.mark).toBe('passed');
    expect(checks.filter(({ mark }) => mark === 'failed')).toEqual([]);
    expect(parts.find(({ title }) => title === 'Advice')?.rows.map(({ mark }) => mark)).toEqual(['advice']);
  });
});

describe('advice alone, while it is found', () => {
  it('is cyan in the log of a mock or proxy, and an event of its own in JSON', () => {
    const [finding] = judged.findings();
    expect(finding!.level).toBe('advice');
    const lines: string[] = [];
    const write = (label: string, text: string) => lines.push(`${label}${text}`);
    new MockLog(write, () => 0, {}, createPalette(true)).logFinding(finding!);
    new MockLog(write, () => 0, { isJson: true }, createPalette(true)).logFinding(finding!);
    expect(lines[0]).toContain(`${CYAN}advice`);
    expect(JSON.parse(lines[1]!)).toMatchObject({ event: 'advice', level: 'advice' });
  });

  it('has its own sign and color in the progress of a search', () => {
    let text = '';
    const show = showSearch({ write: (part: string) => (text += part) }, 'node c.mjs', { FORCE_COLOR: '1' });
    show({ type: 'failure', failure: advice });
    expect(text).toContain(`${CYAN}${marked}`);
    for (const part of [RED, failing]) expect(text).not.toContain(part);
  });
});

it('advice of merged reports is no failure', () => {
  const merged = mergeReports(
    ['a.json', 'b.json'].map((file) => ({ file, report: REPORTS['client']! })),
  ).report;
  expect([merged.advice!.length, merged.summary.failed, merged.causes.length]).toEqual([1, 0, 0]);
});
