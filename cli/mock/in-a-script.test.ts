import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPage } from '../../test/docs/support/markdown.js';

const ROOT = join(import.meta.dirname, '../..');

/** Runs the script that docs/in-ci.md shows around a command; settles when its output is closed, also by the mock. */
function runAgainstTheMock(
  command: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const block = readPage(join(ROOT, 'docs/in-ci.md')).blocks.find(({ info }) =>
    info.includes('against-the-mock.sh'),
  );
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true });
  // What npm puts there makes room for Node.js in the same way: the script's child is the mock itself.
  const starter = `#!/bin/sh\nexec node '${join(ROOT, 'dist/command/main.js')}' "$@"\n`;
  writeFileSync(join(directory, 'node_modules/.bin/taskdouble'), starter, { mode: 0o755 });
  writeFileSync(join(directory, 'against-the-mock.sh'), block!.text);
  return new Promise((resolve) => {
    const args = ['against-the-mock.sh', 'sh', '-c', command];
    const child = execFile('bash', args, { cwd: directory }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

it.each([
  ['works', 'echo "$TASKDOUBLE_BASE_URL"', 0],
  ['fails', 'echo "$TASKDOUBLE_BASE_URL"; exit 3', 3],
])('the mock of the script is gone after a command that %s', async (_, command, wanted) => {
  const { code, stdout, stderr } = await runAgainstTheMock(command);
  expect([code, stderr]).toEqual([wanted, '']);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  await expect(fetch(`${stdout.trim()}/api/v1/usage`)).rejects.toThrow('fetch failed');
});
