import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { listCaseChecks, planRun } from '../conform.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-door-'));
afterAll(() => rmSync(directory, { recursive: true }));

interface Test {
  title: string;
  status: string;
  failureMessages: string[];
}

/** Runs the fixtures in a separate vitest. */
async function vitest(args: readonly string[], env: Record<string, string> = {}) {
  const root = findPackageRoot();
  const sent = join(directory, 'sent.json');
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      join(root, 'test/support/describe-conformance/vitest.config.ts'),
      ...args,
    ],
    { cwd: root, env: { ...process.env, ...env, DOOR_SENT: sent }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stdout = '';
  let all = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    all += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    all += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    testResults: { assertionResults: Test[] }[];
  };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const of = (status: string) => tests.filter((test) => test.status === status);
  return { code, all, tests, of, sent: JSON.parse(readFileSync(sent, 'utf8')) as string[] };
}

describe('describeConformance', () => {
  it('registers a test for each check, in one of the shards by file, and sends what it has to once', async () => {
    const shards = [await vitest(['--shard', '1/2']), await vitest(['--shard', '2/2'])];
    for (const { code, all } of shards) expect(code, all).toBe(0);
    const tests = shards.flatMap((shard) => shard.tests);
    expect(shards.flatMap(({ of }) => of('failed'))).toEqual([]);
    const checks = listCaseChecks(planRun({ only: ['auth/getUsage'] }).cases);
    expect(checks.length).toBeGreaterThan(1);
    for (const check of checks) {
      expect(tests.filter(({ title }) => title.startsWith(`${check.id}: `))).toHaveLength(1);
    }
    for (const { sent } of shards)
      expect(sent.filter((line) => line === 'POST /task').length).toBeLessThanOrEqual(2);
    const titles = shards.map((shard) => shard.tests.map(({ title }) => title.split('/')[1]?.split('#')[0]));
    expect(titles[0]!.includes('getUsage')).not.toBe(titles[1]!.includes('getUsage'));
  });

  it('sends only what the selected tests need', async () => {
    const { code, of, sent } = await vitest(['auth.door', '-t', 'auth/getUsage#']);
    expect(code).toBe(0);
    expect(of('passed').length).toBeGreaterThan(0);
    expect(of('passed').every(({ title }) => title.startsWith('auth/getUsage#'))).toBe(true);
    expect(sent).toContain('GET /usage');
    expect(sent).not.toContain('GET /org');
  });

  it('fails the check that a fault breaks, with the exchange and without the key', async () => {
    const { code, all, of } = await vitest(['auth.door'], { DOOR_FAULT: 'usage' });
    expect(code).toBe(1);
    const failed = of('failed');
    expect(failed.map(({ title }) => title).join()).toContain('resources/getUsage-answer#');
    expect(failed.flatMap(({ failureMessages }) => failureMessages).join()).toMatch(
      /GET \/api\/v1\/usage → 201/,
    );
    expect(all).not.toContain('door-key-1234');
    expect(of('passed').some(({ title }) => title.startsWith('auth/getOrganisation#'))).toBe(true);
  });

  it('passes nothing where there is no service', async () => {
    const { code, of } = await vitest(['auth.door', '-t', 'auth/'], { DOOR_FAULT: 'nothing' });
    expect(code).toBe(1);
    expect(of('passed')).toEqual([]);
    expect(of('failed')[0]!.failureMessages.join()).toContain('could not be tested');
  });
});
