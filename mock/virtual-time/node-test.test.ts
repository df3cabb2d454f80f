import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../../test/support/virtual-time/node-test.spec.ts');

/** The result of the program under node:test. */
function outcome(): Promise<{ code: number | null; stdout: string }> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const args = ['--import', 'tsx', '--test', '--test-reporter', 'tap', PROGRAM];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env }, (_error, stdout) =>
      resolve({ code: child.exitCode, stdout }),
    );
  });
}

it('fake timers of node:test and virtual time work together', async () => {
  const { code, stdout } = await outcome();
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/^# pass 6$/m);
});
