import { expect, it } from 'vitest';
import {
  createGoodReport,
  createHostileReport,
  createMixedReport,
  SECRET,
} from '../../test/support/report/reports.js';
import { compareReports, writeComparison } from './compare.js';
import { parseReportFlags, ReportError } from './formats.js';

const comparison = () =>
  compareReports(
    [
      { name: 'staging', report: createGoodReport() },
      { name: 'a|b.json', report: createMixedReport() },
    ],
    [SECRET],
  );

async function written(flag: string, of = comparison()): Promise<string> {
  let text = '';
  await writeComparison(of, parseReportFlags([flag]), { write: (part: string) => (text += part) });
  return text;
}

it('lays checks and choices side by side', () => {
  const { targets, checks, dialect } = comparison();
  expect(targets.map(({ name, summary }) => [name, summary.passed])).toEqual([
    ['staging', 3],
    ['a|b.json', 1],
  ]);
  expect(checks.find(({ id }) => id === 'polling/one-shot#POLL-01')).toMatchObject({
    cells: ['passed', 'failed'],
    differs: true,
  });
  expect(checks.find(({ id }) => id === 'auth/keys#AUTH-01')).toMatchObject({
    cells: ['passed', 'passed'],
    differs: false,
  });
  expect(checks.find(({ id }) => id === 'errors/body#ERR-01')?.cells).toEqual(['none', 'known']);
  expect(dialect).toEqual([
    { id: 'auth.invalid-key', choices: [null, '401'], differs: false },
    { id: 'auth.missing-key', choices: ['401', '403'], differs: true },
  ]);
});

it('shows in a terminal what differs', async () => {
  const lines = (await written('pretty')).split('\n');
  expect(lines).toContain('1  staging  http://127.0.0.1:4010');
  expect(lines).toContain('✓ ✗  polling/one-shot#POLL-01');
  expect(lines).toContain('  ~  errors/body#ERR-01');
  expect(lines).toContain('(1 the same everywhere)');
  expect(lines).toContain('auth.missing-key: 1 401, 2 403');
  expect(lines.join()).not.toContain('auth/keys');
});

it('compares causes first: which are new, gone, or stay', async () => {
  const cause = (id: string, explains: number) => {
    const shared = {
      title: `why ${id}`,
      requirements: [],
      rule: id,
      operation: null,
      severity: 'state' as const,
      example: 'a',
      checks: [],
    };
    return { id, explains, ...shared };
  };
  const [before, after] = [
    { ...createGoodReport(), causes: [cause('POLL-02', 82), cause('AUTH-01', 3)] },
    { ...createGoodReport(), causes: [cause('POLL-02', 80), cause('ENV-02', 2), cause('ENV-03', 4)] },
  ];
  const compared = compareReports([
    { name: 'before', report: before },
    { name: 'after', report: after },
  ]);
  expect(compared.causes.map(({ id, change, explains }) => [id, change, ...explains])).toEqual([
    ['ENV-03', 'new', 0, 4],
    ['ENV-02', 'new', 0, 2],
    ['AUTH-01', 'gone', 3, 0],
    ['POLL-02', 'stays', 82, 80],
  ]);
  const text = await written('pretty', compared);
  expect(text.indexOf('new    0 → 4  why ENV-03 (ENV-03)')).toBeGreaterThan(0);
  expect(text.indexOf('stays  82 → 80  POLL-02')).toBeLessThan(text.indexOf('checks that differ'));
  expect(await written('markdown', compared)).toContain('| gone: why AUTH-01 (AUTH-01) | 3 |  |');
});

it('shows the same as tables in Markdown', async () => {
  const lines = (await written('markdown')).split('\n');
  expect(lines).toContain('| target | staging | a\\|b.json |');
  expect(lines).toContain('| polling/one-shot\\#POLL-01 | ✓ | ✗ |');
  expect(lines).toContain('| errors/body\\#ERR-01 |  | \\~ |');
  expect(lines).toContain('| auth.missing-key | 401 | 403 |');
  expect(lines.join()).not.toContain('auth/keys');
});

it('writes the whole matrix as JSON', async () => {
  expect(JSON.parse(await written('json'))).toEqual(comparison());
});

it('lets nothing through that a report has got from a service', async () => {
  const hostile = compareReports([{ name: 'h', report: createHostileReport() }], [SECRET]);
  for (const flag of ['pretty', 'markdown', 'json']) {
    const text = await written(flag, hostile);
    expect(/(?![\t\n])\p{Cc}|\p{Bidi_Control}/u.exec(text)).toBeNull();
    expect(text.includes(SECRET)).toBe(false);
  }
});

it('refuses other formats', async () => {
  await expect(written('junit')).rejects.toThrow(ReportError);
  await expect(written('html')).rejects.toThrow('a comparison can be one of pretty, markdown, json');
});
