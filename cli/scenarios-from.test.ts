import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Exchange } from '../spec/vocabulary.js';
import { run } from '../test/support/cli/command.js';

const ROOT = join(import.meta.dirname, '..');
const RECORDINGS = join(ROOT, 'fixtures/recordings');
const JOURNAL = join(ROOT, 'fixtures/conversations/tool-call.jsonl');
const TASK = 'ba7b0e25-94d7-4737-93f1-db4071559479';
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-from-'));
afterAll(() => rmSync(directory, { recursive: true }));
const from = (...args: string[]) => run(['scenarios', 'from', ...args]);

function fileOf(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** The exchange that creates a task, as a journal has it. */
function createOf(n: number, task: string): Exchange {
  const [line] = readFileSync(JOURNAL, 'utf8').split('\n', 1);
  const { request, ...rest } = JSON.parse(line!.replaceAll(TASK, `task-${n}`)) as Exchange;
  return { ...rest, seq: n + 1, request: { ...request, at: n, body: JSON.stringify({ task }) } };
}

describe('taskdouble scenarios from', () => {
  it('prints the conversation of a journal as a scenario, which is valid and can be drawn', async () => {
    const { code, stdout, stderr } = await from(JOURNAL);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`from ${JOURNAL}, task ${TASK}: 7 exchanges.`);
    expect(stdout).toContain('output: It is {{weather-2.output.temp_c}} °C in New York.');
    const path = fileOf('weather.yaml', stdout);
    expect((await run(['scenarios', 'validate', path])).stdout).toBe('1 scenario valid\n');
    const drawn = await run(['scenarios', 'draw', 'weather', '--scenarios', path]);
    expect(drawn.stdout).toMatch(/Client->>Service: reply 400 to get_weather \(weather\)/);
    expect((await from(JOURNAL, '--task', TASK)).stdout).toBe(stdout);
  });

  it.each(readdirSync(RECORDINGS))(
    'writes valid scenarios from %s, one for each conversation',
    async (name) => {
      const out = join(directory, name);
      const { code, stdout, stderr } = await from(join(RECORDINGS, name), '--out', out);
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining(`--out: created the missing directory ${out}\n`),
      ]);
      const paths = stdout.trim().split('\n');
      // In one of them the second client creates no task.
      const count = name === 'safari.har' ? 1 : 2;
      expect(paths).toHaveLength(count);
      expect((await run(['scenarios', 'validate', out])).stdout).toBe(
        `${count} scenario${count === 1 ? '' : 's'} valid\n`,
      );
      const texts = paths.map((path) => readFileSync(path, 'utf8'));
      expect(texts.join()).not.toMatch(/cmzr-key/);
    },
  );

  it('cuts names that no file system takes, and writes what it can', async () => {
    const texts = ['x'.repeat(300), `${'x'.repeat(300)} y`, 'fine'];
    const entries = texts.map((text, n) => createOf(n, text));
    const journal = fileOf('long.jsonl', entries.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const out = join(directory, 'long');
    const { code, stdout } = await from(journal, '--out', out);
    const names = [`${'x'.repeat(80)}.yaml`, `${'x'.repeat(80)}-2.yaml`, 'fine.yaml'];
    expect([code, stdout]).toEqual([0, names.map((name) => `${join(out, name)}\n`).join('')]);
  });

  it('requires --task if there are several conversations, and overwrites nothing', async () => {
    const har = join(RECORDINGS, 'firefox.har');
    const several = await from(har);
    expect([several.code, several.stdout, several.stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/has 2 conversations about a task t1: write all with --out DIR\.\n$/),
    ]);
    const text = readFileSync(JOURNAL, 'utf8');
    const two = await from(fileOf('two.jsonl', text + text.replaceAll(TASK, 'other-task')));
    expect(two.stderr).toContain(`choose one with --task ID (${TASK}, other-task), or write all`);
    const out = join(directory, 'twice');
    await from(har, '--out', out);
    const before = readdirSync(out);
    const again = await from(har, '--out', out);
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringMatching(/--out: .*\.yaml is there already/),
    ]);
    expect(readdirSync(out)).toEqual(before);
  });

  it('leaves out a task that began before the recording, and says so', async () => {
    const [first, ...rest] = readFileSync(JOURNAL, 'utf8').trim().split('\n');
    const { code, stderr } = await from(fileOf('late.jsonl', rest.join('\n')));
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(new RegExp(`no scenario in .*: task ${TASK} began before`)),
    ]);
    const other = first!.replaceAll(TASK, 'another');
    const both = await from(fileOf('both.jsonl', [other, ...rest].join('\n')));
    expect([both.code, both.stderr]).toEqual([
      0,
      expect.stringMatching(/left out: task .* began before the recording/),
    ]);
  });

  it.each([
    [[JOURNAL, '--task', 'none'], 2, /there is no task "none" in it; there are ba7b0e25/],
    [
      [fileOf('empty.har', '{"log":{"entries":[]}}')],
      3,
      /empty\.har has no requests to this API: there is no conversation/,
    ],
    [[fileOf('none.har', '<html>')], 2, /none\.har: A HAR is JSON/],
    [[join(directory, 'missing')], 2, /missing: expected a file or directory, found nothing/],
  ])('%j: one line, exit %i', async (args, expected, message) => {
    const { code, stdout, stderr } = await from(...args);
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([
      expected,
      '',
      [expect.stringMatching(message)],
    ]);
  });
});
