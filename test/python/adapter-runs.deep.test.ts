import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { judgeRun } from '../../conformance/client/judge/verdict.js';
import type { ClientRun } from '../../conformance/client/types.js';
import { openRunner } from '../support/client/open-adapter.js';
import { createScenario } from '../support/client/scenarios.js';
import { findPython, isPythonRequired, NO_PYTHON } from '../support/python.js';

const python = findPython();
const CLIENT = join(import.meta.dirname, '../../python/tests/client_of_tests.py');

async function play(how: string, ...more: string[]) {
  const command = [python!, CLIENT, ...more];
  const { runner } = openRunner({ kind: 'command', command, timeOfAdapter: 'virtual' });
  const scenario = createScenario([{ service: 'finish', status: 'done' }]);
  return runner.play({ ...scenario, request: { task: how } });
}

beforeEach(({ skip }) => {
  if (python !== undefined) return;
  if (isPythonRequired) expect.fail(`CI_PYTHON=1: ${NO_PYTHON}.`);
  skip(NO_PYTHON);
});

it('a Python client that waits in an extension written in C is reported, and real time is advised', async () => {
  const run = await play('extension');
  expect([run.kind, run.end]).toEqual(['adapter', 'not-virtual']);
  const [finding] = judgeRun(run);
  expect(finding?.message).toMatch(/such as in an extension written in C\. Run it with --time real\.$/);
});

it.runIf(process.platform === 'linux')(
  'a Python client whose requests come from a process that it forks is not judged in virtual time',
  async () => {
    const run = await play('fork');
    expect(run.end).toBe('not-virtual');
    expect(judgeRun(run)[0]?.message).toMatch(/forked a process.*Run it with --time real\.$/);
  },
);

it.runIf(process.platform === 'linux')(
  'a Python client that leaves processes behind is reported in both forms',
  async () => {
    const [persistent, oneShot] = [
      await play('leave processes'),
      await play('leave processes', '{base_url}'),
    ];
    expect([persistent.adapter, oneShot.adapter]).toEqual([expect.any(String), undefined]);
    const listMessages = (run: ClientRun) =>
      judgeRun(run).flatMap(({ rule, message }) => (rule === 'run/left-behind' ? [message] : []));
    expect(listMessages(persistent)).toEqual([expect.stringContaining('left 2 processes behind')]);
    expect(listMessages(persistent)).toEqual(listMessages(oneShot));
  },
);

it('where a process cannot fork, each job has a process of its own: the report says so', async () => {
  // Its client removes what Windows does not have.
  const run = await play('asyncio', 'Windows');
  expect([run.kind, run.adapter]).toEqual(['adapter', 'python, a process for each job']);
  expect([run.end, run.line?.['status']]).toEqual(['by-itself', 'done']);
});
