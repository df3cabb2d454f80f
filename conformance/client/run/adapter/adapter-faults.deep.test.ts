import { describe, expect, it } from 'vitest';
import { loadLibrary } from '../../../../scenarios/format/library/library.js';
import type { OtherJob } from '../../../../scenarios/format/types.js';
import { createScriptClient, isAlive } from '../../../../test/support/client/inline.js';
import {
  FAULTY,
  HANDSHAKE,
  listWords,
  openAdapter,
  openRunner,
  readPid,
  short,
  VIRTUAL_HANDSHAKE,
} from '../../../../test/support/client/open-adapter.js';
import { judgeRun } from '../../judge/verdict.js';
import type { ClientRun } from '../../types.js';
import { play } from '../play.js';

describe('a fault in a job has the verdict of a one-shot command, and the next job a new process', () => {
  const summarize = (run: ClientRun) => ({
    ends: [run.end, run.exitCode, run.signal, run.stderr],
    found: judgeRun(run).map(({ rule, message }) => `${rule}: ${message.replace(/within [\d.]+ s/, '')}`),
  });

  it.each([
    ['crash', "console.error('Error: no luck'); process.exit(3);"],
    ['exit', ''],
    ['signal', "process.kill(process.pid, 'SIGKILL');"],
    ['no JSON', "console.log('taskdouble:All is well.');"],
    ['flood', "const more = () => process.stdout.write('y'.repeat(65536) + '\\n', more); more();"],
  ])('%s', async (fault, code) => {
    const { runner, notes } = openAdapter(HANDSHAKE, fault);
    const before = await runner.play(short);
    const failed = await runner.play(FAULTY);
    const one = await play(FAULTY, createScriptClient(code));
    expect(summarize(failed)).toEqual(summarize(one));
    expect(summarize(failed).found).not.toEqual([]);
    const after = await runner.play(short);
    expect(judgeRun(after)).toEqual([]);
    expect(readPid(after)).not.toBe(readPid(before));
    expect(notes).toHaveLength(fault === 'no JSON' ? 2 : 1);
  });

  it('a hang', async () => {
    const { runner } = openAdapter(HANDSHAKE, 'hang');
    const before = await runner.play(short);
    const failed = await runner.play(FAULTY, { deadlineMs: 100 });
    const one = await play(FAULTY, createScriptClient('setInterval(() => {}, 1000)'), { deadlineMs: 100 });
    expect(summarize(failed)).toEqual(summarize(one));
    expect(failed.end).toBe('deadline');
    expect(isAlive(readPid(before))).toBe(false);
    expect(judgeRun(await runner.play(short))).toEqual([]);
  });

  it('a report of another job', async () => {
    const { runner, notes } = openAdapter(HANDSHAKE, 'unknown id');
    await runner.play(short);
    expect((await runner.play(FAULTY)).lineProblem).toMatch(/no JSON.*got "taskdouble:.*no-such/);
    expect(judgeRun(await runner.play(short))).toEqual([]);
    expect(notes[1]).toBe('the adapter is started again: it reported a job that it was not given');
  });

  it('processes that a job left behind', async () => {
    const { runner } = openAdapter(HANDSHAKE, 'left behind');
    const [finding, ...others] = judgeRun(await runner.play(FAULTY));
    expect([finding?.rule, others]).toEqual(['run/left-behind', []]);
    expect(finding?.message).toContain('left 2 processes behind');
    expect(judgeRun(await runner.play(short))).toEqual([]);
  });

  it('a second report: the first counts', async () => {
    const { runner, notes } = openAdapter(HANDSHAKE, 'twice');
    // The second report may arrive in the next job, which is not affected.
    const runs = [await runner.play(FAULTY), await runner.play(short), await runner.play(short)];
    expect(runs.map((run) => judgeRun(run))).toEqual([[], [], []]);
    expect(readPid(runs[2]!)).not.toBe(readPid(runs[0]!));
    expect(notes.slice(1)).toEqual(['the adapter is started again: it reported a job twice']);
  });

  it('an exit between two jobs is no fault of either', async () => {
    const { runner } = openAdapter(HANDSHAKE, 'exit afterwards');
    const runs = [await runner.play(FAULTY), await runner.play(short)];
    expect(runs.map((run) => judgeRun(run))).toEqual([[], []]);
  });

  it('a report without a result has the output of the client', async () => {
    const { runner } = openAdapter(HANDSHAKE, 'no result');
    expect((await runner.play(FAULTY)).lineProblem).toMatch(/no JSON.*got "All is well\."/);
  });
});

describe('an adapter that does more than one job', () => {
  it.each<[OtherJob['starts']]>([['before'], ['with']])(
    'does two jobs in one process, the other one %s',
    async (starts) => {
      const { runner } = openAdapter(HANDSHAKE);
      await runner.play(short);
      const scenario = (await loadLibrary()).find(({ name }) => name === 'polling/one-shot')!;
      const run = await runner.play({ ...scenario, other_job: { scenario: 'tool-calls/one-call', starts } });
      expect([run.line?.status, run.other?.line?.status]).toEqual(['done', 'done']);
      expect(judgeRun(run)).toEqual([]);
      const last = Math.max(...run.other!.exchanges.map(({ request }) => request.at));
      expect(run.exchanges[0]!.request.at > last).toBe(starts === 'before');
      expect(run.exchanges.map(({ organisation }) => organisation)).not.toContain('another key');
    },
  );
  it('is run on it as a client that is to be on virtual time; a hang takes no real time', async () => {
    const { runner } = openRunner({ kind: 'node', command: listWords(VIRTUAL_HANDSHAKE, 'child hangs') });
    const before = await runner.play(short);
    const failed = await runner.play(FAULTY, { deadlineMs: 600_000 });
    expect(failed).toMatchObject({ kind: 'adapter', end: 'deadline', durationMs: 601_000 });
    // The job is cancelled, and its process alone is ended.
    expect(readPid(await runner.play(short))).toBe(readPid(before));
  });
});
