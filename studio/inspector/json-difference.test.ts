import { expect, it } from 'vitest';
import type { Exchange } from '../../spec/vocabulary.js';
import { compareExchanges, compareJson, findPrevious } from './json-difference.js';

const poll = (seq: number, r: object, status = 202): Exchange => ({
  ...{ seq, kind: 'poll', operation: 'getTask', organisation: 'o', task: 't' },
  request: { method: 'GET', url: '/api/v1/task/t', headers: {}, at: seq },
  response: { status, headers: {}, body: JSON.stringify({ r }), at: seq },
});
const reply = (seq: number, id: string, temp: number): Exchange => ({
  ...{ seq, kind: 'reply', operation: 'sendTaskEvent', organisation: 'o', task: 't' },
  request: {
    ...{ method: 'POST', url: '/api/v1/task/t/event', headers: {}, at: seq },
    body: JSON.stringify({
      id,
      name: 'tool_call',
      payload: { code: 200, output: { temp_c: temp } },
      timestamp: seq,
    }),
  },
});

it('names the innermost values that differ', () => {
  const one = { a: 1, b: { c: [1, 2] }, gone: null };
  expect(compareJson(one, { a: 1, b: { c: [1, 3, 4] }, added: {} }).map(({ path }) => path)).toEqual([
    ...['b.c[1]', 'b.c[2]', 'gone', 'added'],
  ]);
  expect(compareJson([], {})).toEqual([{ path: '', before: [], after: {} }]);
});

it('compares a reply with the previous reply to its call, and a poll with the previous poll', () => {
  const all = [poll(1, { status: 'running' }), reply(2, 'c1', 9), reply(3, 'c2', 1), reply(4, 'c1', 10)];
  const last = poll(5, { status: 'done' }, 200);
  expect(findPrevious(all[3]!, all)?.seq).toBe(2);
  expect(findPrevious(all[2]!, all)?.seq).toBe(2);
  expect(findPrevious(all[0]!, all)).toBeUndefined();
  expect(findPrevious(last, [...all, last])?.seq).toBe(1);
  expect(compareExchanges(all[1]!, all[3]!).map(({ path }) => path)).toEqual(['output.temp_c', 'timestamp']);
  expect(compareExchanges(all[0]!, last)).toEqual([
    { path: 'the status', before: 202, after: 200 },
    { path: 'status', before: 'running', after: 'done' },
  ]);
});
