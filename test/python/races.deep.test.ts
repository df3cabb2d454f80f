import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Client } from '../../conformance/client/types.js';
import { replay } from '../../conformance/explore/reproduce/replay.js';
import { explore } from '../../conformance/explore/search/explore.js';
import { findPython, isPythonRequired, NO_PYTHON } from '../support/python.js';

const CLIENTS = join(import.meta.dirname, 'races/clients.py');
const ADAPTER = join(import.meta.dirname, '../../fixtures/adapters/adapter.py');
const REPLAYS = 3;
const python = findPython();

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-python-races-'));
afterAll(() => rmSync(directory, { recursive: true }));

const describeClient = (race: string): Client => ({
  kind: 'command',
  command: [python!, CLIENTS, race],
  timeOfAdapter: 'virtual',
});

function skipWithoutPython(skip: (why: string) => void): void {
  if (python !== undefined) return;
  if (isPythonRequired) expect.fail(`CI_PYTHON=1: ${NO_PYTHON}.`);
  skip(NO_PYTHON);
}

async function search(race: string) {
  const scenarios = ['tool-calls/one-call', 'tool-calls/two-calls'];
  const report = await explore({
    client: describeClient(race),
    scenarios,
    schedules: 30,
    timeLimitMs: 600_000,
  });
  expect([report.time, report.adapter]).toEqual([
    'virtual (adapter)',
    'python, a forked process for each job',
  ]);
  expect(report.nondeterministic).toEqual([]);
  return report.failures;
}

it.for([
  ['handles-again', 'replies/once', 'repeat'],
  ['reports-failure', 'replies/same-again', 'drop'],
  ['ends-at-limit', 'requests/dropped', 'fail'],
  ['forgets-call', 'replies/given-up', 'fail'],
  ['shares-outcome', 'replies/same-again', 'drop'],
  ['two-readers', 'replies/once', 'drop'],
  ['none'],
])(
  'the race %s of a Python client is found, and each replay has the same trace',
  async ([race, rule, network], { skip }) => {
    skipWithoutPython(skip);
    const [failure] = await search(race!);
    expect(failure?.rule).toBe(rule);
    if (!failure) return;
    expect(failure.deviations.map((each) => each.rule.network)).toEqual([network]);
    const path = join(directory, `${race}.yaml`);
    writeFileSync(path, failure.yaml);
    const traces = new Set<string>();
    for (let times = 0; times < REPLAYS; times++) {
      const { shown, run } = await replay(path, describeClient(race!));
      expect(shown).toBe(true);
      traces.add(JSON.stringify(run.trace));
    }
    expect(traces.size).toBe(1);
  },
);

it('a correct client in real time has no failure beside as many others as the machine carries', async ({
  skip,
}) => {
  skipWithoutPython(skip);
  const scenarios = ['tool-calls/one-call', 'polling/one-shot'];
  // A command with the address in its words is started for each run.
  const client: Client = { kind: 'command', command: [python!, ADAPTER, '{base_url}'] };
  const { time, failures, progress } = await explore({
    client,
    scenarios,
    schedules: 30,
    timeLimitMs: 600_000,
  });
  expect({ time, failures: failures.map(({ key, message }) => [key, message]) }).toEqual({
    time: 'real',
    failures: [],
  });
  expect(progress.schedules).toBe(30);
});
