import { describe, expect, it } from 'vitest';
import { createRun } from '../../../test/support/client/run.js';
import { ExchangeBuilder } from '../../../test/support/rules/exchange-builder.js';
import { judgeRun } from './verdict.js';

const running = { status: 'running', output: null, results: [], tool_runs: [] };

function judgeStatus(talk: ExchangeBuilder, run: Parameters<typeof createRun>[1]): string[] {
  const found = judgeRun(createRun(talk, run));
  return found.filter(({ rule }) => rule === 'line/status').map(({ level }) => level);
}

describe('a session that the job does not close', () => {
  function judgeLeft(waited_ms: number, close: null | 'event' = null): string[] {
    const result = { id: 'a', name: 'browser_action', payload: { code: 200, output: null }, timestamp: 5 };
    const talk = new ExchangeBuilder()
      .create({ task: null })
      .sendAction('a')
      .poll(0, { events: [result] });
    const durationMs = talk.exchanges.at(-1)!.response!.at - talk.exchanges[0]!.request.at + waited_ms;
    const actions = [
      { name: 'browser_action', payload: { name: 'goto', input: { url: 'https://a.example' } } },
    ];
    const results = [{ name: 'goto', code: 200, output: null }];
    return judgeStatus(talk, {
      durationMs,
      line: { ...running, results },
      job: { request: { task: null }, actions, close } as never,
    });
  }

  it('may be left a while after the last result, without its end', () => {
    expect(judgeLeft(6000)).toEqual([]);
  });

  it('may not be left at once, nor in place of a close', () => {
    expect(judgeLeft(1000)).toEqual(['must']);
    expect(judgeLeft(6000, 'event')).toEqual(['must']);
  });
});

it('a client that gives up need not have read the response that comes at that time', () => {
  const judge = (after_ms: number) => {
    const talk = new ExchangeBuilder()
      .create()
      .addExchange({ path: '/task/t1?event_t=0' }, { status: 401, body: { detail: 'no' } })
      .complete(0);
    const durationMs = talk.exchanges.at(-1)!.response!.at - talk.exchanges[0]!.request.at + after_ms;
    return judgeStatus(talk, { durationMs, line: { ...running, error: 'no key' }, exitCode: 1 });
  };
  expect([judge(0), judge(500)]).toEqual([[], ['must']]);
});

describe('a task that the client stops, although the job does not say so', () => {
  const judge = (line: object, job: object = {}) => {
    const talk = new ExchangeBuilder()
      .create()
      .poll(0, {})
      .addExchange({ method: 'DELETE', path: '/task/t1' }, { body: { r: true } });
    return judgeStatus(talk, { line: { ...running, ...line }, job: job as never });
  };

  it('is reported with an error, or as cancelled', () => {
    expect(judge({})).toEqual(['must']);
    expect(judge({ error: 'out of time' })).toEqual([]);
    expect(judge({ status: 'cancelled' })).toEqual([]);
  });

  it('may have its last status in a job with a cancel', () => {
    expect(judge({}, { cancel_after_ms: 1 })).toEqual([]);
  });
});
