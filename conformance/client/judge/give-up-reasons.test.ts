import { describe, expect, it } from 'vitest';
import { createRun } from '../../../test/support/client/run.js';
import { createToolCall, ExchangeBuilder } from '../../../test/support/rules/exchange-builder.js';
import type { ClientRun } from '../types.js';
import { judgeRun } from './verdict.js';

const CONFLICT = { status: 409, body: { detail: 'There is a reply already.' } };
const called = () => new ExchangeBuilder().create().poll(0, { events: [createToolCall('c1', 5)] });

function judgeGiveUp(talk: ExchangeBuilder, more: Parameters<typeof createRun>[1] = {}): string[] {
  const line = { status: 'running', output: null, results: [], tool_runs: [], error: 'It failed.' };
  return judgeRun(createRun(talk, { line, exitCode: 1, ...more }))
    .filter(({ level }) => level === 'must')
    .map(({ rule }) => rule);
}

describe('a client that gives up at a refused reply', () => {
  it('may, if this was its only try', () => {
    const talk = called().reply('c1', undefined, CONFLICT);
    talk.exchanges.at(-1)!.network = [{ effect: 'replaced', note: 'refused' }];
    expect(judgeGiveUp(talk)).not.toContain('line/error');
  });

  it('may, if an earlier try may have been accepted: what the refusal says of it is undefined', () => {
    const talk = called().reply('c1', undefined, null).wait(1000).reply('c1', undefined, CONFLICT);
    expect(judgeGiveUp(talk)).not.toContain('line/error');
  });

  it('may not, if the task is over: a poll says how it ended', () => {
    const talk = called().reply('c1', undefined, { status: 400, body: { detail: 'The task is done.' } });
    const tasks: ClientRun['tasks'] = [{ id: 't1', status: 'done', calls: [], actions: [] }];
    expect(judgeGiveUp(talk, { tasks })).toContain('line/error');
  });

  it('may not, if a later try was accepted', () => {
    const talk = called().reply('c1', undefined, { status: 503 }).wait(1000).reply('c1');
    expect(judgeGiveUp(talk)).toContain('line/error');
  });
});

describe('a client that gives up at a poll that it ended itself', () => {
  /** The poll is exchange 2. */
  function judgeAbortAfter(ms: number): string[] {
    const talk = new ExchangeBuilder().create().addExchange({ path: '/task/t1?event_t=0' }, null);
    const poll = talk.exchanges.at(-1)!;
    poll.network = [
      { verb: 'delay', effect: 'delayed', note: 'delayed' },
      { verb: 'delay', effect: 'lost', note: 'released' },
    ];
    const at = poll.request.at + ms;
    const trace: ClientRun['trace'] = [
      { what: 'response', name: 'poll#1', kind: 'poll', status: 0, events: [], seq: poll.seq, at },
    ];
    return judgeGiveUp(talk, { trace });
  }

  it('may after 5 s', () => {
    expect(judgeAbortAfter(5000)).toEqual([]);
  });

  it('may not before', () => {
    expect(judgeAbortAfter(3000)).toContain('line/error');
  });
});

it('a DELETE with an id that no response had stops nothing', () => {
  const talk = new ExchangeBuilder()
    .addExchange({ method: 'DELETE', path: '/task/undefined' }, { status: 404, body: { detail: 'no task' } })
    .create()
    .poll(0);
  const task = { id: 't1', status: 'running', calls: [], actions: [] } as const;
  const run = createRun(talk, {
    job: { cancel_after_ms: 900 },
    line: { status: 'running', output: null, results: [], tool_runs: [], error: 'The time is over.' },
    tasks: [{ ...task, calls: [], actions: [] }],
    exitCode: 1,
  });
  expect(judgeRun(run).map(({ rule }) => rule)).toContain('cancel/matches-job');
});

it('a client may give up a session that does not end after its close, when most of its time is over', () => {
  const judge = (durationMs: number, closed_ms = 0) => {
    const talk = new ExchangeBuilder().create({ task: null }).wait(closed_ms);
    talk.sendAction('z', { name: 'close' }, undefined, 'session_action').poll(0);
    return judgeGiveUp(talk, { durationMs, job: { request: { task: null }, close: 'event' } });
  };
  expect([judge(13_500), judge(900), judge(13_500, 12_000)]).toEqual([[], ['line/error'], ['line/error']]);
});

describe('a client of a task that does not end', () => {
  const polled = () => new ExchangeBuilder().create().poll(0);

  it('may give up when most of its time is over', () => {
    expect(judgeGiveUp(polled(), { durationMs: 13_500 })).toEqual([]);
  });

  it('may not give up at once', () => {
    expect(judgeGiveUp(polled(), { durationMs: 900 })).toEqual(['line/error']);
  });

  it('may not report the task without an error', () => {
    const line = { status: 'running', output: null, results: [], tool_runs: [] };
    expect(judgeGiveUp(polled(), { durationMs: 13_500, line, exitCode: 0 })).toEqual(['line/status']);
  });
});

describe('a client whose cancel is refused because the task is over', () => {
  const STOP = { method: 'DELETE', path: '/task/t1' };
  const REFUSAL = { status: 409, body: { detail: 'The task is over.' } };
  const cancelled = () => new ExchangeBuilder().create().wait(901);
  function judgeLateCancel(error: string, cancel_after_ms: number | null = 900): string[] {
    return judge(cancelled().addExchange(STOP, REFUSAL), 'done', error, cancel_after_ms);
  }
  function judge(
    talk: ExchangeBuilder,
    status: 'done' | 'cancelled',
    error: string,
    cancel_after_ms: number | null,
  ) {
    const line = { status: 'running', output: null, results: [], tool_runs: [], error };
    const tasks: ClientRun['tasks'] = [{ id: 't1', status, calls: [], actions: [] }];
    const request = { task: cancel_after_ms === null ? null : 'Do it' };
    return judgeGiveUp(talk, { line, tasks, job: { cancel_after_ms, request } });
  }

  it('does not report the refusal as its error: a poll says how the task ended', () => {
    expect(judgeLateCancel('HTTP 409')).toContain('line/error');
    expect(judgeLateCancel('The task is over.')).toContain('line/error');
  });

  it('does not report it after a DELETE that was confirmed', () => {
    const judgeSecond = (first: { body: object } | null) =>
      judge(cancelled().addExchange(STOP, first).addExchange(STOP, REFUSAL), 'cancelled', 'HTTP 409', 900);
    expect(judgeSecond({ body: { r: true } })).toContain('line/error');
    expect(judgeSecond(null)).not.toContain('line/error');
  });

  it('may report it if the DELETE closes a session, as some libraries do', () => {
    expect(judgeLateCancel('HTTP 409', null)).not.toContain('line/error');
  });

  it('may report that it was cancelled', () => {
    expect(judgeLateCancel('The job was cancelled.')).toEqual([]);
  });
});
