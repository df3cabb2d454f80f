import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    ['300ms', 300],
    ['2s', 2000],
    ['1.5s', 1500],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['32d', 2_764_800_000],
    ['1d12h', 129_600_000],
    ['0.5d', 43_200_000],
    ['0ms', 0],
    ['4m59s', 299_000],
    ['1h1m1s1ms', 3_661_001],
    ['1h30m', 5_400_000],
    ['2s500ms', 2500],
    [250, 250],
    [0, 0],
  ])('reads %s as %i ms', (written, ms) => {
    expect(parseDuration(written)).toBe(ms);
  });

  it.each([
    '',
    '5',
    's',
    '-1s',
    '1 s',
    '1w',
    '1h1d',
    '1e3ms',
    '1s2',
    '59s4m',
    '1m1m',
    '4m 59s',
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    {},
  ])('refuses %s', (written) => {
    expect(parseDuration(written)).toBeUndefined();
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0ms'],
    [300, '300ms'],
    [1500, '1.5s'],
    [1234, '1234ms'],
    [90_000, '1.5m'],
    [7_200_000, '2h'],
    [2_764_800_000, '32d'],
  ])('writes %i ms as %s', (ms, written) => {
    expect(formatDuration(ms)).toBe(written);
  });

  it('is read back as the same duration', () => {
    fc.assert(
      fc.property(fc.nat(1e9), (ms) => parseDuration(formatDuration(ms)) === ms),
      { seed: 1 },
    );
  });
});
