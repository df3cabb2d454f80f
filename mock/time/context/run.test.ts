import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMock } from '../../create.js';
import type { CreateMockOptions, Mock } from '../../interface.js';
import { TimeStoodStill } from '../../time-stood-still.js';
import { KEY, runTask } from './test-support/poller.js';

const START = 1_767_225_600_000;
const ADDRESS = 'http://mock.test';
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let mock: Mock;
const made: Mock[] = [];
const make = (options: CreateMockOptions) => {
  const one = createMock(options);
  made.push(one);
  return one;
};
beforeEach(() => {
  mock = make({ clock: 'manual' });
});
afterEach(() => Promise.all(made.splice(0).map((each) => each.close())));

/** Polls for ever. */
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

  it('gives what a function gives that is not asynchronous', async () => {
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
      'lets go unhandled',
      (error) => {
        Promise.reject(error);
        return pollFor();
      },
    ],
    [
      "lets go unhandled in a timer's callback",
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

  it.each([
    ['idle', 0, () => new Promise<never>(() => {}), /nothing is left that could happen.*made no request/],
    [
      'stalled',
      600_000,
      () => pollFor(),
      /nothing new has happened for 10 min .*GET \/api\/v1\/usage.*1 s later/,
    ],
    [
      'deadline',
      3_600_000,
      () => wait(3_600_001),
      /its 60 min of time are over.*Its next timer .* 1 ms later/,
    ],
  ] as const)('tells a client that never ends: %s', async (reason, passed_ms, client, message) => {
    const error = await mock.time.run<unknown>(client, reason === 'deadline' ? { stalled_ms: 1e9 } : {}).then(
      () => undefined,
      (thrown) => thrown as TimeStoodStill,
    );
    expect(error).toBeInstanceOf(TimeStoodStill);
    expect(error).toMatchObject({
      name: 'TimeStoodStill',
      reason,
      passed_ms,
      message: expect.stringMatching(message),
    });
  });

  it('takes other bounds', async () => {
    await expect(mock.time.run(() => pollFor(), { stalled_ms: 5_000 })).rejects.toMatchObject({
      passed_ms: 5_000,
    });
    await expect(mock.time.run(() => pollFor(), { deadline_ms: 7_000 })).rejects.toMatchObject({
      passed_ms: 7_000,
    });
    await expect(mock.time.run(() => 1, { deadline_ms: 0 })).rejects.toThrow(
      /deadline_ms is a number of ms above 0/,
    );
    await expect(mock.time.run(Promise.resolve() as never)).rejects.toThrow(
      /write mock\.time\.run\(\(\) => client\(\)\)/,
    );
  });

  const TOOL = {
    name: 'get_weather',
    description: 'Gives the weather in a city.',
    inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    output: 'A JSON object.',
  };

  it.each([
    ['a task whose tool nobody runs', 'tool-calls/one-call', /the end of task .* waits for .*reply/],
    ['a task that is over', 'polling/slow-agent', /was done/],
  ])('says what a client was waiting for: %s', async (_, scenario, message) => {
    const client = async () => {
      await runTask(mock.fetch, ADDRESS, { scenario, request: { custom_tools: [TOOL] } });
      await new Promise(() => {});
    };
    await expect(mock.time.run(client)).rejects.toThrow(message);
  });

  it('says which answer the mock holds back', async () => {
    await mock.admin.setNetwork('hold of poll until gate never at_most 2h', KEY);
    await expect(mock.time.run(() => runTask(mock.fetch, ADDRESS))).rejects.toThrow(
      /It was waiting for the answer to exchange 2 \(a poll\), which the mock holds back/,
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

  it('tells the client that it is over, and nothing goes on afterwards', async () => {
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

  it('refuses a run within a run of the same mock', async () => {
    await mock.time.run(async () => {
      await expect(mock.time.run(() => 1)).rejects.toThrow(/A run of this mock is under way.*Promise\.all/);
    });
    expect(await mock.time.run(() => 1)).toBe(1);
  });

  it('says so where there is no Node.js', async () => {
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

  it('rejects where the mock cannot be made ready, and can be tried again', async () => {
    const broken = make({ dialect: 'no-such-dialect' });
    for (let time = 0; time < 2; time++)
      await expect(broken.time.run(() => 1)).rejects.toThrow(/no-such-dialect/);
  });
});

describe('the clocks of a mock in a run', () => {
  it.each(['real', 'eager', 'skipping', 'manual'] as const)(
    '%s: go by the run, and on from there',
    async (mode) => {
      const one = make({ clock: mode });
      await one.fetch('/api/v1/usage', { headers: { apikey: KEY } });
      const before = one.clock.now(KEY);
      const shown = await one.time.run(
        async () => {
          const start = Date.now();
          await wait(86_400_000);
          return [start, Date.now(), one.clock.now(KEY), (await one.admin.clock(KEY))[0]!.mode];
        },
        { deadline_ms: 1e9, stalled_ms: 1e9 },
      );
      const start = Number(shown[0]);
      expect(start).toBeGreaterThanOrEqual(before);
      expect(shown.slice(1)).toEqual([start + 86_400_000, start + 86_400_000, 'manual']);
      expect(one.admin.clock(KEY)[0]).toMatchObject({ mode });
      const after = one.clock.now(KEY);
      expect(after).toBeGreaterThanOrEqual(start + 86_400_000);
      // On from there, and not by another day.
      expect(after).toBeLessThan(start + 86_400_000 + 3_600_000);
      await one.fetch('/api/v1/usage', { headers: { apikey: 'opened later' } });
      expect(one.admin.clock('opened later')[0]).toMatchObject({ mode });
    },
  );

  it('are one: those of all organisations, and of those that are opened in it', async () => {
    await mock.fetch('/api/v1/usage', { headers: { apikey: 'one' } });
    await mock.fetch('/api/v1/usage', { headers: { apikey: 'two' } });
    await mock.clock.advance(5_000, 'two');
    await mock.time.run(async () => {
      expect(Date.now()).toBe(START + 5_000);
      await wait(1_000);
      await mock.fetch('/api/v1/usage', { headers: { apikey: 'three' } });
      await wait(1_000);
    });
    const clocks = ['one', 'two', 'three'].map((key) => mock.clock.now(key) - START);
    expect(clocks).toEqual([7_000, 7_000, 7_000]);
    expect(mock.journal({ key: 'three' })[0]!.request.at).toBe(START + 6_000);
  });

  it('are those of an organisation too that is forgotten and opened anew', async () => {
    await mock.time.run(async () => {
      await wait(1_000);
      mock.reset();
      await runTask(mock.fetch, ADDRESS);
    });
    expect(mock.clock.now(KEY)).toBe(START + 31_000);
  });

  it('may be moved by hand: time is there for the client too', async () => {
    const seen = await mock.time.run(async () => {
      const late = wait(60_000).then(() => Date.now());
      await wait(1_000);
      await mock.fetch('/api/v1/usage', { headers: { apikey: KEY } });
      await mock.clock.advance('5m', KEY);
      await wait(1_000);
      return [Date.now(), await late];
    });
    expect(seen.map((at) => at - START)).toEqual([301_000, 301_000]);
  });

  it('are the clients’ own where all requests were made in runs', async () => {
    expect(mock.time.isClients).toBe(false);
    const client = () => runTask(mock.fetch, ADDRESS);
    await mock.time.run(async () => {
      await client();
      expect(mock.time.isClients).toBe(true);
    });
    await mock.time.run(client);
    expect(mock.time.isClients).toBe(true);
    await mock.fetch('/api/v1/usage', { headers: { apikey: KEY } });
    expect(mock.time.isClients).toBe(false);
    mock.reset();
    await mock.time.run(client);
    expect(mock.time.isClients).toBe(true);
  });
});
