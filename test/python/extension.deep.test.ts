import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judgeRun } from '../../conformance/client/judge/verdict.js';
import { openRunner } from '../support/client/open-adapter.js';
import { createScenario } from '../support/client/scenarios.js';
import { findPython, isPythonRequired, NO_PYTHON } from '../support/python.js';

it('a Python client that waits in an extension written in C is reported, and real time is advised', async ({
  skip,
}) => {
  const python = findPython();
  if (python === undefined) {
    if (isPythonRequired) expect.fail(`CI_PYTHON=1: ${NO_PYTHON}.`);
    return skip(NO_PYTHON);
  }
  const command = [python, join(import.meta.dirname, '../../python/tests/client_of_tests.py')];
  const { runner } = openRunner({ kind: 'command', command, timeOfAdapter: 'virtual' });
  const scenario = createScenario([{ service: 'finish', status: 'done' }]);
  const run = await runner.play({ ...scenario, request: { task: 'extension' } });
  expect([run.kind, run.end]).toEqual(['adapter', 'not-virtual']);
  const [finding] = judgeRun(run);
  expect(finding?.message).toMatch(/such as in an extension written in C\. Run it with --time real\.$/);
});
