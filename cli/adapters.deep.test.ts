import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endAll, run } from '../test/support/cli/command.js';

const adapters = join(import.meta.dirname, '../fixtures/adapters');
const tsx = join(import.meta.dirname, '../node_modules/.bin/tsx');
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-adapters-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

/** One of everything that an adapter has to do. */
const SCENARIOS = [
  'tool-calls/corrected-input',
  'tool-calls/unknown-to-the-client',
  'sessions/goto-extract-evaluate-close',
  'sessions/close-by-delete',
  'status-codes/cancelled-by-client',
  'status-codes/failed-at-once',
  'limits/poll-limited-once',
  'limits/create-limited',
  'errors/truncated-poll',
  'races/create-response-lost',
  'races/cancel-during-tool',
  'races/duplicate-in-one-answer',
  'races/reply-limited',
  'races/reply-response-lost',
  'resources/late-live-url',
  'resources/downloads',
  'races/late-recording',
  'polling/second-wait',
  'polling/wait-again',
];

async function expectPass(
  command: readonly string[],
  names: readonly string[],
  passed: number,
): Promise<string> {
  const scenarios = names.flatMap((name) => ['--scenario', name]);
  const { code, stdout, stderr } = await run(['client', ...scenarios, '--timeout', '30s', '--', ...command]);
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain(`conforms: 0 failed, ${passed} passed, 0 inconclusive, 0 skipped`);
  return stdout;
}

describe('each adapter that --init writes works as it stands', () => {
  it.each([
    ['node', ['node', join(adapters, 'adapter.mjs')], SCENARIOS, 77],
    ['python', ['python3', join(adapters, 'adapter.py')], SCENARIOS, 77],
    // That for Node.js with types, and the slowest to start.
    ['typescript', [tsx, join(adapters, 'adapter.ts')], SCENARIOS.filter((_, at) => at % 3 === 0), 29],
  ])('%s', async (_, command, names, passed) => {
    await expectPass(command, names, passed);
  });

  const hasGo = spawnSync('go', ['version']).status === 0;
  it.skipIf(!hasGo)(`go${hasGo ? '' : ': skipped, Go is not installed'}`, async () => {
    // Built first: compiling takes longer than a handshake may on a loaded machine.
    const program = join(directory, 'adapter');
    const built = spawnSync('go', ['build', '-o', program, join(adapters, 'adapter.go')], {
      env: { ...process.env, GOCACHE: join(directory, 'cache'), GOFLAGS: '-mod=mod' },
      encoding: 'utf8',
    });
    expect(built.stderr).toBe('');
    const stdout = await expectPass([program], SCENARIOS, 77);
    expect(stdout).toContain('in real time (go, one process for all jobs)');
  });
});
