import { beforeEach, describe, expect, it } from 'vitest';
import { make } from '../../test/support/virtual-time/mocks.js';
import { KEY, runTask } from '../../test/support/virtual-time/poller.js';
import type { Mock } from '../mock.js';

const START = 1_767_225_600_000;
const ADDRESS = 'http://mock.test';
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let mock: Mock;
beforeEach(() => {
  mock = make({ clock: 'manual' });
});

async function pollFor(key = KEY): Promise<never> {
  for (;;) {
    await mock.fetch('/api/v1/usage', { headers: { apikey: key } });
    await wait(1_000);
  }
}

describe('mock.time.run', () => {
  it('runs a client that sleeps between its polls, on one time with the mock', async () => {
    const seen: number[] = [];
    const outcome = await mock.time.run(async () => {
      const task = await runTask(mock.fetch, ADDRESS);
      seen.push(Date.now(), performance.now(), Date.parse(new Date().toISOString()));
      return task;
    });
    expect(outcome).toEqual({ status: 'done', polls: 31 });
    expect(seen).toEqual([START + 30_000, 30_000, START + 30_000]);
    expect(mock.clock.now()).toBe(START + 30_000);
    const polls = mock.journal({ kind: 'poll' }).map(({ request }) => request.at - START);
    expect(polls).toEqual(Array.from({ length: 31 }, (_, second) => second * 1_000));
  });

  it('returns the result of a synchronous function', async () => {
    expect(await mock.time.run(() => 'tea')).toBe('tea');
  });

  it.each<[string, (error: unknown) => unknown]>([
    [
      'throws',
      (error) => {
        throw error;
      },
    ],
    ['rejects with', (error) => Promise.reject(error)],
    ['rejects with after a sleep', (error) => wait(1_000).then(() => Promise.reject(error))],
    [
      'throws in a timer',
      (error) => {
        setTimeout(() => {
          throw error;
        }, 1_000);
        return pollFor();
      },
    ],
    [
      'throws in an immediate',
      (error) => {
        setImmediate(() => {
          throw error;
        });
        return pollFor();
      },
    ],
    [
      'throws in a microtask',
      (error) => {
        queueMicrotask(() => {
          throw error;
        });
        return pollFor();
      },
    ],
    [
      'leaves unhandled',
      (error) => {
        Promise.reject(error);
        return pollFor();
      },
    ],
    [
      "leaves unhandled in a timer's callback",
      (error) => {
        setTimeout(async () => {
          await null;
          throw error;
        }, 1_000);
        return pollFor();
      },
    ],
  ])('rejects with the very error that the client %s', async (_, client) => {
    const error = new Error('no tea');
    await expect(mock.time.run(() => client(error))).rejects.toBe(error);
    await expect(mock.time.run(() => client(undefined))).rejects.toBe(undefined);
  });

  it('passes a delayed response on before time advances', async () => {
    mock = make({ clock: 'manual', network: 'delay 300ms' });
    const start = mock.clock.now();
    const passed = await mock.time.run(async () => {
      const headers = { apikey: 'k', 'content-type': 'application/json' };
      await mock.fetch('/api/v1/task', { method: 'POST', headers, body: '{"task":"x"}' });
      return Date.now() - start;
    });
    expect(passed).toBe(300);
  });

  it('accepts other limits', async () => {
    await expect(mock.time.run(() => pollFor(), { stalledMs: 5_000 })).rejects.toMatchObject({
      passedMs: 5_000,
    });
    await expect(mock.time.run(() => pollFor(), { deadlineMs: 7_000 })).rejects.toMatchObject({
      passedMs: 7_000,
    });
    await expect(mock.time.run(() => 1, { deadlineMs: 0 })).rejects.toThrow(
      /deadlineMs: expected a number of ms above 0/,
    );
    await expect(mock.time.run(Promise.resolve() as never)).rejects.toThrow(
      /write mock\.time\.run\(\(\) => client\(\)\)/,
    );
  });

  it('is ended from outside, with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const client = async () => {
      await wait(5_000);
      controller.abort(reason);
      await pollFor();
    };
    await expect(mock.time.run(client, { signal: controller.signal })).rejects.toBe(reason);
    expect(mock.clock.now()).toBe(START + 5_000);
    await expect(mock.time.run(client, { signal: controller.signal })).rejects.toBe(reason);
  });

  it('signals the client that it is over, and nothing continues afterwards', async () => {
    const seen: string[] = [];
    let signal!: AbortSignal;
    await mock.time.run(async (run) => {
      signal = run.signal;
      signal.addEventListener('abort', () => wait(1).then(() => seen.push('after the end')));
      const loop = async () => {
        for (;;) {
          await mock.fetch('/api/v1/usage', { headers: { apikey: KEY } });
          await wait(1_000);
          seen.push('poll');
        }
      };
      void loop();
      await wait(2_500);
      expect(signal.aborted).toBe(false);
    });
    expect(signal.aborted).toBe(true);
    await mock.time.run(() => wait(60_000));
    expect(seen).toEqual(['poll', 'poll']);
  });

  it('delivers no response to a request that was sent before it was over', async () => {
    await mock.network.set('delay 1m of any', KEY);
    let seen = 0;
    await mock.time.run(async () => {
      const response = mock.fetch('/api/v1/usage', { headers: { apikey: KEY } });
      void response.then(() => seen++);
      await wait(1_000);
    });
    await mock.time.run(() => wait(120_000));
    expect(mock.journal({ key: KEY })[0]!.response?.status).toBe(200);
    expect(seen).toBe(0);
  });

  it('refuses a run within a run', async () => {
    await mock.time.run(async () => {
      await expect(mock.time.run(() => 1)).rejects.toThrow(/cannot be called within a run.*Promise\.all/);
      await expect(make({}).time.run(() => 1)).rejects.toThrow(/cannot be called within a run/);
    });
    expect(await mock.time.run(() => 1)).toBe(1);
  });

  it('queues runs: each begins when the one before has ended', async () => {
    await mock.fetch('/api/v1/usage', { headers: { apikey: KEY } });
    const spans = await Promise.all(
      [1_000, 2_000, 3_000].map((ms) =>
        mock.time.run(async () => {
          const began = Date.now() - START;
          await wait(ms);
          return [began, Date.now() - START];
        }),
      ),
    );
    expect(spans).toEqual([
      [0, 1_000],
      [1_000, 3_000],
      [3_000, 6_000],
    ]);
  });

  it('reports a missing Node.js', async () => {
    const { process } = globalThis;
    let outcome: Promise<unknown>;
    try {
      Object.assign(globalThis, { process: undefined });
      outcome = mock.time.run(() => 1);
    } finally {
      Object.assign(globalThis, { process });
    }
    await expect(outcome).rejects.toThrow(/in a browser use createMock\(\{ clock: 'skipping' \}\)/);
  });

  it('rejects if the mock cannot load, and can be retried', async () => {
    const broken = make({ dialect: 'no-such-dialect' });
    for (let time = 0; time < 2; time++)
      await expect(broken.time.run(() => 1)).rejects.toThrow(/no-such-dialect/);
  });
});
