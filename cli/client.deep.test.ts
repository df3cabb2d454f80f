import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { ConformReport } from '../conformance/service/runner/result.js';
import { endAll, run } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-client-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

const fixtures = join(import.meta.dirname, '../fixtures');
const GOOD = ['--', 'node', join(fixtures, 'adapters/adapter.mjs')];
const BUGGY = ['--', 'node', join(fixtures, 'clients/buggy/own-reply-id.mjs')];
const ONE = ['--scenario', 'polling/one-shot'];
const CALL = ['--scenario', 'tool-calls/one-call'];
const client = (...args: string[]) => run(['client', ...args], { cwd: directory });

it('taskdouble client passes known failures of a baseline, and reports an entry that is mended', async () => {
  // In virtual time its hang costs nothing.
  const virtual = ['--time', 'virtual', ...CALL];
  const { stdout } = await client(...virtual, '--report', 'json', ...BUGGY);
  const { checks } = JSON.parse(stdout) as ConformReport;
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const entries = failed.map(({ id }) => `- { check: '${id}', reason: being mended, expires: 2099-12-31 }\n`);
  writeFileSync(join(directory, 'known.yaml'), entries.join(''));
  const known = ['--baseline', 'known.yaml'];
  const passed = await client(...virtual, ...known, ...BUGGY);
  expect(passed.code, passed.stdout).toBe(0);
  expect(passed.stdout).toContain(`(${failed.length} known)`);
  expect(passed.stdout).toContain('being mended');
  const mended = await client(...CALL, ...known, ...GOOD);
  expect(mended.code, mended.stdout).toBe(1);
  expect(mended.stdout).toContain('remove the entry');
  const unasked = await client(...ONE, ...known, ...GOOD);
  expect(unasked.code, unasked.stdout).toBe(0);
});

it('conforms with the adapter that --init writes also if a task does not end in its time', async () => {
  const { code, stdout } = await client('--scenario', 'generated/1-10', '--time', 'virtual', ...GOOD);
  expect(code, stdout).toBe(0);
});
