import { describe, expect, it } from 'vitest';
import type { Finding } from '../../spec/vocabulary.js';
import { groupByLevel } from './group-by-level.js';

describe('findings by level', () => {
  const finding = (level: Finding['level'], rule: string): Finding => {
    return { rule, requirement: 'POLL-09', side: 'client', level, message: 'm', evidence: [1] };
  };

  it('groups advice separately from broken rules, with its own sign and tone', () => {
    const all = [finding('advice', 'a'), finding('must', 'b'), finding('advice', 'c')];
    const shown = groupByLevel(all).map(({ sign, tone, findings }) => [
      `${findings.length} ${sign}`,
      tone,
      findings.map(({ rule }) => rule).join(),
    ]);
    expect(shown).toEqual([
      ['1 ✗', 'bad', 'b'],
      ['2 ℹ', 'advice', 'a,c'],
    ]);
    expect(groupByLevel([finding('advice', 'a')]).map(({ tone }) => tone)).toEqual(['advice']);
    expect(groupByLevel([])).toEqual([]);
  });
});
