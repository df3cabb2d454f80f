import { describe, expect, it } from 'vitest';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { layOut, selectRows } from './layout.js';
import type { ExchangeRow } from './rows.js';

const ID = '4a4824d4-01c1-479b-ac70-a7749948134c';
const CALL = {
  id: 'c1',
  name: 'tool_call',
  payload: { name: 'get_weather', input: { city: 'Oslo' } },
  timestamp: 5,
};

function poll(seq: number, at: number, events: object[] = [], status = 'running'): Exchange {
  const body = JSON.stringify({ r: { id: ID, status, output: null, events } });
  return {
    ...{ seq, kind: 'poll', operation: 'getTask', organisation: 'org-1', task: ID },
    request: { method: 'GET', url: `/api/v1/task/${ID}?event_t=1`, headers: {}, at },
    response: { status: status === 'running' ? 202 : 200, headers: {}, body, at: at + 3 },
  };
}

function reply(seq: number, output: unknown, more: Partial<Exchange> = {}): Exchange {
  const body = JSON.stringify({ id: 'c1', name: 'tool_call', payload: { code: 200, output }, timestamp: 6 });
  return {
    ...{ seq, kind: 'reply', operation: 'sendTaskEvent', organisation: 'org-1', task: ID },
    request: { method: 'POST', url: `/api/v1/task/${ID}/event`, headers: {}, body, at: 20 },
    response: { status: 200, headers: {}, body: '{"r":{"id":"c1"}}', at: 20 },
    ...more,
  };
}

function advise(rule: string, evidence: number[]): Finding {
  const message = `Advice of ${rule}. Do something else.`;
  return { rule, requirement: 'X-1', side: 'client', level: 'advice', message, evidence };
}

const rowOf = (layout: ReturnType<typeof layOut>, seq: number) =>
  layout.rows.find((row) => row.kind === 'exchange' && row.seq === seq) as ExchangeRow;

describe('the layout of a conversation', () => {
  it('shows calls, replies and the end, and connects calls with their replies', () => {
    const layout = layOut([poll(1, 0, [CALL]), reply(2, 21), poll(3, 2000, [], 'done')]);
    expect(rowOf(layout, 1).details).toEqual([
      { tone: 'call', text: 'tool_call get_weather {"city":"Oslo"}', id: 'c1' },
    ]);
    expect(rowOf(layout, 2).sent).toMatchObject({ tone: 'reply', text: 'reply 200 21', id: 'c1' });
    expect(rowOf(layout, 3)).toMatchObject({
      time: '+2.00 s',
      response: { text: '200 done', tone: 'good' },
      details: [{ tone: 'end' }],
    });
    expect(layout.threads).toEqual([{ id: 'c1', ys: [58, 94] }]);
  });

  it('shows lost messages, pending exchanges and findings', () => {
    const { response: _, ...lost } = reply(2, 21);
    const { response: __, ...open } = poll(3, 30);
    const findings = [
      {
        rule: 'r',
        requirement: 'X-1',
        side: 'client' as const,
        level: 'must' as const,
        message: 'm',
        evidence: [2],
      },
    ];
    const layout = layOut(
      [poll(1, 0, [CALL]), { ...lost, network: [{ effect: 'lost', note: 'response dropped' }] }, open],
      findings,
    );
    expect(rowOf(layout, 2)).toMatchObject({
      lost: 'response',
      isOpen: false,
      response: undefined,
      findings,
    });
    expect(rowOf(layout, 3)).toMatchObject({ lost: undefined, isOpen: true });
    const dropped = { effect: 'lost', side: 'request', note: 'request dropped' } as const;
    expect(rowOf(layOut([{ ...lost, network: [dropped] }]), 2).lost).toBe('request');
  });

  it('folds polls without news, and unfolds them', () => {
    const quiet = [2, 3, 4, 5].map((seq) => poll(seq, seq * 1000));
    const all = [poll(1, 0, [CALL]), ...quiet, poll(6, 9000, [], 'done')];
    const folded = layOut(all);
    expect(folded.rows.map(({ kind }) => kind)).toEqual(['exchange', 'fold', 'exchange']);
    expect(folded.rows[1]).toMatchObject({ text: '4 polls, 202, nothing new', time: '+2.00 s' });
    expect(layOut(all, [], new Set([2])).rows).toHaveLength(7);
    expect(layOut(all.slice(0, 3)).rows).toHaveLength(3);
    const after = [7, 8, 9].map((seq) => poll(seq, 9000, [], 'done'));
    expect(layOut([...all, ...after]).rows.at(-1)).toMatchObject({ text: '3 polls, 200, nothing new' });
  });

  it('folds runs of polls with the same advice, and says it once', () => {
    const polls = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((seq) => poll(seq, seq * 10));
    const findings = [advise('a', [2, 3]), advise('a', [4]), advise('b', [6, 7, 8, 9])];
    const layout = layOut(polls, findings);
    expect(layout.rows).toMatchObject([
      { kind: 'fold', rows: { length: 5 }, sentences: [{ sign: 'ℹ', tone: 'advice', text: 'Advice of a' }] },
      { kind: 'fold', rows: { length: 4 }, sentences: [{ tone: 'advice', text: 'Advice of b' }] },
    ]);
    const must = { ...advise('c', [3]), level: 'must' as const };
    expect(layOut(polls, [must]).rows.map(({ kind }) => kind)).toEqual([
      ...['exchange', 'exchange', 'exchange', 'fold'],
    ]);
  });

  it('says a finding in a sentence, once, where its evidence is complete', () => {
    const twice: Finding = {
      ...{ rule: 'replies/same-again', requirement: 'CLIENT-02', side: 'client', level: 'must' },
      ...{ message: 'Call "c1" gets two different replies: 200. Repeat it.', evidence: [2, 3] },
    };
    const layout = layOut([poll(1, 0, [CALL]), reply(2, 9), reply(3, 10)], [twice]);
    expect(rowOf(layout, 2)).toMatchObject({ findings: [twice], sentences: [] });
    expect(rowOf(layout, 3).sentences).toEqual([
      { sign: '✗', tone: 'bad', text: 'the tool ran twice: 9, then 10' },
    ]);
    const other = { ...twice, rule: 'replies/other' };
    expect(rowOf(layOut([reply(2, 9), reply(3, 10)], [other]), 3).sentences[0]!.text).toBe(
      'Call "c1" gets two different replies: 200',
    );
  });

  it('shows the time between rows: short, long, and very long', () => {
    const at = (ms: number) => poll(ms, ms, [{ ...CALL, id: `c${ms}` }]);
    const { rows, gaps } = layOut([at(1), at(8), at(708), at(12_708)]);
    const spaces = rows.slice(1).map(({ y }, index) => y - rows[index]!.y - rows[index]!.height);
    expect(spaces).toEqual([1, 18, 26]);
    expect(gaps.map(({ text }) => text)).toEqual(['⋯ 12.0 s ⋯']);
  });

  it('shows each action in one row, with its result and the polls after it', () => {
    const action = (seq: number, at: number) => ({
      ...reply(seq, null),
      kind: 'action',
      request: {
        ...reply(seq, null).request,
        at,
        body: JSON.stringify({
          ...{ id: `a${seq}`, name: 'browser_action', timestamp: 1 },
          payload: { name: 'goto', input: { url: 'https://a.test' } },
        }),
      },
    });
    const result = (seq: number, of: number) =>
      poll(seq, seq * 100, [
        { id: `a${of}`, name: 'browser_action', payload: { code: 200, output: 'ok' }, timestamp: of },
      ]);
    const all = [action(1, 100), poll(2, 200), poll(3, 300), result(4, 1), action(5, 500), result(6, 5)];
    const { rows } = layOut(all, [], new Set(), { onlyActions: true });
    expect(rows).toMatchObject([
      {
        text: 'goto {"url":"https://a.test"}',
        outcome: { text: 'result 200 "ok"', took: '3 polls · 303 ms' },
      },
      {
        text: 'goto {"url":"https://a.test"}',
        outcome: { text: 'result 200 "ok"', took: '1 poll · 103 ms' },
      },
    ]);
    expect(layOut(all, [], new Set([5]), { onlyActions: true }).rows).toHaveLength(4);
  });

  it('marks a repeated event, and makes invisible characters visible', () => {
    const evil = { ...CALL, payload: { name: 'get\u202eweather', input: '\u001b[31m' } };
    const layout = layOut([poll(1, 0, [evil]), poll(2, 10, [evil])]);
    expect(rowOf(layout, 1).details[0]!.text).toBe('tool_call get\\u202eweather "\\u001b[31m"');
    expect(rowOf(layout, 2).details[0]!.text).toMatch(/\(again\)$/);
  });

  it('finds the visible rows', () => {
    const layout = layOut(Array.from({ length: 1000 }, (_, index) => reply(index + 1, index)));
    const rows = selectRows(layout.rows, 5200, 5300);
    expect(rows.length).toBeLessThan(6);
    expect(rows.every(({ y, height }) => y + height >= 5200 && y <= 5300)).toBe(true);
  });
});
