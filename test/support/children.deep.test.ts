import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const FAILING = ['run', '--root', 'test/support', '--config', 'failing/vitest.config.ts'];

/** Runs the failing test; resolves once its mock listens. */
async function failingTest(env: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-children-'));
  const said = watch(directory);
  const tests = spawn(process.execPath, [VITEST, ...FAILING], {
    cwd: ROOT,
    env: { ...process.env, ...env, SAID: join(directory, 'said') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    tests.kill('SIGKILL');
    said.close();
    rmSync(directory, { recursive: true });
  });
  let output = '';
  for (const stream of [tests.stdout, tests.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const ended = once(tests, 'exit');
  const read = () => {
    try {
      return JSON.parse(readFileSync(join(directory, 'said'), 'utf8')) as { base_url: string };
    } catch {
      return undefined;
    }
  };
  while (read() === undefined) {
    if (tests.exitCode !== null) throw new Error(output);
    await Promise.race([once(said, 'change'), ended]);
  }
  return { tests, ended, base_url: read()!.base_url, output: () => output };
}

it('ends the mock of a failing test', async () => {
  const { ended, base_url, output } = await failingTest({});
  expect((await ended)[0], output()).toBe(1);
  expect(output()).toContain("expected 'actual' to be 'expected'");
  await expect(fetch(base_url)).rejects.toThrow('fetch failed');
});

it.each(['SIGINT', 'SIGTERM'] as const)('ends the mock of tests that %s interrupts', async (signal) => {
  const { tests, ended, base_url } = await failingTest({ HANGS: '1' });
  expect((await fetch(base_url)).status).toBeLessThan(500);
  tests.kill(signal);
  await ended;
  await expect
    .poll(
      () =>
        fetch(base_url).then(
          () => 'there',
          () => 'gone',
        ),
      { timeout: 300_000 },
    )
    .toBe('gone');
});
