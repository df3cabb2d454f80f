import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { formatReport } from '../../../test/support/report/format-report.js';
import {
  createCheck,
  createClientReport,
  createCrashedReport,
  createExchange,
  createGoodReport,
  createHostileReport,
  createMixedReport,
  createReport,
} from '../../../test/support/report/reports.js';
import type { ConformReport } from '../../service/runner/result.js';
import type { ReportPage } from './html/report-page.js';

// A pattern of the SARIF schema is no Unicode pattern.
const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
formats.default(ajv);
const compileSchema = (name: string) =>
  ajv.compile(
    JSON.parse(readFileSync(join(findPackageRoot(), `test/support/report/${name}.schema.json`), 'utf8')),
  );
const REPORTS: [string, () => ConformReport][] = [
  ['good', createGoodReport],
  ['mixed', createMixedReport],
  ['crashed', createCrashedReport],
  ['hostile', createHostileReport],
  ['client', createClientReport],
];

interface QualityIssue {
  check_name: string;
  description: string;
  content: { body: string };
  severity: string;
  fingerprint: string;
  location: { path: string };
}
const readIssues = async (report: ConformReport): Promise<QualityIssue[]> =>
  JSON.parse(await formatReport(report, 'codequality'));

/** Two failures of one defect in a scenario of the library, one in a scenario of the user. */
function createFailedClientReport(): ConformReport {
  const exchange = createExchange({}, {}, { task: 't1' });
  const failed = { covers: [], rule: 'replies/each-call', message: 'The call got no reply.' } as const;
  return createReport(
    [
      createCheck('races/unknown-tool#replies/each-call', 'failed', { ...failed, covers: [] }),
      createCheck('tool-calls/one-call#replies/each-call', 'failed', { ...failed, covers: [] }),
      createCheck('mine#requests/dropped', 'failed', {
        ...{ ...failed, covers: [], rule: 'requests/dropped', message: 'It was dropped.' },
        ...{ suite: 'own', file: 'tests/mine.yaml', evidence: [exchange.seq] },
      }),
      createCheck('polling/one-shot#exchanges', 'passed', { covers: [] }),
    ],
    { target: { base_url: 'http://127.0.0.1', client: 'node client.mjs' }, exchanges: [exchange] },
  );
}

describe('codequality', () => {
  const valid = compileSchema('code-quality');

  it.each(REPORTS)('%s has the keys that GitLab reads, and each fingerprint once', async (_, make) => {
    const issues = await readIssues(make());
    valid(issues);
    expect(valid.errors ?? []).toEqual([]);
    const fingerprints = issues.map(({ fingerprint }) => fingerprint);
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });

  it('is empty for a target that conforms', async () => {
    expect(await readIssues(createGoodReport())).toEqual([]);
  });

  it('has an issue for each cause, with the file to look at and the command that shows it again', async () => {
    const issues = await readIssues(createFailedClientReport());
    expect(issues.map(({ check_name, location }) => [check_name, location.path])).toEqual([
      // A loss comes before what explains more.
      ['requests/dropped', 'tests/mine.yaml'],
      ['replies/each-call', 'taskdouble/scenarios/races/unknown-tool.yaml'],
    ]);
    expect(issues.map(({ severity }) => severity)).toEqual(['critical', 'major']);
    expect(issues[1]!.description).toContain('explains 2 of 3 failures');
    expect(issues[1]!.content.body).toContain(
      'See it again: npx taskdouble client --scenario races/unknown-tool -- node client.mjs',
    );
    const [service] = await readIssues(createMixedReport());
    expect(service!.location.path).toBe('taskdouble/docs/requirements.md');
    expect(service!.content.body).toMatch(/npx taskdouble conform http:\S+ --only polling\//);
  });

  it('has the same fingerprints in a later run with other ports, seeds, times and numbers of exchanges', async () => {
    const listFingerprints = async (report: ConformReport) =>
      (await readIssues(report)).map(({ fingerprint }) => fingerprint);
    const report = createMixedReport();
    const later = {
      ...createMixedReport(),
      ...{ seed: 99, started: '2030-01-01T00:00:00.000Z', duration_ms: 1 },
      target: { base_url: 'http://127.0.0.1:61234' },
    };
    expect(await listFingerprints(later)).toEqual(await listFingerprints(report));
    const client = createFailedClientReport();
    const other = { ...client, target: { ...client.target, client: 'node other.mjs' } };
    const shared = new Set(await listFingerprints(client));
    expect((await listFingerprints(other)).filter((each) => shared.has(each))).toEqual([]);
  });

  it('lists advice as information, and what else fails a run', async () => {
    const severities = async (report: ConformReport) =>
      (await readIssues(report)).map(({ severity }) => severity);
    expect(await severities(createClientReport())).toEqual(['major', 'info', 'info']);
    // Two causes, then the problem with the baseline; the known failure is none.
    expect(await severities(createMixedReport())).toHaveLength(3);
    expect(await severities(createCrashedReport())).toEqual(['major', 'major', 'major']);
  });
});

describe('html', () => {
  it('holds what the rule of each cause means', async () => {
    const text = await formatReport(createFailedClientReport(), 'html');
    const [, data] = /id="page-data">(.*?)<\/script>/s.exec(text)!;
    const { explanations } = JSON.parse(data!) as ReportPage;
    expect(Object.keys(explanations)).toEqual(['requests/dropped', 'replies/each-call']);
    expect(explanations['replies/each-call']!.split('\n')[0]).toBe('replies/each-call (rule)');
    expect(explanations['replies/each-call']!).toContain('\nWrong: ');
  });
});

describe('markdown', () => {
  it('ends the causes with the command that explains one', async () => {
    const text = await formatReport(createFailedClientReport(), 'markdown');
    expect(text).toContain('\n\nWhat a rule means: npx taskdouble explain requests/dropped\n\n');
    expect(await formatReport(createGoodReport(), 'markdown')).not.toContain('explain');
  });
});

describe('sarif', () => {
  const valid = compileSchema('sarif');

  it.each(REPORTS)('%s fits the published schema', async (_, make) => {
    const log = JSON.parse(await formatReport(make(), 'sarif'));
    valid(log);
    expect(valid.errors ?? []).toEqual([]);
  });

  it('has a result for each cause, with its rule explained', async () => {
    const {
      runs: [run],
    } = JSON.parse(await formatReport(createFailedClientReport(), 'sarif'));
    const { rules } = run.tool.driver;
    expect(run.results.map((each: { ruleId: string }) => each.ruleId)).toEqual([
      'requests/dropped',
      'replies/each-call',
    ]);
    for (const { ruleId, ruleIndex, locations } of run.results) {
      expect(rules[ruleIndex].id).toBe(ruleId);
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/\.yaml$/);
    }
    expect(rules[1].help.text).toContain('Wrong: ');
    const issues = await readIssues(createFailedClientReport());
    expect(
      run.results.map(
        (each: { partialFingerprints: Record<string, string> }) => each.partialFingerprints['taskdouble/v1'],
      ),
    ).toEqual(issues.map(({ fingerprint }) => fingerprint));
  });

  it('says that a run which tested nothing did not succeed', async () => {
    const nothing = createReport([createCheck('auth/keys#AUTH-01', 'inconclusive')], { stopped: 'gone' });
    const log = JSON.parse(await formatReport(nothing, 'sarif'));
    expect(log.runs[0].invocations[0].executionSuccessful).toBe(false);
    expect(log.runs[0].results).toHaveLength(1);
  });
});
