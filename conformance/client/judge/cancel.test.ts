import { describe, expect, it } from 'vitest';
import { createRun } from '../../../test/support/client/run.js';
import { createToolCall, ExchangeBuilder } from '../../../test/support/rules/exchange-builder.js';
import type { ClientRun, ServiceTask } from '../types.js';
import { judgeRun } from './verdict.js';

/** The DELETE (exchange 3) gets no response; three polls, and the end in exchange 7. */
const withoutResponse = () =>
  new ExchangeBuilder()
    .create()
    .poll(0)
    .wait(900)
    .addExchange({ method: 'DELETE', path: '/task/t1' }, null)
    .poll(0)
    .poll(0)
    .poll(0)
    .complete(0);

/** The DELETE was lost after this exchange, counted in the trace. */
function judgeLossAfter(seq: number): string[] {
  const talk = withoutResponse();
  const at = talk.exchanges.find((each) => each.seq === seq)!.response?.at ?? talk.exchanges[2]!.request.at;
  const trace: ClientRun['trace'] = [
    { what: 'response', name: 'cancel#1', kind: 'cancel', status: 0, events: [], seq: 3, at },
  ];
  const line = { status: 'done', output: 'It is done.', results: [], tool_runs: [] };
  return judgeRun(createRun(talk, { job: { cancel_after_ms: 900 }, line, trace, exitCode: 1 })).map(
    ({ rule }) => rule,
  );
}

it('a DELETE that is pending until the end of the task is not sent again', () => {
  expect(judgeLossAfter(7)).toEqual([]);
});

it('a DELETE that was lost before three polls has to be sent again', () => {
  expect(judgeLossAfter(3)).toEqual(['cancel/matches-job']);
});

describe('a DELETE that got 429', () => {
  function judgePolls(beforeResponse: number, afterResponse: number): string[] {
    const talk = new ExchangeBuilder().create().wait(901);
    const refusal = { status: 429, body: { detail: 'Slow down.' }, headers: { 'retry-after': '1' } };
    talk.addExchange({ method: 'DELETE', path: '/task/t1' }, refusal);
    const cancel = talk.exchanges.at(-1)!;
    for (let n = 0; n < beforeResponse; n++) talk.poll(0);
    cancel.response!.at = talk.exchanges.at(-1)!.response!.at;
    talk.wait(500).poll(0).wait(501);
    for (let n = 0; n < afterResponse; n++) talk.poll(0);
    talk.complete(0);
    const line = { status: 'done', output: 'It is done.', results: [], tool_runs: [] };
    return judgeRun(createRun(talk, { job: { cancel_after_ms: 900 }, line })).flatMap(({ rule }) =>
      rule === 'cancel/matches-job' ? rule : [],
    );
  }

  it('is not sent again while its response is awaited, or earlier than Retry-After says', () => {
    expect(judgePolls(5, 2)).toEqual([]);
  });

  it('has to be sent again before three polls after that', () => {
    expect(judgePolls(0, 3)).toEqual(['cancel/matches-job']);
  });
});

describe('a cancel of a task that was created at the second try', () => {
  function judgeCancel(refusedFor_ms: number): string[] {
    const task = { method: 'POST', path: '/task', body: { task: 'Anything.' } };
    const talk = new ExchangeBuilder()
      .addExchange(task, { status: 429, body: { detail: 'Too many requests.' } })
      .wait(refusedFor_ms)
      .create()
      .addExchange({ method: 'DELETE', path: '/task/t1' }, { body: { r: true } })
      .poll(0, { status: 'cancelled' });
    const line = { status: 'cancelled', output: null, results: [], tool_runs: [] };
    return judgeRun(createRun(talk, { job: { cancel_after_ms: 900 }, line })).flatMap(({ rule }) =>
      rule === 'cancel/matches-job' ? rule : [],
    );
  }

  it('may be counted from the first try', () => {
    expect(judgeCancel(1000)).toEqual([]);
  });

  it('fails if it comes earlier than that', () => {
    expect(judgeCancel(300)).toEqual(['cancel/matches-job']);
  });
});

describe('a cancel that is late', () => {
  /** The cancel is due 900 ms after the creation; the DELETE follows the polls, `late_ms` after that. */
  function judgeLateCancel(polls: number, late_ms: number, status = 'running'): string[] {
    const talk = new ExchangeBuilder().create().wait(901);
    for (let n = 0; n < polls; n++) talk.poll(0, { status });
    talk.wait(late_ms).addExchange({ method: 'DELETE', path: '/task/t1' }, { body: { r: true } });
    const line = { status: 'running', output: null, results: [], tool_runs: [] };
    return judgeRun(createRun(talk, { job: { cancel_after_ms: 900 }, line })).flatMap(({ level, message }) =>
      level === 'must' ? message : [],
    );
  }

  it('fails if the client polled meanwhile', () => {
    expect(judgeLateCancel(3, 2000)).toEqual([
      expect.stringMatching(/polled 3 times before\. A cancel waits/),
    ]);
  });

  it('is permitted while the task is queued', () => {
    expect(judgeLateCancel(3, 2000, 'waiting')).toEqual([]);
  });

  it('is permitted to a client that sent nothing else, or if it is only a little late', () => {
    expect(judgeLateCancel(2, 9000)).toEqual([]);
    expect(judgeLateCancel(3, 300)).toEqual([]);
  });
});

it('a client may look at the status before its cancel, and that poll may be slow', () => {
  const talk = new ExchangeBuilder().create().wait(401).poll(0);
  talk.exchanges.at(-1)!.response!.at += 3000;
  talk.poll(0).poll(0).poll(0).wait(1500);
  talk.addExchange({ method: 'DELETE', path: '/task/t1' }, { body: { r: true } });
  const line = { status: 'running', output: null, results: [], tool_runs: [] };
  const found = judgeRun(createRun(talk, { job: { cancel_after_ms: 900 }, line }));
  expect(found.filter(({ level }) => level === 'must')).toEqual([]);
});

it('a client may send one request at a time: a slow reply under way holds its cancel up', () => {
  const reply = { id: 'c1', name: 'tool_call', payload: { code: 200, output: 3 } };
  const judge = (late_ms: number) => {
    const talk = new ExchangeBuilder().create().poll(0, { events: [createToolCall('c1', 5)] });
    talk.addExchange(
      { method: 'POST', path: '/task/t1/event', body: reply },
      { body: { r: { id: 'c1' } } },
      4000,
    );
    talk.wait(-4000).poll(5).poll(5).poll(5).poll(5);
    const repliedAt = talk.exchanges[2]!.response!.at;
    talk.wait(repliedAt + late_ms - talk.exchanges.at(-1)!.response!.at);
    talk.addExchange({ method: 'DELETE', path: '/task/t1' }, { body: { r: true } });
    const line = { status: 'running', output: null, results: [], tool_runs: [] };
    return judgeRun(createRun(talk, { job: { cancel_after_ms: 900 }, line }))
      .filter(({ rule }) => rule === 'cancel/matches-job')
      .map(({ level }) => level);
  };
  expect([judge(10), judge(1000)]).toEqual([[], ['must']]);
});

it('a cancel is no other way to close than the job says', () => {
  const judge = (cancel_after_ms: number | null) => {
    const talk = new ExchangeBuilder().create({ task: null }).wait(901);
    talk.addExchange({ method: 'DELETE', path: '/task/t1' }, { body: { r: true } });
    const line = { status: 'cancelled', output: null, results: [], tool_runs: [] };
    const job = { request: { task: null }, close: 'event', cancel_after_ms } as const;
    return judgeRun(createRun(talk, { job, line })).some(({ rule }) => rule === 'sessions/close-matches-job');
  };
  expect([judge(900), judge(null)]).toEqual([false, true]);
});

describe('a task that the job does not cancel', () => {
  function judgeStop(error?: string): string[] {
    const talk = new ExchangeBuilder()
      .create()
      .poll(0)
      .addExchange({ method: 'DELETE', path: '/task/t1' }, { body: { r: true } })
      .complete(0, { status: 'cancelled', output: null });
    const line = { status: 'cancelled', output: null, results: [], tool_runs: [], ...(error && { error }) };
    return judgeRun(createRun(talk, { line, exitCode: 1 }))
      .filter(({ level }) => level === 'must')
      .map(({ rule }) => rule);
  }

  it('is not stopped by the client', () => {
    expect(judgeStop()).toEqual(['cancel/matches-job']);
  });

  it('may be stopped by a client that gives up, and that alone is no reason to give up', () => {
    expect(judgeStop('It takes too long.')).toEqual(['line/error']);
  });
});

describe.each(['cancelled', 'running'] as const)(
  'a client that ends after its DELETE with the status %s',
  (reported) => {
    function judgeEnd(...responses: readonly number[]): string[] {
      const talk = new ExchangeBuilder().create().wait(901);
      for (const status of responses)
        talk.addExchange({ method: 'DELETE', path: '/task/t1' }, { status, body: { detail: 'A detail.' } });
      const tasks: ServiceTask[] = [{ id: 't1', status: 'running', calls: [], actions: [] }];
      const line = { status: reported, output: null, results: [], tool_runs: [] };
      return judgeRun(createRun(talk, { job: { cancel_after_ms: 900 }, line, tasks })).flatMap(
        ({ level, message }) => (level === 'must' ? message : []),
      );
    }

    it('fails if the DELETE was refused', () => {
      expect(judgeEnd(409)).toEqual([
        expect.stringMatching(/got status 409: a refused request stops nothing/),
      ]);
    });

    it('is right if a DELETE was accepted, may have been, or found no task any more', () => {
      for (const responses of [[204], [503, 409], [404]]) expect(judgeEnd(...responses)).toEqual([]);
    });
  },
);
