import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadEdited, readEdits } from '../../../test/clients/edited-clients.js';
import { loadClient } from '../../../test/support/client/fixture.js';
import { replay } from '../reproduce/replay.js';
import { explore } from './explore.js';

const PAIR = 'tool-calls/one-call with sessions/run-task-with-tools';

it('the default set has a pair, and the file of its failure reproduces it', async () => {
  const run = await loadEdited(
    readEdits('buggy-edits.txt').find(({ name }) => name === 'task-of-the-module')!,
  );
  const { failures, scenarios } = await explore({ client: run, schedules: 25, deviations: 0 });
  expect(scenarios.at(-1)).toBe(PAIR);
  const [failure] = failures;
  expect(failures.map(({ scenario, rule }) => [scenario, rule])).toEqual([[PAIR, 'line/error']]);
  expect(failure!.message).toMatch(/^The first of two jobs at the same time in one process: /);
  // The run of the first job: the failing one.
  expect(failure!.timeline.join('\n')).toMatch(/create 1: Tell me with get_weather/);
  const directory = await mkdtemp(join(tmpdir(), 'pairs-'));
  try {
    const path = join(directory, 'pair.yaml');
    await writeFile(path, failure!.yaml);
    const replayOf = async (client: typeof run) =>
      (await replay(path, { kind: 'function', run: client })).shown;
    expect([await replayOf(run), await replayOf(await loadClient('reference'))]).toEqual([true, false]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('the deviations are of the second job, and fail no correct client', async () => {
  const client = await loadClient('reference');
  const { failures, coverage } = await explore({
    client,
    scenarios: [PAIR],
    deviations: 1,
    schedules: 60,
    timeLimitMs: 600_000,
  });
  expect(failures).toEqual([]);
  expect(coverage.map(({ scenario }) => scenario)).toEqual([PAIR, PAIR]);
  const [, single] = coverage;
  expect(single!.run).toBeGreaterThan(20);
  expect(single!.notTriggered).toBeLessThan(single!.run / 4);
});
