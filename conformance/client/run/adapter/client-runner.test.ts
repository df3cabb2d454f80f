import { describe, expect, it } from 'vitest';
import { formatTraceEntry } from '../../../../mock/network/tracer.js';
import { createScriptClient, isAlive, SMALL_CLIENT } from '../../../../test/support/client/inline.js';
import {
  HANDSHAKE,
  listWords,
  openAdapter,
  openRunner,
  readPid,
  short,
  VIRTUAL_HANDSHAKE,
} from '../../../../test/support/client/open-adapter.js';
import { judgeRun } from '../../judge/verdict.js';
import { checkUnknownScenario, UNKNOWN_SCENARIO } from '../unknown-scenario.js';

describe('a persistent adapter', () => {
  it('does all jobs in one process, and each run has its own mock', async () => {
    const { runner } = openAdapter(HANDSHAKE);
    expect([runner.client.kind, runner.adapter, runner.canDoOtherJob]).toEqual(['command', undefined, false]);
    const runs = [await runner.play(short), await runner.play(short, { seed: 2 })];
    for (const run of runs) {
      expect(run).toMatchObject({ kind: 'command', end: 'by-itself', exitCode: 0, leftBehind: 0 });
      expect(run).toMatchObject({ adapter: 'node, one process for all jobs', line: { status: 'done' } });
      expect(judgeRun(run)).toEqual([]);
    }
    expect(runs[0]!.tasks[0]!.id).not.toBe(runs[1]!.tasks[0]!.id);
    const pids = runs.map(readPid);
    expect(pids[0]).toBeGreaterThan(0);
    expect(pids[1]).toBe(pids[0]);
    expect([runner.adapter, runner.canDoOtherJob]).toEqual(['node, one process for all jobs', true]);
    await runner.close();
    expect(isAlive(pids[0]!)).toBe(false);
  });

  it('does runs at the same time in a process each', async () => {
    const { runner } = openAdapter(HANDSHAKE);
    const runs = await Promise.all([runner.play(short), runner.play(short)]);
    expect(runs.map(({ line }) => line?.status)).toEqual(['done', 'done']);
    expect(new Set(runs.map(readPid)).size).toBe(2);
  });

  it('gets the scenario that does not exist as its first job', async () => {
    const { runner } = openAdapter(HANDSHAKE);
    const run = await runner.play(UNKNOWN_SCENARIO);
    expect(checkUnknownScenario(run).outcome).toBe('passed');
    expect(readPid(await runner.play(short))).toBe(readPid(run));
  });
});

it('a command that is no adapter does its job in every run', async () => {
  const { runner, notes } = openRunner(createScriptClient(SMALL_CLIENT));
  expect(await runner.play(short)).toMatchObject({ end: 'by-itself', line: { status: 'done' } });
  expect(await runner.play(short)).toMatchObject({ end: 'by-itself', line: { status: 'done' } });
  expect([runner.adapter, notes]).toEqual([undefined, []]);
});

it('a command with its address in the words is not asked whether it is an adapter', async () => {
  const offer = 'console.log(JSON.stringify({ offer: process.env.TASKDOUBLE_ADAPTER ?? "none" }))';
  const listOffers = async (...args: string[]) => {
    const { runner } = openRunner(createScriptClient(offer, ...args));
    return [await runner.play(short), await runner.play(short)].map(({ line }) => line?.['offer']);
  };
  expect(await listOffers('{base_url}')).toEqual(['none', 'none']);
  expect(await listOffers('x')).toEqual(['1', 'none']);
});

it.each([
  [{ ...HANDSHAKE, adapter: 2 }, /no handshake of an adapter that taskdouble supports: adapter: expected 1/],
  [{ ...HANDSHAKE, isolation: 'some' }, /isolation: expected one of/],
])('a handshake that is not supported is an error: %j', async (handshake, message) => {
  const { runner } = openAdapter(handshake);
  const run = await runner.play(short);
  expect(run.end).toBe('not-started');
  expect(run.error).toMatch(message);
});

describe('a persistent adapter on virtual time', () => {
  it('is run on it if the caller does not decide on real time, and is repeatable', async () => {
    const { runner } = openRunner({
      kind: 'command',
      command: listWords(VIRTUAL_HANDSHAKE),
      timeOfAdapter: 'virtual',
    });
    const runs = [await runner.play(short), await runner.play(short)];
    expect(runs[0]).toMatchObject({ kind: 'adapter', durationMs: 0, line: { status: 'done' } });
    const [one, again] = runs.map(({ trace }) => trace.map((each) => `${each.at} ${formatTraceEntry(each)}`));
    expect(again).toEqual(one);
    expect(runner.client.kind).toBe('adapter');
  });

  it('is run in real time if it cannot follow virtual time', async () => {
    const { runner, notes } = openRunner({ kind: 'node', command: listWords(HANDSHAKE) });
    expect((await runner.play(short)).kind).toBe('command');
    expect(notes).toContain('the adapter does not follow virtual time: it is run in real time');
  });
});
