import { describe, expect, it } from 'vitest';
import { ExchangeBuilder, START_MS } from '../../test/support/rules/exchange-builder.js';
import { judgeBothSides } from './both-sides.js';

const GOTO_RESULT = {
  id: 'a',
  name: 'browser_action',
  payload: { code: 200, output: null },
  timestamp: START_MS + 5,
};
const CLOSE = { name: 'close' };

interface ClientSetting {
  isProxied?: boolean;
  /** It polled while its first action was under way. */
  isConcurrent?: boolean;
}

/** Findings about an action that arrives so long after the response to the close of its session. */
function judgeAction(
  wait_ms: number,
  connections: readonly (number | undefined)[],
  { isProxied = false, isConcurrent = true }: ClientSetting = {},
) {
  const talk = new ExchangeBuilder().create({ task: null }).sendAction('a');
  talk
    .poll(0, { events: [GOTO_RESULT] })
    .sendAction('z', CLOSE)
    .wait(wait_ms)
    .sendAction('b');
  if (isConcurrent) talk.exchanges[1]!.response!.at = talk.exchanges[2]!.request.at + 1;
  const exchanges = talk.exchanges.map((each, at) => ({
    ...each,
    ...(connections[at] !== undefined && { connection: connections[at] }),
    ...(isProxied && { order: { after: at, response: at + 1 } }),
  }));
  const found = judgeBothSides(exchanges).findings();
  return found.filter(({ rule }) => rule === 'actions/after-close').length;
}

describe.each([
  ['a recording', false],
  ['a proxy', true],
])('an action after the close of its session, in %s', (_, isProxied) => {
  const judge = (wait_ms: number, ...connections: number[]) =>
    judgeAction(wait_ms, connections, { isProxied });

  it('is permitted on another connection within 100 ms: the client may not have read the response', () => {
    expect(judge(60, 1, 1, 1, 1, 2)).toBe(0);
  });

  it('fails on another connection later, and on the same one at once', () => {
    expect(judge(150, 1, 1, 1, 1, 2)).toBe(1);
    expect(judge(0, 1, 1, 1, 1, 1)).toBe(1);
  });

  it('fails at once on any connection if the client waits for each response before it sends a request', () => {
    expect(judgeAction(0, [1, 2, 3, 4, 5], { isProxied, isConcurrent: false })).toBe(1);
  });
});

it('knows the order exactly of a proxy in process, which has no connections', () => {
  expect(judgeAction(0, [], { isProxied: true })).toBe(1);
});
