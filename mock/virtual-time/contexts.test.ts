import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { KEY, runTask } from '../../test/support/virtual-time/poller.js';
import { Mock } from '../mock.js';

const START = 1_767_225_600_000;
const mocks = [new Mock({ clock: 'manual' }), new Mock({ clock: 'manual', startMs: START + 1e9 })] as const;
const [mock, other] = mocks;
afterAll(() => Promise.all(mocks.map((each) => each.close())));

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Runs `outside` in parallel to a run. */
async function during<T>(outside: () => Promise<T>): Promise<T> {
  let isOver = false;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const run = mock.time.run(
    async () => {
      begin();
      while (!isOver) await wait(1_000);
    },
    { deadlineMs: 1e12, stalledMs: 1e12 },
  );
  await begun;
  try {
    return await outside();
  } finally {
    isOver = true;
    await run;
  }
}

describe('outside of a run, while it lasts', () => {
  it('timers and clocks go by real time', async () => {
    const [passed, shown] = await during(async () => {
      const began = [performance.now(), Date.now()] as const;
      await wait(20);
      await sleep(20);
      return [performance.now() - began[0], Date.now() - began[1]] as const;
    });
    expect(passed).toBeGreaterThan(30);
    expect(Math.abs(shown - passed)).toBeLessThan(3_600_000);
    expect(Date.now()).toBeGreaterThan(START + 86_400_000);
  });

  it('a real time-out fires', async () => {
    const signal = await during(async () => {
      const signal = AbortSignal.timeout(5);
      const seen = new Promise((resolve) => signal.addEventListener('abort', resolve));
      await seen;
      return signal;
    });
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('an unhandled rejection outside does not end the run', async () => {
    const rejections: unknown[] = [];
    const before = process.rawListeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (reason) => rejections.push(reason));
    try {
      await during(async () => {
        Promise.reject('lost');
        await wait(5);
      });
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of before) process.on('unhandledRejection', listener as never);
    }
    expect(rejections).toEqual(['lost']);
  });
});

describe('runs of several mocks', () => {
  it('have separate times if they overlap', async () => {
    const outcomes = await Promise.all(
      mocks.map((each) =>
        each.time.run(async () => {
          const began = Date.now();
          const task = await runTask(each.fetch, 'http://mock.test');
          return [began, task.status, Date.now() - began];
        }),
      ),
    );
    expect(outcomes).toEqual([
      [expect.any(Number), 'done', 30_000],
      [START + 1e9, 'done', 30_000],
    ]);
  });

  it('have separate times over ports, too', async () => {
    for (const each of mocks) each.reset();
    const servers = await Promise.all(mocks.map((each) => each.listen()));
    const outcomes = await Promise.all(
      mocks.map((each, index) => each.time.run(() => runTask(fetch, servers[index]!.baseUrl))),
    );
    expect(outcomes).toEqual(Array(2).fill({ status: 'done', polls: 31 }));
    for (const each of mocks)
      expect(
        each.journal({ kind: 'poll' }).map(({ request }) => request.at - each.journal()[0]!.request.at),
      ).toEqual(Array.from({ length: 31 }, (_, second) => second * 1_000));
  });

  it('leave no state behind: a failure of one does not affect the other', async () => {
    const [failed, done] = await Promise.allSettled([
      mock.time.run(() => {
        setTimeout(() => Promise.reject(new Error('of the first')), 5);
        return new Promise(() => {});
      }),
      other.time.run(() => runTask(other.fetch, 'http://mock.test', { key: `${KEY} 2` })),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: new Error('of the first') });
    expect(done).toMatchObject({ status: 'fulfilled', value: { status: 'done' } });
  });
});
