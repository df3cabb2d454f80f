import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DueSchedule } from './clock.js';

describe('Schedule', () => {
  it('returns work by time, then in planning order, for any mix of plan and remove', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(50), fc.constant('take' as const)), { maxLength: 300 }),
        (moves) => {
          const schedule = new DueSchedule<number>();
          let model: { at: number; work: number }[] = [];
          moves.forEach((move, index) => {
            if (move === 'take') {
              const work = schedule.removeDue(Infinity);
              const expected = [...model].sort((a, b) => a.at - b.at || a.work - b.work)[0];
              expect(work).toBe(expected?.work);
              if (expected) expect(schedule.lastDueAt).toBe(expected.at);
              model = model.filter((each) => each !== expected);
            } else {
              schedule.plan(move, index);
              model.push({ at: move, work: index });
            }
            expect(schedule.next()).toBe(Math.min(Infinity, ...model.map(({ at }) => at)));
          });
        },
      ),
      { seed: 1 },
    );
  });

  it('removes no work that is not due', () => {
    const schedule = new DueSchedule<string>();
    schedule.plan(10, 'a');
    expect(schedule.removeDue(9)).toBeUndefined();
    expect(schedule.removeDue(10)).toBe('a');
  });

  it('keeps the order after pruning', () => {
    const schedule = new DueSchedule<number>();
    for (let i = 0; i < 100; i++) schedule.plan((i * 37) % 50, i);
    schedule.prune((work) => work % 3 === 0);
    expect(schedule.size).toBe(34);
    const removed = Array.from({ length: 34 }, () => ({
      work: schedule.removeDue(Infinity)!,
      at: schedule.lastDueAt,
    }));
    expect(removed.every(({ work }) => work % 3 === 0)).toBe(true);
    expect(removed.map(({ at }) => at)).toEqual(removed.map(({ at }) => at).sort((a, b) => a - b));
  });
});
