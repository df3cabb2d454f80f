import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConformReport } from '../conformance/service/runner/result.js';
import { type CommandResult, run } from '../test/support/cli/command.js';
import { createCheck, createReport } from '../test/support/report/reports.js';

const ROOT = join(import.meta.dirname, '..');
const BUGGY = ['--function', join(ROOT, 'fixtures/clients/buggy/trusts-event-t.mjs')];
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-merge-'));
afterAll(() => rmSync(directory, { recursive: true }));

const merge = (...args: string[]) => run(['merge-reports', ...args], { cwd: directory });
const explore = (...args: string[]) =>
  run(['explore', '--scenario', 'tool-calls/one-call', '--deviations', '1', ...args], { cwd: directory });
const read = (file: string) => JSON.parse(readFileSync(join(directory, file), 'utf8')) as ConformReport;
const write = (file: string, value: unknown) => writeFileSync(join(directory, file), JSON.stringify(value));
const merged = async (...args: string[]): Promise<ConformReport> =>
  JSON.parse((await merge(...args, '--report', 'json')).stdout);

describe('reports of two shards', () => {
  beforeAll(async () => {
    mkdirSync(join(directory, 'shards/2'), { recursive: true });
    for (const part of [1, 2]) {
      const file = part === 1 ? 'shards/1.json' : 'shards/2/report.json';
      const ended = await explore(
        ...BUGGY,
        '--schedules',
        '40',
        '--shard',
        `${part}/2`,
        '--report',
        `json=${file}`,
      );
      expect(ended.code, ended.stderr).toBe(1);
    }
    write('shards/package.json', { name: 'not-a-report' });
  });

  it('are found in a directory, and become one: each defect once, counts added up, the verdict of both', async () => {
    const { code, stdout, stderr } = await merge(
      'shards',
      '--report',
      'json',
      '--report',
      'junit=merged.xml',
    );
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('1 JSON file passed over');
    const both = JSON.parse(stdout) as ConformReport;
    const parts = [read('shards/1.json'), read('shards/2/report.json')];
    const [one, two] = parts.map(({ searched }) => searched!);
    // The schedule without deviations was run by both.
    expect(both.searched!.schedules).toBe(one!.schedules + two!.schedules - 1);
    expect(both.searched!.shard).toBeUndefined();
    expect(both.stopped).toBeUndefined();
    expect(both.causes.map(({ id }) => id)).toContain('line/tool-runs, listed again');
    const causes = both.causes.map(({ id }) => id);
    expect(new Set(causes).size).toBe(causes.length);
    expect(both.failures![0]).toMatchObject({
      file: expect.stringMatching(/-shard-[12]\.yaml$/),
      shard: { of: 2 },
    });
    expect(readFileSync(join(directory, 'merged.xml'), 'utf8')).toContain('<testsuite');
  });

  it('without one of them: it is named, and the result is not that of a whole search', async () => {
    const { stopped, checks } = await merged('shards/2/report.json');
    expect(stopped).toBe('shard 1/2 is missing');
    expect(checks.length).toBeGreaterThan(0);
    const good = ['--function', join(ROOT, 'fixtures/clients/reference.mjs'), '--schedules', '8'];
    await explore(...good, '--shard', '2/3', '--report', 'json=good.json');
    const ended = await merge('good.json');
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('shards 1/3 and 3/3 are missing');
  });

  it.each<[string, () => void, string[], string]>([
    [
      'twice the same',
      () => {},
      ['shards', 'shards/1.json'],
      'shards/1.json and shards/1.json are both shard 1/2',
    ],
    [
      'other seeds',
      () => write('other.json', { ...read('shards/2/report.json'), seed: 9 }),
      ['shards/1.json', 'other.json'],
      'shards/1.json and other.json are no shards of one search: they differ in the seed: 1 and 9',
    ],
    [
      'other versions',
      () => write('old.json', { ...read('shards/1.json'), taskdouble: '0.0.9' }),
      ['shards', 'old.json'],
      'old.json: written by taskdouble 0.0.9, and this is 0.1.0',
    ],
    [
      'a report cut short',
      () => writeFileSync(join(directory, 'cut.json'), '{"taskdouble": '),
      ['cut.json'],
      'cut.json: expected complete JSON',
    ],
    ['other JSON', () => {}, ['shards/package.json'], 'shards/package.json: this is no report of taskdouble'],
    ['nothing there', () => {}, ['gone'], 'gone: there is no such file or directory'],
    [
      'no report there',
      () => mkdirSync(join(directory, 'empty')),
      ['empty'],
      'there is no report of taskdouble in empty',
    ],
    [
      'another shape',
      () => write('odd.json', { ...read('shards/1.json'), checks: [{ id: 7 }] }),
      ['odd.json'],
      'odd.json: expected the key "case" in checks[0]',
    ],
    [
      'a deviation that there is not',
      () => {
        const { searched, ...rest } = read('shards/1.json');
        const text = JSON.stringify(searched).replaceAll(/"network":"[a-z-]+"/g, '"network":"constructor"');
        write('verb.json', { ...rest, searched: JSON.parse(text) });
      },
      ['verb.json'],
      'network: expected one of delay, hold, drop',
    ],
    [
      'a search that was not divided',
      () => {
        const { searched, ...rest } = read('shards/1.json');
        const { shard: _, state: __, ...whole } = searched!;
        write('whole.json', { ...rest, searched: whole });
      },
      ['whole.json'],
      'whole.json is the report of a search that was not divided',
    ],
    [
      'another kind',
      () => write('service.json', createReport([createCheck('polling/one-shot#POLL-02', 'passed')])),
      ['shards', 'service.json'],
      'shards/1.json is a report of explore, and service.json one of conform; merge them separately',
    ],
  ])('%s: one line, exit code 2', async (_, prepare, paths, said) => {
    prepare();
    const { code, stdout, stderr }: CommandResult = await merge(...paths);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines.at(-1)).toContain(said);
    expect(lines.length).toBeLessThanOrEqual(1);
  });
});

describe('reports of conform with other suites each', () => {
  it('become one: what one skipped and another decided is decided, what failed anywhere fails', async () => {
    const target = { base_url: 'http://service.example' };
    const exchanges = (await import('../test/support/report/reports.js')).createGoodReport().exchanges;
    const { seq } = exchanges[0]!;
    const failed = createCheck('auth/keys#AUTH-01', 'failed', {
      message: 'it took any key',
      evidence: [seq],
    });
    write(
      'auth.json',
      createReport([failed, createCheck('polling/one-shot#POLL-02', 'skipped')], { target, exchanges }),
    );
    const passed = createCheck('polling/one-shot#POLL-02', 'passed', { evidence: [seq] });
    write(
      'polling.json',
      createReport([passed, createCheck('auth/keys#AUTH-01', 'inconclusive')], {
        target,
        exchanges,
        stopped: 'gone',
      }),
    );
    const both = await merged('auth.json', 'polling.json', '--all');
    expect(both.checks.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['auth/keys#AUTH-01', 'failed'],
      ['polling/one-shot#POLL-02', 'passed'],
    ]);
    expect(both.summary).toEqual({ passed: 1, failed: 1, inconclusive: 0, skipped: 0 });
    expect(both.causes.map(({ id }) => id)).toEqual(['AUTH-01']);
    expect(both.stopped).toBe('polling.json: gone');
    // Each exchange has a number of its own, and the evidence leads to it.
    expect(both.exchanges.map((each) => each.seq)).toEqual(
      [...exchanges.map((each) => each.seq), expect.any(Number)].slice(0, 2),
    );
    expect(both.checks[1]!.evidence).toEqual([both.exchanges[1]!.seq]);
    expect(both.checks[1]!.evidence).not.toEqual([seq]);
  });
});
