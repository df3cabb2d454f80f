import { describe, expect, it } from 'vitest';
import { createRun } from '../../../test/support/client/run.js';
import { ExchangeBuilder } from '../../../test/support/rules/exchange-builder.js';
import type { ClientRun } from '../types.js';
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
  function judgeLateCancel(polls: number, late_ms: number): string[] {
    const talk = new ExchangeBuilder().create().wait(901);
    for (let n = 0; n < polls; n++) talk.poll(0);
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

  it('is permitted to a client that sent nothing else, or if it is only a little late', () => {
    expect(judgeLateCancel(2, 9000)).toEqual([]);
    expect(judgeLateCancel(3, 300)).toEqual([]);
  });
});

describe('a client that reports its task as cancelled without having read so', () => {
  function judgeReport(...responses: readonly number[]): string[] {
    const talk = new ExchangeBuilder().create().wait(901);
    for (const status of responses)
      talk.addExchange({ method: 'DELETE', path: '/task/t1' }, { status, body: { detail: 'A detail.' } });
    const line = { status: 'cancelled', output: null, results: [], tool_runs: [] };
    return judgeRun(createRun(talk, { job: { cancel_after_ms: 900 }, line })).flatMap(({ level, message }) =>
      level === 'must' ? message : [],
    );
  }

  it('fails if its DELETE was refused', () => {
    expect(judgeReport(409)).toEqual([
      expect.stringMatching(/got status 409: a refused request stops nothing/),
    ]);
  });

  it('is right if one DELETE was accepted, may have been, or found no task any more', () => {
    for (const responses of [[204], [503, 409], [404]]) expect(judgeReport(...responses)).toEqual([]);
  });
});
