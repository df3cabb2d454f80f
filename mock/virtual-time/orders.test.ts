import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FAKEABLE } from '../../test/support/virtual-time/fakeable.js';
import { type ActOrder, listOrders, type Phase } from '../../test/support/virtual-time/orders.js';
import { listDifferences, readPlatformState } from '../../test/support/virtual-time/platform-state.js';
import { Mock } from '../mock.js';

const mock = new Mock({ clock: 'manual' });
// The first use of the platform's `fetch` adds internal values to the globals (Node.js 22 and later).
beforeAll(() => fetch('data:,').then(() => mock.time.run(() => sleep(1))));
afterAll(() => mock.close());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const ACTS: Record<string, () => unknown> = {
  fake: () => vi.useFakeTimers(),
  'fake all': () => vi.useFakeTimers({ toFake: [...FAKEABLE] }),
  real: () => vi.useRealTimers(),
  spy: () => vi.spyOn(globalThis, 'setTimeout'),
  unspy: () => vi.mocked(setTimeout).mockRestore?.() ?? vi.restoreAllMocks(),
  'spy on Date.now': () => vi.spyOn(Date, 'now'),
  restore: () => vi.restoreAllMocks(),
};

/** Values that Node.js itself stores in `process` are ignored. */
function changes(before: Map<string, unknown>): string[] {
  return listDifferences(before).filter((name) => !name.includes('(kResourceStore)'));
}

/** Performs the acts of an order. */
async function go({ steps }: ActOrder, run: () => Promise<void>) {
  const act = (now: Phase) => {
    for (const { act, phase } of steps) if (phase === now) ACTS[act]!();
  };
  act('before');
  await run();
  act('after');
}

describe.each([
  ['fake timers', [['fake', 'real']]],
  ['all of them', [['fake all', 'real']]],
  ['a spy', [['spy', 'restore']]],
  ['another spy', [['spy on Date.now', 'restore']]],
  [
    'fake timers twice',
    [
      ['fake', 'real'],
      ['fake', 'real'],
    ],
  ],
  [
    'fake timers and a spy',
    [
      ['fake', 'real'],
      ['spy', 'restore'],
    ],
  ],
  [
    'all and a spy',
    [
      ['fake all', 'real'],
      ['spy', 'restore'],
    ],
  ],
] as [string, [string, string][]][])('%s on and off around a run', (_, pairs) => {
  it.each(listOrders(...pairs).map((order) => [order.name, order] as const))('%s', async (_, order) => {
    // A run removes the leftovers of the previous test.
    await mock.time.run(() => {});
    const before = readPlatformState();
    await go(order, () => mock.time.run(() => {}));
    expect([setTimeout, Date.now].map(({ name }) => name)).toEqual(['setTimeout', 'now']);
    expect(new Date()).toBeInstanceOf(Date);
    await wait(1);
    await sleep(1);
    const began = Date.now();
    expect(
      await mock.time.run(async () => {
        const start = Date.now();
        await wait(60_000);
        await sleep(60_000);
        return Date.now() - start;
      }),
    ).toBe(120_000);
    expect(Math.abs(Date.now() - began)).toBeLessThan(60_000);
    expect(changes(before).join()).toBe('');
  });
});
