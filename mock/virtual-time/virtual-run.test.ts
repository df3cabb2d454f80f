import { scheduler, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createStalledService } from '../../test/support/virtual-time/stalled-service.js';
import { Mock } from '../mock.js';
import { MockServiceTime } from './mock-service-time.js';
import { type ClientHandle, queueRun, runVirtually } from './virtual-run.js';

const START = 1_767_225_600_000;
const KEY = 'time';
const PATIENCE = { deadlineMs: 600_000, stalledMs: 60_000 };

const seen = () => [
  setTimeout,
  clearTimeout,
  setInterval,
  Date,
  Date.now,
  AbortSignal.timeout,
  process.hrtime,
  performance.now,
  scheduler.wait,
  process.listeners('unhandledRejection'),
];
/** Before the first run. */
const before = seen();

const quiet = <T>(client: (run: ClientHandle) => T | Promise<T>, signal?: AbortSignal) =>
  queueRun(() => runVirtually(client, { service: createStalledService(START), patience: PATIENCE, signal }));

describe('the end of a run on virtual time', () => {
  it.each<[string, () => Promise<unknown>, object]>([
    ['nothing to wait for', () => new Promise(() => {}), { ended: 'idle', at: START }],
    ['no progress', () => forever(1_000), { ended: 'stalled', at: START + 60_000 }],
    [
      'what it throws',
      () => Promise.reject(new Error('no')),
      { ended: 'by-itself', unhandled: false, error: new Error('no') },
    ],
    [
      'an unhandled rejection',
      async () => {
        Promise.reject(new Error('lost'));
        await forever(1_000);
      },
      { ended: 'by-itself', unhandled: true, error: new Error('lost') },
    ],
    [
      'what a timer throws',
      async () => {
        setTimeout(() => {
          throw new Error('late');
        }, 5);
        await forever(1_000);
      },
      { ended: 'by-itself', unhandled: true, error: new Error('late'), at: START + 5 },
    ],
  ])('%s', async (_, client, expected) => {
    expect(await quiet(client)).toMatchObject(expected);
  });

  it('the deadline, if it is before the limit without progress', async () => {
    const patience = { deadlineMs: 5_000, stalledMs: 60_000 };
    const outcome = await runVirtually(() => forever(999), {
      service: createStalledService(START),
      patience,
    });
    expect(outcome).toMatchObject({ ended: 'deadline', at: START + 5_000 });
  });

  it('from outside', async () => {
    const controller = new AbortController();
    const outcome = await quiet(async () => {
      await sleep(10);
      controller.abort();
      await forever(1_000);
    }, controller.signal);
    expect(outcome).toMatchObject({ ended: 'aborted', at: START + 10 });
  });
});

describe('after a run on virtual time', () => {
  it('the platform is restored, also after a failure', async () => {
    await quiet(() => {
      expect(setTimeout).not.toBe(before[0]);
      throw new Error('no');
    });
    expect(seen()).toEqual(before);
    expect(seen().every((each, index) => Array.isArray(each) || each === before[index])).toBe(true);
  });

  it('its leftovers have no effect: no timer fires and no response arrives', async () => {
    const seen: string[] = [];
    let respond: (response: Response) => void = () => {};
    await quiet((run) => {
      const fetch = run.connect((_address: string | URL | Request) => {
        return new Promise<Response>((resolve) => {
          respond = resolve;
        });
      });
      const loop = async (name: string, wait: () => Promise<unknown>) => {
        for (;;) {
          await wait().catch(() => {});
          seen.push(name);
        }
      };
      loop('timer', () => sleep(1_000));
      loop('answer', () => fetch('http://mock.test/'));
      run.signal.addEventListener('abort', () => loop('after', () => sleep(1)));
    });
    respond(new Response());
    const next = await quiet(async () => {
      await sleep(10_000);
      return Date.now();
    });
    expect(next).toMatchObject({ ended: 'by-itself', value: START + 10_000 });
    expect(seen).toEqual([]);
  });

  it('a second run waits for the first', async () => {
    const clocks = await Promise.all([1_000, 2_000].map((ms) => quiet(() => sleep(ms, Date.now()))));
    expect(clocks.map(({ value, at }) => [value, at])).toEqual([
      [START, START + 1_000],
      [START, START + 2_000],
    ]);
  });
});

describe('a client and a mock on one time', () => {
  const mock = new Mock({ clock: 'manual', startMs: START });
  beforeAll(() => mock.warmUp());
  beforeEach(() => mock.reset(KEY));
  afterAll(() => mock.close());

  const headers = { apikey: KEY, 'content-type': 'application/json' };
  const against = <T>(client: (fetch: typeof globalThis.fetch) => Promise<T>, patience = PATIENCE) => {
    const service = new MockServiceTime(mock);
    const run = runVirtually(({ connect }) => client(connect(mock.fetch as typeof fetch)), {
      service,
      patience,
    });
    return run.finally(() => service.release());
  };
  const trace = () => mock.journal({ key: KEY }).map(({ kind, request }) => `${kind} ${request.at - START}`);

  async function poller(fetch: typeof globalThis.fetch): Promise<string> {
    const request = { task: 'Look something up' };
    const made = await fetch('http://mock.test/api/v1/task', {
      method: 'POST',
      headers: { ...headers, 'x-taskdouble-scenario': 'polling/slow-agent' },
      body: JSON.stringify(request),
    });
    const { r } = (await made.json()) as { r: { id: string } };
    for (;;) {
      const response = await fetch(`http://mock.test/api/v1/task/${r.id}`, { headers });
      const task = ((await response.json()) as { r: { status: string } }).r;
      if (task.status !== 'running' && task.status !== 'waiting') return task.status;
      await sleep(5_000);
    }
  }

  it('a run is deterministic', async () => {
    const outcomes = [];
    for (let time = 0; time < 3; time++) {
      mock.reset(KEY);
      const { ended, value, at } = await against(poller);
      outcomes.push({ ended, value, at, trace: trace() });
    }
    expect(outcomes[0]).toMatchObject({ ended: 'by-itself', value: 'done', at: START + 30_000 });
    expect(outcomes[0]!.trace).toHaveLength(8);
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[2]).toEqual(outcomes[0]);
  });

  it('a response that is due with a timer arrives first', async () => {
    await mock.network.set('delay 10s of poll', KEY);
    const { value } = await against(async (fetch) => {
      const response = fetch('http://mock.test/api/v1/task/none', { headers }).then(() => 'answer');
      return Promise.race([sleep(10_000, 'timer'), response]);
    });
    expect(value).toBe('answer');
  });

  it('polls without new information are no progress', async () => {
    const outcome = await against(async (fetch) => {
      for (;;) {
        await fetch('http://mock.test/api/v1/task/none', { headers });
        await sleep(250);
      }
    });
    expect(outcome).toMatchObject({ ended: 'stalled', at: START + 60_000 });
  });

  it('a client that never pauses ends, too', async () => {
    const outcome = await against(
      async (fetch) => {
        for (;;) await fetch('http://mock.test/api/v1/task/none', { headers });
      },
      { deadlineMs: 2_000, stalledMs: 60_000 },
    );
    expect(outcome.ended).toBe('deadline');
  });
});

async function forever(ms: number): Promise<never> {
  for (;;) await sleep(ms);
}
