import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { formatReport } from '../../../test/support/report/format-report.js';
import {
  createCheck,
  createClientReport,
  createCrashedReport,
  createGoodReport,
  createHostileReport,
  createMixedReport,
  createReport,
  HOSTILE,
  SECRET,
} from '../../../test/support/report/reports.js';
import type { ConformReport } from '../../service/runner/result.js';
import { FORMATS } from '../formats.js';
import { parseReport, readReports } from '../read-report.js';
import type { ReadingOptions } from '../verdict.js';

const schema = (file: string) =>
  JSON.parse(readFileSync(join(findPackageRoot(), 'conformance/report', file), 'utf8'));
/** `broken`: results that fail the run, including problems with the baseline. */
const each = [
  { name: 'good', make: createGoodReport, broken: 0 },
  { name: 'mixed', make: createMixedReport, broken: 3 },
  { name: 'crashed', make: createCrashedReport, broken: 3 },
  { name: 'hostile', make: createHostileReport, broken: 1 },
  { name: 'client', make: createClientReport, broken: 1 },
  { name: 'hostile client', make: () => createClientReport(HOSTILE), broken: 1 },
];

type Complete<T> = { [K in keyof T]-?: NonNullable<T[K]> };
type Response = Complete<NonNullable<Exchange['response']>>;

const RESPONSE: Response = {
  ...{ status: 200, headers: {}, body: '(3 bytes)', body_base64: 'AAAA', left_out: 3, at: 2 },
  ...{ cut_at: 1, origin: 'http://127.0.0.1:4010', encoding_fault: 'charset' },
};
/** An exchange with every field: a new field has to be added here. */
const EVERYTHING_KNOWN: Omit<Complete<Exchange>, 'request' | 'response'> & {
  request: Complete<Exchange['request']>;
  response: Response;
} = {
  ...{ seq: 1, kind: 'create', operation: 'createTask', organisation: 'org-1', key: 1, task: 't1' },
  ...{ may_be_refused: true, scenario: 'a', unrecorded: ['headers'], resolution_ms: 1000, notes: ['a note'] },
  request: {
    ...{ method: 'POST', url: '/api/v1/task', headers: {}, body: '(3 bytes)', body_base64: 'AAAA' },
    ...{ left_out: 3, at: 1, encoding_fault: 'content-encoding' },
  },
  response: RESPONSE,
  network: [{ verb: 'fail', effect: 'replaced', side: 'request', note: 'a note' }],
  upstream: [{ at: 1, response: RESPONSE }],
  order: { after: 0, response: 1 },
  connection: 1,
};

/** The content of an HTML report, without script and style sheet of studio. */
function contentOf(text: string): string {
  return text.replace(/<style>.*?<\/style>|<script>.*?<\/script>/gs, '');
}

describe('every form', () => {
  const all = [...FORMATS, 'badge=b.svg'];
  it.each(all)('%s has no secret in it, nothing that moves a cursor, and is bounded', async (flag) => {
    const text = contentOf(await formatReport(createHostileReport(), flag));
    expect(text.includes(SECRET)).toBe(false);
    expect(text.includes('hunter2')).toBe(false);
    expect(/(?![\t\n])\p{Cc}|\p{Bidi_Control}/u.exec(text)).toBeNull();
    expect(text.length).toBeLessThan(60_000);
    expect(await formatReport(createMixedReport(), flag)).not.toContain('hunter2');
    const client = await formatReport(createClientReport(`${HOSTILE} ${SECRET}`), flag);
    expect(client.includes(SECRET)).toBe(false);
    expect(/(?![\t\n])\p{Cc}|\p{Bidi_Control}/u.exec(client)).toBeNull();
  });

  it.each(all.filter((flag) => !/^badge|^brief/.test(flag)))(
    '%s of a client has its name, whose time it took, advice, the bound and the line that shows a failure again',
    async (flag) => {
      const text = contentOf(await formatReport(createClientReport(), flag)).replaceAll(/\\([#_*])/g, '$1');
      expect(text).toContain('node client.mjs as it should be');
      expect(text).toMatch(/virtual (time )?\(Node\.js\)/);
      expect(text).toContain('polls every 10 ms as it should be');
      expect(text).toContain('Every schedule with at most 1 deviation.');
      expect(text).toMatch(/explore --replay (&#39;|')a b.yaml/);
      expect(text).not.toContain('curl');
    },
  );
});

describe('a check in which taskdouble itself failed', () => {
  it('is an error in JSON, with its count in the summary', async () => {
    const { checks, summary } = parseReport(await formatReport(createCrashedReport(), 'json'), 'r.json');
    expect(checks.map(({ outcome }) => outcome)).toEqual(['passed', 'error', 'error', 'error']);
    expect(summary).toEqual({ passed: 1, failed: 0, error: 3, inconclusive: 0, skipped: 0 });
  });

  it('is an <error> in JUnit, and no failure', async () => {
    const text = await formatReport(createCrashedReport(), 'junit');
    expect(text).toContain('<testsuites name="taskdouble" tests="4" failures="0" errors="3" skipped="0"');
    expect(text.match(/<error message="the check itself crashed, [^"]*" type="fault"\/>/g)).toHaveLength(3);
  });

  it('is not ok in TAP, of the severity error', async () => {
    const text = await formatReport(createCrashedReport(), 'tap');
    expect(text.match(/^not ok .*polling\/odd/gm)).toHaveLength(3);
    expect(text.match(/^ {2}severity: error\n {2}outcome: error$/gm)).toHaveLength(3);
  });

  it('is failed in CTRF, with the raw status error', async () => {
    const { summary, tests, environment } = JSON.parse(
      await formatReport(createCrashedReport(), 'ctrf'),
    ).results;
    expect(summary).toMatchObject({ passed: 1, failed: 3, other: 0 });
    expect(tests[1]).toMatchObject({ status: 'failed', rawStatus: 'error' });
    expect(environment.healthy).toBe(false);
  });

  it('is an error in HTML, with and without JavaScript', async () => {
    const text = contentOf(await formatReport(createCrashedReport(), 'html'));
    expect(text.match(/"mark":"error","suite"/g)).toHaveLength(3);
    expect(text).toContain(
      '"verdict":{"words":"was not judged in full: taskdouble itself failed","mark":"error"}',
    );
    expect(text.match(/<h3>! <code>polling/g)).toHaveLength(3);
  });

  it('makes the badge red', async () => {
    const badge = { message: '3 errors, 1 passed', color: 'red' };
    expect(JSON.parse(await formatReport(createCrashedReport(), 'badge'))).toMatchObject(badge);
    const alone = createReport([createCheck('auth/keys#AUTH-01', 'error')]);
    const other = { message: '1 error, 0 passed', color: 'red' };
    expect(JSON.parse(await formatReport(alone, 'badge'))).toMatchObject(other);
  });
});

describe('json', () => {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  formats.default(ajv);
  const valid = ajv.compile(schema('report.schema.json'));

  it.each(each)('$name fits its schema and can be read again', async ({ make }) => {
    const text = await formatReport(make(), 'json');
    valid(JSON.parse(text));
    expect(valid.errors ?? []).toEqual([]);
    expect(parseReport(text, 'r.json').summary).toEqual(make().summary);
  });

  it('fits its schema and can be read again with everything that a run or a recording may know', async () => {
    const known = createReport([createCheck('client#replies/code', 'failed', { evidence: [1] })], {
      exchanges: [EVERYTHING_KNOWN],
    });
    const more: Partial<ConformReport> = {
      needs: ['a start page'],
      operations: {
        there: 58,
        of: 59,
        untried: 1,
        missing: [{ operation: 'getTask', status: 404 }],
        lacks: ['getTask'],
      },
      gaps: ['the end is missing'],
      shortened: 1,
      left_out: 1,
      stopped: 'a signal',
    };
    const text = await formatReport({ ...known, ...more }, 'json');
    const value = JSON.parse(text);
    valid(value);
    expect(valid.errors ?? []).toEqual([]);
    expect(value).toMatchObject(more);
    expect(text).not.toContain('body_base64');
    expect(parseReport(text, 'r.json').exchanges[0]!.key).toBe(1);
    const path = join(mkdtempSync(join(tmpdir(), 'taskdouble-report-')), 'r.json');
    writeFileSync(path, text);
    expect(readReports([path]).reports).toHaveLength(1);
    rmSync(dirname(path), { recursive: true });
  });

  it('leaves out and counts exchanges of passed checks alone, unless all are asked for', async () => {
    const exchanges = [1, 2, 3, 4].map((seq) => ({ ...EVERYTHING_KNOWN, seq, task: `t${seq % 2}` }));
    const report = createReport(
      [createCheck('a#x', 'passed', { evidence: [1] }), createCheck('b#y', 'failed', { evidence: [4] })],
      {
        exchanges: exchanges.map((each) => ({
          ...each,
          kind: '',
          request: { ...each.request, url: `/api/v1/task/${each.task}` },
        })),
      },
    );
    const read = async (options: ReadingOptions) =>
      JSON.parse(await formatReport(report, 'json', options)) as ConformReport;
    const short = await read({});
    // With the conversation before the evidence.
    expect(short.exchanges.map(({ seq }) => seq)).toEqual([2, 4]);
    expect(short.left_out).toBe(2);
    const complete = await read({ all: true });
    expect(complete.exchanges).toHaveLength(4);
    expect(complete).not.toHaveProperty('left_out');
  });

  it('detects a file that is no report', () => {
    expect(() => parseReport('{', 'r.json')).toThrow(/^r\.json: expected complete JSON; /);
    expect(() => parseReport('{"taskdouble":"1"}', 'r.json')).toThrow(
      /^r\.json: this is no report of taskdouble/,
    );
    expect(() => parseReport('{"taskdouble":"1","checks":[]}', 'r.json')).toThrow(
      /^r\.json: expected the key "target"/,
    );
  });
});

describe('junit', () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  });
  type Case = {
    name: string;
    classname: string;
    failure?: { message: string; '#text': string };
    skipped?: { message: string };
  };
  type Suite = { name: string; tests: string; failures: string; skipped: string; testcase: Case[] };
  const read = async (...given: Parameters<typeof formatReport>) => {
    const text = await formatReport(...given);
    expect(XMLValidator.validate(text)).toBe(true);
    return parser.parse(text).testsuites as {
      tests: string;
      failures: string;
      skipped: string;
      testsuite: Suite[];
    };
  };

  it.each(each)('$name is XML whose counts are true', async ({ make }) => {
    const { testsuite, ...sums } = await read(make(), 'junit');
    for (const suite of testsuite) {
      expect(suite.testcase).toHaveLength(Number(suite.tests));
      expect(suite.testcase.filter(({ failure }) => failure)).toHaveLength(Number(suite.failures));
      expect(suite.testcase.filter(({ skipped }) => skipped)).toHaveLength(Number(suite.skipped));
    }
    const total = (what: 'tests' | 'failures' | 'skipped') =>
      testsuite.reduce((sum, suite) => sum + Number(suite[what]), 0);
    expect(sums).toMatchObject({
      tests: `${total('tests')}`,
      failures: `${total('failures')}`,
      skipped: `${total('skipped')}`,
    });
  });

  it('shows the expectation, the requirement, the exchange and how to repeat it', async () => {
    const { testsuite } = await read(createMixedReport(), 'junit');
    const [first = expect.fail()] = testsuite.find(({ name }) => name === 'polling')!.testcase;
    expect(first.failure?.message).toBe('GET /task/t1: expected 202 while the task is running, got 200');
    expect(first.failure?.['#text']).toMatch(
      /POLL-01 \(.*GET \/api\/v1\/task\/t1\?event_t=0 → 200 \(12 ms\)/s,
    );
    expect(first.failure?.['#text']).toContain('curl -sS -i');
  });

  it('fails inconclusive checks only in strict mode, and known failures never', async () => {
    const failures = async (strict: boolean) =>
      (await read(createMixedReport(), 'junit', { strict })).testsuite.map(({ name, failures: n }) => [
        name,
        Number(n),
      ]);
    const loose = [
      ['polling', 2],
      ['auth', 0],
      ['tool-calls', 0],
      ['resources', 0],
      ['errors', 0],
      ['baseline', 1],
    ];
    expect(await failures(false)).toEqual(loose);
    expect(await failures(true)).toEqual(loose.map(([name, n]) => [name, name === 'tool-calls' ? 2 : n]));
  });

  it('fails a run that ended early, though no check did', async () => {
    const { failures } = await read(
      createReport([createCheck('auth/keys#AUTH-01', 'inconclusive')], { stopped: 'no answer' }),
      'junit',
    );
    expect(failures).toBe('1');
  });
});

describe('tap', () => {
  /** Parses TAP 14 by its grammar. */
  function readTap(text: string) {
    const lines = text.trimEnd().split('\n');
    expect(lines.shift()).toBe('TAP version 14');
    const [, last] = /^1\.\.(\d+)$/.exec(lines.shift()!) ?? expect.fail('no plan');
    const points: {
      ok: boolean;
      number: number;
      name: string;
      directive: string | undefined;
      diagnosis: unknown;
    }[] = [];
    let bailed: string | undefined;
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index]!;
      if (line.startsWith('#')) continue;
      const bail = /^Bail out! (.*)$/.exec(line);
      if (bail) {
        bailed = bail[1];
        continue;
      }
      const point =
        /^(not )?ok (\d+) - ((?:[^\\#]|\\.)*)(?: # ((?:SKIP|TODO) .*))?$/.exec(line) ?? expect.fail(line);
      let diagnosis: unknown;
      if (lines[index + 1] === '  ---') {
        const end = lines.indexOf('  ...', index);
        diagnosis = parse(
          lines
            .slice(index + 2, end)
            .map((each) => each.slice(2))
            .join('\n'),
        );
        index = end;
      }
      points.push({
        ok: !point[1],
        number: Number(point[2]),
        name: point[3]!.trim(),
        directive: point[4],
        diagnosis,
      });
    }
    expect(points.map(({ number }) => number)).toEqual(points.map((_, index) => index + 1));
    expect(points).toHaveLength(Number(last));
    return { points, bailed };
  }

  it.each(each)('$name can be read', async ({ make, broken }) => {
    const { points } = readTap(await formatReport(make(), 'tap'));
    expect(points.filter(({ ok, directive }) => !ok && !directive)).toHaveLength(broken);
  });

  it('marks what is known, undecided and broken', async () => {
    const { points, bailed } = readTap(await formatReport(createMixedReport(), 'tap'));
    expect(points.map(({ ok, directive }) => [ok, directive?.slice(0, 12)])).toEqual([
      [false, undefined],
      [false, undefined],
      [true, undefined],
      [true, 'SKIP inconcl'],
      [true, 'SKIP inconcl'],
      [true, 'SKIP skipped'],
      [false, 'TODO known u'],
      [false, undefined],
    ]);
    expect(points[0]?.diagnosis).toMatchObject({
      severity: 'fail',
      requirement: expect.stringMatching(/^POLL-01/),
    });
    expect(bailed).toBeUndefined();
    expect(readTap(await formatReport(createHostileReport(), 'tap')).bailed).toContain('</pre>');
  });
});

describe('ctrf', () => {
  const ajv = new Ajv({ allErrors: true, strict: false });
  formats.default(ajv);
  const valid = ajv.compile(schema('../../test/support/report/ctrf.schema.json'));

  it.each(each)('$name fits the published schema, and its counts are true', async ({ make }) => {
    const document = JSON.parse(await formatReport(make(), 'ctrf'));
    valid(document);
    expect(valid.errors ?? []).toEqual([]);
    const { summary, tests } = document.results;
    const count = (status: string) =>
      tests.filter((test: { status: string }) => test.status === status).length;
    expect(summary).toMatchObject({
      tests: tests.length,
      failed: count('failed'),
      passed: count('passed'),
      other: count('other'),
    });
  });
});

describe('badge', () => {
  it('is what shields.io reads', async () => {
    expect(JSON.parse(await formatReport(createGoodReport(), 'badge'))).toEqual({
      schemaVersion: 1,
      label: 'taskdouble',
      message: '3 passed',
      color: 'brightgreen',
    });
    expect(JSON.parse(await formatReport(createMixedReport(), 'badge'))).toMatchObject({
      message: '2 failed, 1 passed, 1 known, stale baseline',
      color: 'red',
    });
    const nothing = createReport([createCheck('auth/keys#AUTH-01', 'inconclusive')]);
    expect(JSON.parse(await formatReport(nothing, 'badge'))).toMatchObject({
      message: 'untested',
      color: 'lightgrey',
    });
    expect(JSON.parse(await formatReport(nothing, 'badge', { strict: true }))).toMatchObject({
      message: '0 passed, 1 inconclusive',
      color: 'red',
    });
  });

  it('is an SVG if the path ends in .svg', async () => {
    const text = await formatReport(createGoodReport(), 'badge=a/b.SVG');
    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).toContain('3 passed');
  });
});

describe('brief', () => {
  const longest = (n: number) => `${'what came, and what was expected instead of it; '.repeat(9)}${n}`;
  const failed = (n: number) =>
    createCheck(`polling/one-shot-of-a-long-name#POLL-0${n}`, 'failed', {
      message: longest(n),
      rule: `tasks/rule-of-a-long-name-${n}`,
    });

  it('has ten causes in 4 kB, and the number of the others', async () => {
    const text = await formatReport(createReport(Array.from({ length: 12 }, (_, n) => failed(n))), 'brief');
    expect(Buffer.byteLength(text)).toBeLessThan(4096);
    const { causes, more_causes, failures, verdict } = JSON.parse(text);
    expect([causes.length, more_causes, failures, verdict]).toEqual([10, 2, 12, 'violations']);
  });

  it('has the rule, an example and the command that runs it again', async () => {
    const { causes, time } = JSON.parse(await formatReport(createClientReport(), 'brief'));
    expect(time).toBe('virtual (Node.js)');
    expect(causes[0].run_again).toContain("explore --replay 'a b.yaml");
    const service = JSON.parse(await formatReport(createReport([failed(1)]), 'brief'));
    expect(service.causes[0]).toMatchObject({
      rule: 'tasks/rule-of-a-long-name-1',
      explains: 1,
      run_again: expect.stringMatching(/ conform http:\S+ --only polling\/one-shot-of-a-long-name$/),
    });
  });

  it('has no cause where nothing failed', async () => {
    const { verdict, failures, causes } = JSON.parse(await formatReport(createGoodReport(), 'brief'));
    expect([verdict, failures, causes]).toEqual(['conforms', 0, []]);
  });
});
