import { describe, expect, it } from 'vitest';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { summarizeFinding } from './finding-text.js';

const ID = '4a4824d4-01c1-479b-ac70-a7749948134c';

function createReply(seq: number, output: unknown): Exchange {
  const body = JSON.stringify({
    id: 'call',
    name: 'tool_call',
    payload: { code: 200, output },
    timestamp: 1,
  });
  return {
    ...{ seq, organisation: 'org-1', kind: 'reply', operation: 'sendTaskEvent', task: ID },
    request: { method: 'POST', url: `/api/v1/task/${ID}/event`, headers: {}, at: seq, body },
    response: { status: 200, headers: {}, body: '{"r":{}}', at: seq },
  };
}

describe('a finding in a sentence', () => {
  it('counts how often a tool ran', () => {
    const bySeq = new Map([9, 10, 11].map((output) => [output, createReply(output, output)]));
    const summarize = (evidence: number[]) => {
      const finding: Finding = {
        ...{ rule: 'replies/same-again', requirement: 'CLIENT-02', side: 'client', level: 'must' },
        ...{ message: 'Two replies. Repeat the first.', evidence },
      };
      return summarizeFinding(finding, bySeq);
    };
    expect(summarize([9, 10])).toBe('the tool ran twice: 9, then 10');
    expect(summarize([9, 10, 11])).toBe('the tool ran 3 times: 9, then 10, then 11');
    expect(summarize([9])).toBe('Two replies');
  });
});
