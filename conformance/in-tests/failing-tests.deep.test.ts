import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NodeRun, runVitest } from '../../test/support/in-tests/run.js';

describe('a test that fails', () => {
  const place = 'test/support/in-tests/failing';
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-failing-'));
  const junit = join(directory, 'junit.xml');
  let ran: NodeRun;
  beforeAll(async () => {
    const reporters = ['default', 'github-actions', 'junit'].flatMap((name) => ['--reporter', name]);
    ran = await runVitest(place, [...reporters, `--outputFile.junit=${junit}`]);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  /** Output of the default reporter for a failure. */
  const printed = (name: string) => {
    const parts = ran.stderr.split(/^ FAIL {2}/m).filter((part) => part.split('\n')[0]!.endsWith(name));
    return parts.map((part) => part.replace(/⎯{5}[\s\S]*/, ''));
  };

  it('fails, and so do all the others', () => {
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/Tests {2}11 failed \(11\)/);
  });

  it('shows the seed and the conversation after its message, before its place', () => {
    const [shown, ...more] = printed('> fails by an assertion');
    expect(more).toEqual([]);
    expect(shown!.split('\n').slice(1, 7)).toEqual([
      'AssertionError: adding up: expected 2 to be 3 // Object.is equality',
      '',
      'taskdouble: seed 1 (the same again: TASKDOUBLE_SEED=1), the conversation:',
      expect.stringMatching(/^ {3}\+0\.000 s {2}client {3}POST \/task → 200 task \w{8} is running$/),
      expect.stringMatching(/^ {3}\+0\.000 s {2}now {6}task \w{8} is running; service finish waits for/),
      '',
    ]);
    expect(shown).toContain('❯ failing.spec.ts:14:');
  });

  it('shows its own conversation, also beside others, and no line of it twice', () => {
    for (const name of ['left', 'right']) {
      const [shown] = printed(`fails on the ${name}`);
      expect(shown).toContain('expected the task to reach "failed"');
      expect(shown!.match(/POST \/task/g)).toHaveLength(1);
      expect(shown).toContain(`${name}\\"`);
      expect(shown).toContain('taskdouble: seed 1 (the same again: TASKDOUBLE_SEED=1)');
    }
  });

  it('shows them however it fails: in a hook, by its time, with a text, again', () => {
    for (const name of ['fails in a hook', 'fails by its time', 'fails with a text', 'fails twice']) {
      const shown = printed(`> ${name}`).join('');
      expect(shown.match(/taskdouble: seed/g), name).not.toBeNull();
      expect(shown.match(/POST \/task → 200/g), name).not.toBeNull();
    }
    expect(printed('> fails with a text')[0]).toContain('taskdouble: seed of my own, the conversation:');
  });

  it('shows them once where it failed softly more than once', () => {
    const shown = printed('> fails softly twice');
    expect(shown).toHaveLength(2);
    expect(shown.map((part) => part.includes('taskdouble: seed'))).toEqual([false, true]);
  });

  it('adds nothing without a mock, and explains why there is none', () => {
    for (const name of [
      'fails without asking for a mock',
      'fails as a test of vitest',
      'cannot have a mock',
    ]) {
      expect(printed(`> ${name}`)[0]).not.toContain('seed 1');
    }
    expect(printed('> cannot have a mock')[0]).toContain('unknown key "sead"; did you mean seed?');
  });

  it('shows the same to readers of JUnit and of GitHub', () => {
    const xml = readFileSync(junit, 'utf8');
    const [, of] = /name="fails by an assertion"([\s\S]*?)<\/testcase>/.exec(xml)!;
    expect(of).toMatch(/<failure message="adding up: [^"]*taskdouble: seed 1 [^"]*POST \/task → 200/);
    const annotations = ran.stdout.split('\n').filter((line) => line.startsWith('::error'));
    const annotation = annotations.find((line) => line.includes('fails on the left'));
    expect(annotation).toMatch(/POST \/task → 200.*taskdouble: seed 1 /);
  });

  it('never shows a key', () => {
    expect(ran.stdout + ran.stderr + readFileSync(junit, 'utf8')).not.toContain('sk-very-secret-key');
  });

  it('takes the seed of the environment', async () => {
    const again = await runVitest(place, ['-t', 'fails by an assertion'], { TASKDOUBLE_SEED: '42' });
    expect(again.stderr).toContain('taskdouble: seed 42 (the same again: TASKDOUBLE_SEED=42)');
  });
});
