import { expect, it } from 'vitest';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { formatMermaid } from './mermaid.js';

const ID = '4a4824d4-01c1-479b-ac70-a7749948134c';
const CALL = { id: 'c1', name: 'tool_call', payload: { name: 'get_weather', input: { city: 'Oslo' } } };

function exchange(seq: number, operation: string, sent: object | undefined, r?: object): Exchange {
  const isPoll = operation === 'getTask';
  return {
    ...{ seq, operation, kind: isPoll ? 'poll' : 'reply', organisation: 'org-1', task: ID },
    request: {
      method: isPoll ? 'GET' : 'POST',
      url: `/api/v1/task/${ID}${isPoll ? '' : '/event'}`,
      headers: {},
      at: seq * 1000,
      ...(sent && { body: JSON.stringify(sent) }),
    },
    ...(r && { response: { status: 200, headers: {}, body: JSON.stringify({ r }), at: seq * 1000 } }),
  };
}
const reply = (seq: number, output: number, r?: object) =>
  exchange(seq, 'sendTaskEvent', { id: 'c1', name: 'tool_call', payload: { code: 200, output } }, r);

it('a Mermaid diagram has what the diagram has: calls, replies, losses and findings', () => {
  const finding: Finding = {
    ...{ rule: 'replies/same-again', requirement: 'CLIENT-02', side: 'client', level: 'must' },
    ...{ message: 'Call "c1" gets two different replies: 200, 200. A tool ran once.', evidence: [2, 4] },
  };
  const events = [{ ...CALL, timestamp: 1 }];
  const exchanges: Exchange[] = [
    exchange(1, 'getTask', undefined, { id: ID, status: 'running', output: null, events }),
    { ...reply(2, 9), network: [{ effect: 'lost', note: 'response dropped' }] },
    { ...reply(3, 9), network: [{ effect: 'lost', side: 'request', note: 'request dropped' }] },
    reply(4, 10, { id: 'c1' }),
  ];
  expect(formatMermaid(exchanges, [finding]).split('\n').slice(3)).toEqual([
    '  Client->>Service: +0 ms: GET /task/4a4824…',
    '  Service-->>Client: 200 running',
    '  Service-)Client: tool_call get_weather {"city":"Oslo"}',
    '  Client->>Service: +1.00 s: POST /task/4a4824…/event reply 200 9',
    '  Note over Client,Service: network: response dropped',
    '  Service--xClient: response lost',
    '  Client-xService: +2.00 s: POST /task/4a4824…/event reply 200 9',
    '  Note over Client,Service: network: request dropped',
    '  Client->>Service: +3.00 s: POST /task/4a4824…/event reply 200 10',
    '  Service-->>Client: 200',
    '  Note over Client: ✗ the tool ran twice: 9, then 10',
    '',
  ]);
});
