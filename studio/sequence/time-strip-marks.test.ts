import { describe, expect, it } from 'vitest';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { layOut } from './layout.js';
import { createTimeAxis, listExchangeRows, listMarks } from './time-strip-marks.js';

const ID = '4a4824d4-01c1-479b-ac70-a7749948134c';

function exchange(seq: number, at: number, kind: string, sent: object | undefined, r: object): Exchange {
  return {
    ...{ seq, kind, organisation: 'org-1', task: ID },
    operation: kind === 'poll' ? 'getTask' : 'sendTaskEvent',
    request: { method: 'POST', url: `/api/v1/task/${ID}`, headers: {}, at, body: JSON.stringify(sent) },
    response: { status: 200, headers: {}, body: JSON.stringify({ r }), at: at + 10 },
  };
}

describe('the time strip of a conversation', () => {
  it('has polls, calls until their reply, faults and findings', () => {
    const call = { id: 'c1', name: 'tool_call', payload: { name: 'w', input: {} }, timestamp: 1 };
    const task = { id: ID, status: 'running', output: null, events: [call] };
    const sent = { id: 'c1', name: 'tool_call', payload: { code: 200, output: 1 }, timestamp: 2 };
    const finding: Finding = {
      ...{ rule: 'r', requirement: 'X-1', side: 'client', level: 'advice' },
      ...{ message: 'Late. Be faster.', evidence: [2] },
    };
    const all: Exchange[] = [
      exchange(1, 100, 'poll', undefined, task),
      { ...exchange(2, 900, 'reply', sent, { id: 'c1' }), network: [{ effect: 'delayed', note: 'late' }] },
    ];
    const marks = listMarks(listExchangeRows(layOut(all, [finding]).rows));
    expect(marks).toMatchObject([
      { lane: 'polls', from: 100, to: 100, tone: 'good' },
      { lane: 'calls', from: 110, to: 900, tone: 'call', text: 'tool_call w {}' },
      { lane: 'faults', from: 900, to: 910, text: 'late' },
      { lane: 'findings', from: 900, tone: 'advice', text: 'Late' },
    ]);
  });

  it('shortens long times without exchanges, in both directions', () => {
    const axis = createTimeAxis([0, 1000, 86_401_000, 86_402_000]);
    expect(axis.gaps.map(({ text }) => text)).toEqual(['⋯ 1 d ⋯']);
    expect(axis.place(1000)).toBeGreaterThan(0.4);
    expect(axis.place(86_402_000)).toBe(1);
    for (const at of [0, 500, 1000, 86_401_500]) expect(axis.read(axis.place(at))).toBeCloseTo(at, 0);
    expect(createTimeAxis([5]).place(5)).toBe(0);
  });
});
