import { describe, expect, it } from 'vitest';
import { formatTotals } from './totals.js';

describe('the totals of a list', () => {
  it('count broken rules apart from advice where both exist', () => {
    const totals = { tasks: 200, withFindings: 190, failed: 3, running: 12 };
    expect(formatTotals(totals)).toBe('200 tasks · 190 with findings, 3 ✗ · 12 running');
    expect(formatTotals(totals, true)).toBe('200 · 190 with findings, 3 ✗ · 12 running');
    expect(formatTotals({ ...totals, failed: 0, running: 0 })).toBe('200 tasks · 190 with findings');
    expect(formatTotals({ ...totals, withFindings: 3, running: 0 })).toBe('200 tasks · 3 with findings');
  });
});
