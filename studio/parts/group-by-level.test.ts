import { describe, expect, it } from 'vitest';
import type { Finding } from '../../spec/vocabulary.js';
import { groupByLevel } from './group-by-level.js';

describe('findings by level', () => {
  const finding = (level: Finding['level'], rule: string): Finding => {
    return { rule, requirement: 'POLL-09', side: 'client', level, message: 'm', evidence: [1] };
  };

  it('shows and counts advice apart from broken rules, with a sign and a tone of its own', () => {
    const all = [finding('advice', 'a'), finding('must', 'b'), finding('advice', 'c')];
    const shown = groupByLevel(all).map(({ sign, tone, findings }) => [
      `${findings.length} ${sign}`,
      tone,
      findings.map(({ rule }) => rule).join(),
    ]);
    expect(shown).toEqual([
      ['1 ✗', 'bad', 'b'],
      ['2 ⓘ', 'advice', 'a,c'],
    ]);
    expect(groupByLevel([finding('advice', 'a')]).map(({ tone }) => tone)).toEqual(['advice']);
    expect(groupByLevel([])).toEqual([]);
  });
});
