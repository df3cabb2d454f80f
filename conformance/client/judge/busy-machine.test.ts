import { describe, expect, it } from 'vitest';
import { createRun } from '../../../test/support/client/run.js';
import { createToolCall, ExchangeBuilder, START_MS } from '../../../test/support/rules/exchange-builder.js';
import type { ClientRun, WallTimes } from '../types.js';
import { judgeRun } from './verdict.js';

const CANCEL = { method: 'DELETE', path: '/task/t1' };
const CONFIRMATION = { body: { r: true } };
const GOTO_RESULT = {
  id: 'a',
  name: 'browser_action',
  payload: { code: 200, output: null },
  timestamp: START_MS + 5,
};
const WEATHER = { name: 'get_weather', input: {} };
const cancelled = { status: 'cancelled', output: null, results: [], tool_runs: [] };

/** The real times of the exchanges, one after another without a pause. */
const listTimes = ({ exchanges }: ExchangeBuilder): Map<number, WallTimes> =>
  new Map(exchanges.map(({ seq, request, response }) => [seq, { arrived: request.at, left: response?.at }]));

function judge(talk: ExchangeBuilder, rule: string, given: Partial<ClientRun>): number {
  const job = { cancel_after_ms: 800, tools: { get_weather: [{ code: 200 as const, output: 21 }] } };
  const run = createRun(talk, { job, line: cancelled, exitCode: 1, wall: listTimes(talk), ...given });
  return judgeRun(run).filter((each) => each.rule === rule && each.level === 'must').length;
}

describe('an action that arrives 300 ms after the response to the DELETE left', () => {
  const talk = new ExchangeBuilder()
    .create({ task: null })
    .sendAction('a')
    .poll(0, { events: [GOTO_RESULT] })
    .wait(300)
    .addExchange(CANCEL, CONFIRMATION)
    .wait(300)
    .sendAction('b');
  const judgeAction = (given: Partial<ClientRun>) => judge(talk, 'actions/after-close', given);

  it('fails on a machine on which timers are punctual', () => {
    expect(judgeAction({ lateness_ms: 5 })).toBe(1);
  });

  it('is permitted after a poll that was under way when the cancel was confirmed', () => {
    const exchanges = talk.exchanges.map((each) => structuredClone(each));
    const [poll, action] = [exchanges[2]!, exchanges[4]!];
    poll.response!.at = action.request.at;
    expect(judgeAction({ lateness_ms: 5, exchanges, wall: undefined })).toBe(0);
  });

  it('is permitted if timers were as late: the client may have sent it before it read the response', () => {
    expect(judgeAction({ lateness_ms: 60 })).toBe(0);
  });

  it('fails on the connection of the response, however late the machine is', () => {
    const judgeOn = (...connections: number[]) =>
      judgeAction({
        exchanges: talk.exchanges.map((each, at) => ({ ...each, connection: connections[at]! })),
        lateness_ms: 60,
      });
    expect(judgeOn(1, 1, 1, 1, 1)).toBe(1);
    expect(judgeOn(1, 1, 1, 1, 2)).toBe(0);
  });
});

it('replies to a call that it may have read before the response to its DELETE', () => {
  // The call leaves 100 ms after the response to the DELETE, its reply arrives long after both.
  const talk = new ExchangeBuilder().create().wait(900).addExchange(CANCEL, CONFIRMATION).wait(-405);
  talk.poll(0, { events: [createToolCall('c1', 5)] }).wait(5000);
  talk.reply('c1');
  const line = { ...cancelled, tool_runs: [WEATHER] };
  expect(judge(talk, 'replies/after-cancel', { line, lateness_ms: 60 })).toBe(0);
  expect(judge(talk, 'replies/after-cancel', { line, kind: 'node', wall: undefined })).toBe(1);
});

it('leaves out a result that may have been on its way when it sent its DELETE', () => {
  const talk = new ExchangeBuilder().create({ task: null }).sendAction('a');
  talk.poll(0, { events: [GOTO_RESULT] }).wait(300);
  talk.addExchange(CANCEL, CONFIRMATION);
  expect(judge(talk, 'line/results', { lateness_ms: 60 })).toBe(0);
  expect(judge(talk, 'line/results', { lateness_ms: 5 })).toBe(1);
});

it('cancels on time after a creation that arrived late', () => {
  const talk = new ExchangeBuilder().create().wait(500).addExchange(CANCEL, CONFIRMATION);
  expect(judge(talk, 'cancel/matches-job', { lateness_ms: 60 })).toBe(0);
  expect(judge(talk, 'cancel/matches-job', { lateness_ms: 5 })).toBe(1);
});
