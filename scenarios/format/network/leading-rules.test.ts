import { describe, expect, it } from 'vitest';
import type { Step } from '../types.js';
import { listLeadingCreateRules } from './rule.js';

const FINISH: Step = { service: 'finish' };

describe('the rules about creates that a timeline begins with', () => {
  it('fire once, and go by the ids of their steps', () => {
    const timeline: Step[] = [
      { network: 'fail', status: 503, of: { create: true }, id: 'd1', line: 7 },
      { network: 'drop', side: 'response', of: { poll: 1 } },
      { network: 'delay', time_ms: 5, of: { operation: 'createTask' }, times: 3 },
      FINISH,
      { network: 'drop', of: { create: 2 } },
    ];
    expect(listLeadingCreateRules({ timeline })).toEqual([
      { network: 'fail', status: 503, of: { create: true }, id: 'd1', times: 1 },
      { network: 'delay', time_ms: 5, of: { operation: 'createTask' }, id: 'step-3', times: 3 },
    ]);
  });

  it('are none that wait for something first', () => {
    const drop: Step = { network: 'drop', of: { create: true } };
    expect(listLeadingCreateRules({ timeline: [{ ...drop, after: { time_ms: 1 } }, drop] })).toEqual([]);
    expect(
      listLeadingCreateRules({ timeline: [{ ...drop, after: { time_ms: 1 }, meanwhile: true }, drop] }),
    ).toHaveLength(1);
    expect(listLeadingCreateRules({ timeline: [{ ...drop, if: { reply: 'a', code: [200] } }] })).toEqual([]);
  });
});
