import { describe, expect, it } from 'vitest';
import { createRun } from '../../../test/support/client/run.js';
import { ExchangeBuilder, GOTO, START_MS } from '../../../test/support/rules/exchange-builder.js';
import type { ResultLine } from '../types.js';
import { judgeRun } from './verdict.js';

const CONFLICT = { status: 409, body: { detail: 'This event was sent before.' } };
const RESULT = {
  id: 'a',
  name: 'browser_action',
  payload: { code: 200, output: null },
  timestamp: START_MS + 5,
};
const EXTRACT = { name: 'extract', input: { schema: {} } };

/** The first try got no response, the second was refused. Then the client deletes the session. */
const refused = () =>
  new ExchangeBuilder()
    .create({ task: null })
    .sendAction('a', GOTO, null)
    .wait(1000)
    .sendAction('a', GOTO, CONFLICT)
    .wait(500);
const listed = { events: [RESULT] };
const judge = (talk: ExchangeBuilder, results: ResultLine['results'], ...actions: (typeof EXTRACT)[]) =>
  judgeRun(
    createRun(talk.wait(500).addExchange({ method: 'DELETE', path: '/task/t1' }, {}), {
      job: {
        request: { task: null },
        actions: [GOTO, ...actions].map((payload) => ({ name: 'browser_action' as const, payload })),
        close: 'delete',
      },
      line: { status: 'running', output: null, results: results ?? [], tool_runs: [] },
    }),
  )
    .filter(({ level }) => level === 'must')
    .map(({ rule }) => rule);
const failed = { name: 'goto', code: 409, output: 'HTTP 409' };

describe('an action whose repetition is refused after a lost response', () => {
  it('may be reported as failed, although its result comes later', () => {
    expect(judge(refused().poll(0, listed), [failed])).toEqual([]);
  });

  it('may be waited for', () => {
    expect(judge(refused().poll(0, listed), [{ name: 'goto', code: 200, output: null }])).toEqual([]);
  });

  it('may be the last of the job', () => {
    expect(judge(refused().poll(0, listed), [failed], EXTRACT)).toEqual([]);
  });

  it('is not left out of the line, and not reported as a success without its output', () => {
    expect(judge(refused().poll(0, listed), [])).toEqual(['line/results']);
    expect(judge(refused().poll(0, listed), [{ ...failed, code: 200 }])).toEqual(['line/results']);
  });

  it('has the result that came before', () => {
    const talk = new ExchangeBuilder()
      .create({ task: null })
      .sendAction('a', GOTO, null)
      .poll(0, listed)
      .wait(1000)
      .sendAction('a', GOTO, CONFLICT);
    expect(judge(talk, [failed])).toEqual(['line/results']);
  });
});

it('a result that comes after the time of the cancel may be left out, one before it may not', () => {
  const line = { status: 'cancelled', output: null, results: [], tool_runs: [] };
  const found = [900, 5000].map((cancel_after_ms) => {
    const talk = new ExchangeBuilder()
      .create({ task: null })
      .sendAction('a', GOTO)
      .wait(1500)
      .poll(0, listed)
      .wait(4000)
      .addExchange({ method: 'DELETE', path: '/task/t1' }, {})
      .complete(undefined, { status: 'cancelled', output: null });
    const actions = [{ name: 'browser_action' as const, payload: GOTO }];
    const job = { request: { task: null }, actions, close: 'delete' as const, cancel_after_ms };
    return judgeRun(createRun(talk, { job, line, exitCode: 1 })).map(({ rule }) => rule);
  });
  expect(found[0]).not.toContain('line/results');
  expect(found[1]).toContain('line/results');
});
