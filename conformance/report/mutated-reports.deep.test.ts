import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createMixedReport } from '../../test/support/report/reports.js';
import { createExploreReport } from '../../test/support/report/searches.js';
import { VERSION } from '../common/version.js';
import type { ConformReport } from '../service/runner/result.js';
import { compareReports, writeComparison } from './compare.js';
import { formatHtmlReport } from './formats/html/page.js';
import { FORMATS, parseReportFlags, ReportError } from './formats.js';
import { mergeReports } from './merge/merge-reports.js';
import { parseReport, readReports } from './read-report.js';
import { redactReport } from './redact-report.js';
import { createSearchReport } from './search-report.js';
import { ReportView } from './view.js';
import { writeReports } from './write.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-mutated-'));
afterAll(() => rmSync(directory, { recursive: true }));
const FILE = join(directory, 'report.json');

const VALUES = ['', 'x', '9999-99-99T99:99:99Z', '__proto__', -1, 1e308, null, true, [], {}, [[]], undefined];
const SEARCH = {
  client: 'node c.mjs',
  started: new Date('2026-01-02T03:04:05Z'),
  again: () => 'again',
  file: () => 'x.yaml',
};
/** HTML takes longer, and shows what the others do. */
const QUICK_FORMATS = FORMATS.filter((format) => format !== 'html');

/** Paths to each value, and to one item of each list. */
function* placesIn(value: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  const keys = Array.isArray(value) ? [...value.keys()].slice(0, 2) : Object.keys(value);
  for (const key of keys) yield* placesIn((value as never)[key], [...path, key]);
}

function mutate(report: ConformReport, path: readonly (string | number)[], value: unknown): ConformReport {
  const copy = structuredClone(report);
  const parent = path.slice(0, -1).reduce<never>((at, key) => at[key], copy as never) as Record<
    string,
    unknown
  >;
  parent[path.at(-1)!] = value;
  return copy;
}

/** Reads a report as every command does. Returns an error that no command expects. */
async function useReport(report: ConformReport): Promise<unknown> {
  const text = JSON.stringify(report);
  writeFileSync(FILE, text);
  const stdout = { isTTY: false, write: () => true };
  const targets = QUICK_FORMATS.flatMap((each) => parseReportFlags([each]));
  for (const use of [
    async () => writeReports(redactReport(mergeReports(readReports([FILE]).reports).report), targets, stdout),
    async () => formatHtmlReport(new ReportView(readReports([FILE]).reports[0]!.report)),
    async () => {
      const read = { name: 'x', report: parseReport(text, FILE) };
      await writeComparison(
        compareReports([read, read]),
        targets.filter(({ format }) => format === 'pretty' || format === 'markdown'),
        stdout,
      );
    },
  ])
    try {
      await use();
    } catch (error) {
      if (!(error instanceof ReportError)) return error;
      expect(error.message).toMatch(/^[^\n]+$/);
    }
  return undefined;
}

it.each([
  ['of a service', { ...createMixedReport(), taskdouble: VERSION }],
  ['of a search', { ...createSearchReport(createExploreReport(), SEARCH), taskdouble: VERSION }],
])('a report %s with any field changed is used, or refused in one line', async (_, report) => {
  const failed: string[] = [];
  for (const path of placesIn(report))
    for (const value of VALUES) {
      const error = await useReport(mutate(report, path, value));
      if (error) failed.push(`${path.join('/')} = ${JSON.stringify(value)}: ${error}`);
    }
  expect(failed).toEqual([]);
});

it.each(['', 'x', '2026-02-30T00:00:00Z', '2026-01-31', '2026-01-31T24:00:00Z', '2026-01-31T12:00:00+05:3'])(
  'a report that started at %j is refused',
  (started) => {
    const text = JSON.stringify({ ...createMixedReport(), taskdouble: VERSION, started });
    writeFileSync(FILE, text);
    expect(() => readReports([FILE])).toThrow(/started: /);
    expect(() => parseReport(text, FILE)).toThrow(/started: /);
  },
);
