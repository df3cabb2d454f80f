import { describe, expect, it } from 'vitest';
import type { Probing } from '../cases/test-case.js';
import { Kit } from './tracker.js';

/** A kit, and what the end of the run would undo. */
function kitWithEnd() {
  const atEnd: (() => Promise<unknown>)[] = [];
  const cleanup: Probing['cleanup'] = (_what, undo) => void atEnd.push(undo);
  return { kit: new Kit({ cleanup } as Probing), atEnd };
}

describe('what a probe made', () => {
  it('is removed once, however often that is asked for', async () => {
    const { kit, atEnd } = kitWithEnd();
    let times = 0;
    const remove = kit.later('a thing', async () => ++times);
    // The answer to it, which may be long, is not kept.
    expect(await Promise.all([remove(), remove(), kit.tidy()])).toEqual([undefined, undefined, undefined]);
    for (const undo of atEnd) await undo();
    expect(times).toBe(1);
  });

  it('is removed at the end of the run where its removal was interrupted', async () => {
    const { kit, atEnd } = kitWithEnd();
    let times = 0;
    kit.later('a thing', async () => {
      if (++times === 1) throw new Error('interrupted');
    });
    await kit.tidy();
    for (const undo of atEnd) await undo();
    for (const undo of atEnd) await undo();
    expect(times).toBe(2);
  });

  it('is removed last first, at most so many at a time', async () => {
    const { kit } = kitWithEnd();
    const begun: number[] = [];
    let underWay = 0;
    let most = 0;
    for (let n = 1; n <= 5; n++)
      kit.later(`thing ${n}`, async () => {
        begun.push(n);
        most = Math.max(most, ++underWay);
        await Promise.resolve();
        underWay--;
      });
    await kit.tidy(2);
    expect(begun).toEqual([5, 4, 3, 2, 1]);
    expect(most).toBe(2);
  });
});
