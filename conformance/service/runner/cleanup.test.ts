import { describe, expect, it } from 'vitest';
import { type CaseRun, TestContext } from '../test-case/test-context.js';
import { trackResources } from './cleanup.js';

/** A test context, and the cleanup of the run. */
function contextWithEnd() {
  const atEnd: (() => Promise<unknown>)[] = [];
  const cleanup: TestContext['cleanup'] = (_what, undo) => void atEnd.push(undo);
  return { t: new TestContext({ cleanup: { add: cleanup }, interruption: {} } as unknown as CaseRun), atEnd };
}

describe('a resource that a test case created', () => {
  it('is removed once: not again by the part of the case around it, nor by the end of the run', async () => {
    const { t, atEnd } = contextWithEnd();
    let removals = 0;
    await trackResources(t, async (outer) => {
      await trackResources(outer, async (inner) => inner.cleanup('a resource', async () => ++removals));
      expect(removals).toBe(1);
    });
    for (const undo of atEnd) await undo();
    expect(removals).toBe(1);
  });

  it('is removed at the end of the run if its removal was interrupted', async () => {
    const { t, atEnd } = contextWithEnd();
    let removals = 0;
    await trackResources(t, async (tracked) =>
      tracked.cleanup('a resource', async () => {
        if (++removals === 1) throw new Error('interrupted');
      }),
    );
    expect(removals).toBe(1);
    for (const undo of atEnd) await undo();
    expect(removals).toBe(2);
  });

  it('is removed in reverse order, with limited concurrency, also if the case throws', async () => {
    const { t } = contextWithEnd();
    const started: number[] = [];
    let underWay = 0;
    let most = 0;
    const run = async (tracked: TestContext) => {
      for (let n = 1; n <= 5; n++)
        tracked.cleanup(`resource ${n}`, async () => {
          started.push(n);
          most = Math.max(most, ++underWay);
          await Promise.resolve();
          underWay--;
        });
      throw new Error('the case failed');
    };
    await expect(trackResources(t, run, 2)).rejects.toThrow('the case failed');
    expect(started).toEqual([5, 4, 3, 2, 1]);
    expect(most).toBe(2);
  });
});
