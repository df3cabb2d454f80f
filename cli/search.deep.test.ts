import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createProxy } from '../conformance/proxy/service-proxy.js';
import { Mock } from '../mock/mock.js';
import { mutants } from '../test/mutants/mutants.js';
import { endAll, run } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-search-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

const env = { TASKDOUBLE_API_KEY: 'main-key-6f1d' };

it('writes a found sequence that reproduces the failure five times of five, as does its script of curl commands', async () => {
  const mock = new Mock();
  const faulty = mutants.find(({ requirement }) => requirement === 'PROFILE-04')!;
  const fetch = faulty.wrap((address, init) => mock.fetch(address, init), { now: Date.now });
  const service = createProxy({
    target: 'http://mock.test',
    fetch: (input, init) => fetch(String(input), init),
  });
  const { baseUrl: base_url } = await service.listen();
  const conform = (...flags: string[]) => run(['conform', base_url, ...flags], { cwd: directory, env });

  const found = await conform(
    ...[
      '--only',
      'auth/*',
      '--search',
      '24',
      '--concurrency',
      '8',
      '--seed',
      '1',
      '--out',
      'taskdouble-search',
    ],
  );
  expect(found.code, found.stdout + found.stderr).toBe(1);
  // Which of the ways in which the fault shows is found, and under which requirement, depends on the order of concurrent sequences.
  const again = new RegExp(`npx taskdouble conform ${base_url} --replay (taskdouble-search/\\S+)\\.yaml`);
  expect(found.stdout).toMatch(again);
  const file = again.exec(found.stdout)![1]!;

  const codes: number[] = [];
  for (let time = 0; time < 5; time++) codes.push((await conform('--replay', `${file}.yaml`)).code!);
  expect(codes).toEqual([1, 1, 1, 1, 1]);

  const script = readFileSync(join(directory, `${file}.sh`), 'utf8');
  expect(script).not.toContain(env.TASKDOUBLE_API_KEY);
  const { stdout } = await promisify(execFile)('bash', [`${file}.sh`], {
    cwd: directory,
    env: { ...process.env, ...env },
  });
  const statuses = stdout.match(/^[A-Z]+ \/\S+: \d{3}$/gm) ?? [];
  expect(statuses.length, stdout).toBeGreaterThan(1);
  expect(statuses).toContainEqual(expect.stringMatching(/^POST \/\S*profile: 200$/));
  await service.close();
  await mock.close();
});
