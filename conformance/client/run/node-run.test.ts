import { describe, expect, it } from 'vitest';
import { formatTraceEntry } from '../../../mock/network/tracer.js';
import { createScriptClient, isAlive, SMALL_CLIENT } from '../../../test/support/client/inline.js';
import { createScenario, oneCall } from '../../../test/support/client/scenarios.js';
import { describeWait } from '../judge/run-end.js';
import type { Client } from '../types.js';
import { play } from './play.js';
import { checkUnknownScenario, UNKNOWN_SCENARIO } from './unknown-scenario.js';

const node = (code: string): Client => ({ kind: 'node', command: createScriptClient(code).command });

describe('a Node.js command on virtual time', () => {
  it('runs on its own clock, and is repeatable', async () => {
    const [one, again] = [await play(oneCall, node(SMALL_CLIENT)), await play(oneCall, node(SMALL_CLIENT))];
    expect(one).toMatchObject({
      kind: 'node',
      end: 'by-itself',
      exitCode: 0,
      error: undefined,
      wall: undefined,
      line: { status: 'done', output: 'It is cold.' },
      tasks: [{ status: 'done', calls: [{ step: 'c1', reply: { code: 200 } }] }],
    });
    expect(one.durationMs).toBeGreaterThanOrEqual(600);
    expect(again.trace.map((entry) => `${entry.at} ${formatTraceEntry(entry)}`)).toEqual(
      one.trace.map((entry) => `${entry.at} ${formatTraceEntry(entry)}`),
    );
  });

  it('gets the same ids as in real time', async () => {
    const real = await play(oneCall, createScriptClient(SMALL_CLIENT), { seed: 5 });
    const virtual = await play(oneCall, node(SMALL_CLIENT), { seed: 5 });
    expect(virtual.tasks[0]!.id).toBe(real.tasks[0]!.id);
  });

  it('that never ends is ended at its deadline, without real waiting', async () => {
    const stuck = createScenario([{ client: 'cancel', after: { time_ms: 600_000 } }]);
    const code = `console.error('pid ' + process.pid); ${SMALL_CLIENT.replace(', 20)', ', 20_000)')}`;
    const run = await play(stuck, node(code), { deadlineMs: 600_000 });
    expect(run).toMatchObject({ end: 'deadline', exitCode: null, signal: null, leftBehind: 0 });
    expect(run.durationMs).toBeGreaterThanOrEqual(600_000);
    expect(describeWait(run)).toMatch(/waits for the client to stop the task/);
    expect(isAlive(Number(/pid (\d+)/.exec(run.stderr)![1]))).toBe(false);
  });

  it('that crashes at once, or does nothing, has ended by itself', async () => {
    expect(await play(oneCall, node("throw new Error('no such module')"))).toMatchObject({
      end: 'by-itself',
      exitCode: 1,
    });
    expect(await play(oneCall, node(''))).toMatchObject({ end: 'by-itself', exitCode: 0, exchanges: [] });
    const gone = await play(oneCall, { kind: 'node', command: ['./no-such-client'] });
    expect(gone).toMatchObject({ end: 'not-started', line: undefined });
  });

  it('that has no pending work ends without a wait', async () => {
    const run = await play(oneCall, node('await new Promise(() => {})'));
    // Node.js ends where nothing is left to wait for, with this code.
    expect(run).toMatchObject({ end: 'by-itself', exitCode: 13 });
  });

  it('is ended when the whole run is stopped', async () => {
    const run = await play(oneCall, node('setInterval(() => {}, 1000)'), { signal: AbortSignal.abort() });
    expect(run).toMatchObject({ end: 'aborted', exitCode: null });
  });

  it('gets an unknown scenario too', async () => {
    const ask = async (code: string) => checkUnknownScenario(await play(UNKNOWN_SCENARIO, node(code)));
    expect((await ask(SMALL_CLIENT)).outcome).toBe('passed');
    expect((await ask("console.log('{}')")).outcome).toBe('failed');
  });
});
