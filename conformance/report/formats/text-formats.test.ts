import { describe, expect, it } from 'vitest';
import { openPoints, requirements } from '../../../spec/generated/documents.js';
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
  HOSTILE,
} from '../../../test/support/report/reports.js';
import { ReportView } from '../view.js';

describe('pretty', () => {
  it('shows for a failure the expected and actual value, the exchange, how to repeat it, and the requirement', async () => {
    const text = await formatReport(createMixedReport(), 'pretty');
    expect(text).toMatch(
      /^✗ GET \/task\/t1: expected 202 while the task is running, got 200 \(POLL-01\)\n {4}e\.g\. polling\/one-shot#POLL-01 {2}What .*\n {4}POLL-01 \([A-Z][\w ]+\): \w.*\n {4}#3 GET .* → 200 \(12 ms\)\n {6}< .*\n {6}curl .*"apikey: \$TASKDOUBLE_API_KEY"\n/,
    );
    const all = await formatReport(createMixedReport(), 'pretty', { all: true });
    expect(all).toContain('#4 GET /api/v1/task/t2 → no response');
    expect(text).toContain(
      '\nKnown failures (1); Inconclusive (1); Skipped (1); Dialect observed (2); Requirements (2 of 3 tested); --all shows all\n',
    );
    expect(text).toMatch(
      /does not conform: 3 failed \(1 known\), 1 passed, .* in 4\.2 s\ntaskdouble 0\.1\.0, seed 7\n$/,
    );
  });

  it('has everything with --all', async () => {
    const text = await formatReport(createMixedReport(), 'pretty', { all: true });
    expect(text).toContain('? tool-calls/one#TOOL-01, tool-calls/two#TOOL-02: the agent called no tool');
    expect(text).toContain('* auth.missing-key: 403  Forbidden');
    expect(text).toContain('Requirements (2 of 3 tested)');
    expect(text).not.toContain('--all');
  });

  it('fits what follows the failures on one screen', async () => {
    const choices = openPoints.map(({ id }) => [id, 'other']);
    const long = 'a reason that goes on and on '.repeat(20);
    const checks = (['passed', 'inconclusive', 'skipped'] as const).flatMap((outcome) =>
      Array.from({ length: 40 }, (_, n) =>
        createCheck(`polling/${outcome}${n}#POLL-01`, outcome, { message: `${n % 9} ${long}` }),
      ),
    );
    const untested = requirements.map(({ id }, n) => ({ id, why: `${n % 9} ${long}` }));
    const more = {
      dialect: Object.fromEntries(choices),
      requirements: { total: untested.length, tested: 0, untested },
    };
    const text = await formatReport(createReport(checks, more), 'pretty');
    const height = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0);
    expect(height).toBeLessThanOrEqual(24);
    expect(text).toContain('Inconclusive (3 of 9 shown)\n? polling/inconclusive0#POLL-01 and 4 more: 0 a r');
  });

  it('is short where all is well', async () => {
    expect((await formatReport(createGoodReport(), 'pretty')).split('\n').length).toBeLessThan(10);
  });

  it('counts inconclusive checks as failed in strict mode', async () => {
    const text = await formatReport(createMixedReport(), 'pretty', { strict: true });
    expect(text).toContain('? tool-calls/two#TOOL-02  What');
    expect(text).not.toContain('\nInconclusive\n');
  });

  it('reports the progress of a run that the user ended, not that nothing could be tested', async () => {
    const honest = {
      ...createCheck('unknown-scenario#CLIENT-10', 'passed'),
      suite: 'unknown-scenario' as const,
    };
    const text = await formatReport(createReport([honest], { stopped: 'interrupted' }), 'pretty');
    expect(text).toContain('was not tested to the end: 0 failed, 1 passed');
  });

  it('reports that nothing could be tested', async () => {
    const text = await formatReport(
      createReport([createCheck('auth/keys#AUTH-01', 'inconclusive')], { stopped: 'no answer' }),
      'pretty',
    );
    expect(text).toBe('http://127.0.0.1:4010: nothing could be tested: no answer\n');
  });

  it('reports the checks of a case that crashed together, and no verdict that all is well', async () => {
    const text = await formatReport(createCrashedReport(), 'pretty');
    expect(text).toContain(
      'Errors of taskdouble\n! polling/odd#POLL-01, polling/odd#POLL-02, polling/odd#POLL-03: the check itself crashed',
    );
    expect(text).toContain(
      'was not judged in full: taskdouble itself failed: 0 failed, 3 errors, 1 passed, 0 inconclusive',
    );
  });

  it('of a client: the line that shows a failure again, advice by its rule, the bound', async () => {
    const text = await formatReport(createClientReport(), 'pretty');
    expect(text).toMatch(
      /the reply was not sent again .*\n {4}e\.g\. .*\n {4}#1 POST .* → 429 .*\n {6}> .*\n {6}< .*\n {4}See it again: npx taskdouble explore --replay/,
    );
    expect(text).toContain(
      '\nAdvice (fails nothing)\nℹ CLIENT-03, in polling/one-shot and 1 more: polls every 10 ms',
    );
    expect(text).toContain(
      '\nSearched\n  Every schedule with at most 1 deviation. as it should be\n  312 schedules: 200 distinct, 12 not triggered; 5 run twice, 2 of them nondeterministic.\n  Nondeterministic: It reads a clock',
    );
    expect(text.match(/Nondeterministic:/g)).toHaveLength(1);
    expect(text).toMatch(/\nnode client\.mjs as it should be does not conform: 1 failed/);
    expect(text).toMatch(/\ntaskdouble 0\.1\.0, seed 7, in virtual time \(Node\.js\)\n$/);
    expect(text).not.toContain('Requirements');
  });

  it('lists ten causes in two lines each, counts the rest, and shows every failure with --all', async () => {
    const checks = Array.from({ length: 12 }, (_, n) => [
      createCheck(`polling/p${n}#POLL-${n}`, 'failed'),
      createCheck(`polling/q${n}#POLL-${n}`, 'failed'),
    ]).flat();
    const text = await formatReport(createReport(checks), 'pretty');
    const [first, second, ...lines] = text.split('\n\n')[0]!.split('\n');
    expect(first).toBe('✗ why it is failed (POLL-0; explains 2 of 24 failures)');
    expect(second).toBe('    e.g. polling/p0#POLL-0  What polling/p0 looks at.');
    expect(lines).toHaveLength(20);
    expect(lines.at(-2)).toBe('2 more causes of 4 failures: --all shows every failure.');
    expect(lines.at(-1)).toBe('What a rule means: npx taskdouble explain POLL-10');
    expect(await formatReport(createReport(checks), 'pretty', { all: true })).toContain(
      '✗ polling/q11#POLL-11',
    );
  });
});

describe('the conversation around a failure', () => {
  it('is that of one run, also where the next begins anew with the same ids', () => {
    const run = () => [
      createExchange(
        { method: 'POST', url: '/api/v1/task' },
        { body: '{"r":{"id":"t1"}}' },
        { kind: 'create', operation: 'createTask' },
      ),
      createExchange({}, {}, { task: 't1' }),
    ];
    const exchanges = [...run(), ...run()];
    const failure = createCheck('a/b#C', 'failed', { evidence: [exchanges[3]!.seq] });
    const around = new ReportView(createReport([failure], { exchanges })).listConversation(
      [exchanges[3]!],
      9,
    );
    expect(around).toEqual(exchanges.slice(2));
  });
});

describe('markdown', () => {
  it('stays below 60,000 bytes for any report', async () => {
    const long = '\u{1f40c}*'.repeat(2000);
    const exchanges = Array.from({ length: 30 }, () => createExchange({ body: long }, { body: long }));
    const checks = (['failed', 'inconclusive', 'skipped', 'error'] as const).flatMap((outcome) =>
      Array.from({ length: 300 }, (_, n) =>
        createCheck(`polling/p${n}#POLL-${outcome}-${n}`, outcome, {
          message: `${n} ${long}`,
          title: long,
          evidence: [exchanges[n % 30]!.seq],
        }),
      ),
    );
    const text = await formatReport(
      createReport(checks, {
        exchanges,
        stopped: long,
        target: { base_url: 'http://h', client: long },
        requirements: {
          total: 300,
          tested: 0,
          untested: checks.slice(0, 300).map(({ id }) => ({ id, why: long + id })),
        },
      }),
      'markdown',
    );
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
    expect(text).toMatch(/did not fit: the JSON and HTML reports have everything\.\n$/);
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
  });

  it('has a table by suite, failures with their exchanges, coverage and dialect', async () => {
    const text = await formatReport(createMixedReport(), 'markdown');
    expect(text).toContain('# http://127.0.0.1:4010 does not conform\n');
    expect(text).toContain('| polling | 0 | 2 | 0 | 0 |');
    expect(text).toContain('### ✗ GET /task/t1: expected 202 while the task is running, got 200 (POLL-01)\n');
    expect(text).toMatch(/```\n#3 GET .*\n< .*\ncurl .*\n```/);
    expect(text).toContain(
      '## Inconclusive\n\n- tool-calls/one\\#TOOL-01, tool-calls/two\\#TOOL-02: the agent called no tool',
    );
    expect(text).toContain('- auth.missing-key: 403 (Forbidden)');
  });

  it('has a column and a section for checks that crashed', async () => {
    const text = await formatReport(createCrashedReport(), 'markdown');
    expect(text).toContain('was not judged in full');
    expect(text).toContain('| suite | passed | failed | error | inconclusive | skipped |');
    expect(text).toContain('| polling | 0 | 0 | 3 | 0 | 0 |');
    expect(text).toMatch(/## Errors of taskdouble\n\n- polling\/odd\\#POLL-01, .*: the check itself crashed/);
  });

  it.each([
    ['a service', createHostileReport, 1],
    ['a client', () => createClientReport(HOSTILE), 2],
  ] as const)('lets nothing of %s be markup', async (_, make, fences) => {
    const text = await formatReport(make(), 'markdown');
    const blocks = /^(`{3,})\n[\s\S]*?\n\1$/gm;
    expect(text.match(blocks)).toHaveLength(fences);
    const prose = text.replace(blocks, '').replace(/<\/?(details|summary)>/g, '');
    expect(prose).not.toMatch(/[<>](?!=)(?<!^>)|(?<!\\)`|@|(?<!\\)\[|^::error/m);
    // Every row of a table has as many cells as its head.
    for (const table of prose.match(/(^\|.*\n)+/gm) ?? []) {
      const cells = table
        .trimEnd()
        .split('\n')
        .map((row) => row.match(/(?<!\\)\|/g)?.length);
      expect(new Set(cells).size).toBe(1);
    }
  });
});
