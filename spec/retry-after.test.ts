import { expect, it } from 'vitest';
import { readRetryAfterMs } from './retry-after.js';

const NOW = Date.UTC(2026, 0, 1);

it.each([
  ['2', 2000],
  [' 1.5 ', 1500],
  ['Thu, 01 Jan 2026 00:00:03 GMT', 3000],
  ['Wed, 31 Dec 2025 23:59:59 GMT', undefined],
  ['0', undefined],
  ['soon', undefined],
  ['-3', undefined],
  [undefined, undefined],
])('Retry-After %j is %j ms', (header, ms) => {
  expect(readRetryAfterMs(header, NOW)).toBe(ms);
});
