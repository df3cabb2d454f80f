import { describe, expect, it } from 'vitest';
import { startMock } from '../../test/support/mock/mock.js';
import type { Organisation } from '../engine/organisation.js';
import { WakeUpTimer } from './wake-up-timer.js';

/** Timers and a wall clock that the test controls. */
function createManualTimers() {
  let now = 1e12;
  const armed = new Map<number, { at: number; callback: () => void }>();
  let count = 0;
  return {
    armed,
    wall: () => now,
    setBack(by: number) {
      now -= by;
    },
    timers: {
      set(callback: () => void, delay_ms: number) {
        armed.set(++count, { at: now + delay_ms, callback });
        return count;
      },
      clear: (timer: unknown) => void armed.delete(timer as number),
    },
    /** Advances time from timer to timer. */
    pass(ms: number) {
      const until = now + ms;
      for (;;) {
        const [first] = [...armed].sort(([, a], [, b]) => a.at - b.at);
        if (!first || first[1].at > until) break;
        armed.delete(first[0]);
        now = Math.max(now, first[1].at);
        first[1].callback();
      }
      now = until;
    },
  };
}

describe('WakeUpTimer', () => {
  it('uses one timer for each organisation, and processes due work without a request', async () => {
    const hand = createManualTimers();
    const mock = await startMock({ clock: 'real', wall: hand.wall, timers: hand.timers });
    for (const key of ['a', 'b', 'c']) await mock.create({ task: 'x' }, key);
    expect(hand.armed.size).toBe(3);
    hand.pass(10_000);
    for (const organisation of mock.service.organisations.values()) expect(organisation.activeTasks).toBe(0);
    expect(hand.armed.size).toBeLessThanOrEqual(3);
  });

  it('does not accumulate entries while work in the far future is planned', async () => {
    const hand = createManualTimers();
    const mock = await startMock({ clock: 'real', wall: hand.wall, timers: hand.timers });
    // It ends by its time-out, in an hour.
    await mock.create({ task: null });
    for (let n = 0; n < 300; n++) {
      await mock.create({ task: 'x' });
      hand.pass(3000);
    }
    expect(hand.armed.size).toBe(1);
  });

  it('continues when the wall clock is set back', async () => {
    const hand = createManualTimers();
    const mock = await startMock({ clock: 'real', wall: hand.wall, timers: hand.timers });
    const id = await mock.create({ task: 'x' });
    hand.setBack(3_600_000);
    await mock.poll(id);
    hand.pass(10_000);
    expect((await mock.poll(id)).status).toBe(200);
  });

  it('reports an error, and continues with the others', () => {
    const hand = createManualTimers();
    const faults: unknown[] = [];
    const timer = new WakeUpTimer(hand.wall, hand.timers, (error) => faults.push(error));
    const caughtUp: string[] = [];
    const organisation = (name: string, fails: boolean) => {
      let next = 10;
      const catchUp = () => {
        next = Infinity;
        if (fails) throw new Error(name);
        caughtUp.push(name);
      };
      const clock = { measureWallDelay: (at: number) => at };
      return { clock, schedule: { next: () => next }, catchUp } as unknown as Organisation;
    };
    timer.arm(organisation('broken', true));
    timer.arm(organisation('sound', false));
    hand.pass(100);
    expect(faults).toEqual([new Error('broken')]);
    expect(caughtUp).toEqual(['sound']);
  });
});
