import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { ConformReport } from '../conformance/service/runner/result.js';
import { endAll, spawn, startMock } from '../test/support/cli/command.js';
import { NULL_SERVICES, serve } from '../test/support/cli/null-services.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-conform-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

it('taskdouble mock conforms to the whole suite, in real time over a port, also in the dialect that was observed', async () => {
  const dialect = join(directory, 'dialect.yaml');
  const again = ['polling', 'status-codes'].flatMap((name) => ['--suite', name]);
  for (const { flags, suites, least } of [
    { flags: [], suites: [], least: 300 },
    { flags: ['--dialect', dialect], suites: again, least: 20 },
  ]) {
    const { base_url } = await startMock('--quiet', ...flags);
    const report = join(directory, 'report.json');
    const { code, stdout, stderr } = await spawn(
      [
        ...[
          'conform',
          base_url,
          '--api-key',
          'main-key',
          '--dialect-out',
          dialect,
          '--report',
          `json=${report}`,
        ],
        ...suites,
        ...['other', 'free', 'exhausted'].flatMap((name) => ['--key', `${name}=${name}-key`]),
        ...['billing', 'organisation', 'destructive'].flatMap((name) => ['--allow', name]),
      ],
      { cwd: directory },
    );
    expect(code, stdout + stderr).toBe(0);
    const { summary } = JSON.parse(readFileSync(report, 'utf8')) as ConformReport;
    expect(summary.failed).toBe(0);
    expect(summary.passed).toBeGreaterThan(least);
  }
});

it('no check passes against a service that never responds', async () => {
  const target = await serve(NULL_SERVICES['one that never answers']!);
  const { code, stdout, stderr } = await spawn(
    ['conform', target.base_url, '--api-key', 'k', '--report', 'json'],
    { cwd: directory },
  );
  expect([1, 3], stderr).toContain(code);
  expect((JSON.parse(stdout) as ConformReport).summary.passed).toBe(0);
  await target.close();
});
