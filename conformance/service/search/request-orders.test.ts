import { expect, it } from 'vitest';
import type { SentStep } from './judge/model-comparison.js';
import { listOtherOrders } from './request-orders.js';

const send = (commands: number) => Array.from({ length: commands }, () => ({})) as unknown as SentStep;

it('changes the order of the latest concurrent requests first, then of several', () => {
  expect([...listOtherOrders([send(2), 500, send(1), send(2)])]).toEqual([
    [undefined, undefined, undefined, [1, 0]],
    [[1, 0], undefined, undefined, undefined],
    [[1, 0], undefined, undefined, [1, 0]],
  ]);
});

it('takes a log of any length', () => {
  const log = Array.from({ length: 20_000 }, () => send(1));
  expect([...listOtherOrders(log)]).toEqual([]);
  expect([...listOtherOrders([...log, send(2)])]).toHaveLength(1);
});
