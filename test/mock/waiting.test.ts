import { describe, expect, it } from 'vitest';
import { flushMicrotasks } from '../../mock/control/mock-clock.js';
import { Mock } from '../../mock/mock.js';
import type { Step } from '../../scenarios/format/types.js';
import { createScenario, startMock, type TestMockOptions, WEATHER } from '../support/mock/mock.js';

describe('what is planned', () => {
  it('does not grow with polls while time stands still', async () => {
    const mock = await startMock();
    const id = await mock.create({ task: 'x' });
    for (let n = 0; n < 50; n++) await mock.poll(id);
    const { schedule } = mock.service.organisations.get('a')!;
    expect(schedule.size).toBeLessThanOrEqual(2);
  });

  it('does not grow with polls that do not show the event that an end waits for', async () => {
    const mock = await startMock();
    const session = await mock.create({ task: null });
    await mock.sendEvent(session, { id: 'c', name: 'session_action', payload: { name: 'close' } });
    await mock.control.clock.set({ advance: '1s' }, 'a');
    const far = Number.MAX_SAFE_INTEGER;
    for (let n = 0; n < 50; n++) expect((await mock.poll(session, far)).status).toBe(202);
    expect(mock.service.organisations.get('a')!.schedule.size).toBeLessThanOrEqual(3);
    await mock.control.clock.set({ advance: '30s' }, 'a');
    expect((await mock.poll(session, far)).status).toBe(200);
  });
});

describe('a skipping clock', () => {
  it('goes on with those who waited while a test was busy', async () => {
    const due: (() => void)[] = [];
    const timers = { set: (callback: () => void) => due.push(callback), clear() {} };
    const network = [{ network: 'delay', time_ms: 60_000 } as const];
    const mock = new Mock({ clock: 'skipping', network, timers });
    await mock.ready;
    const release = mock.clock.busy('test');
    const usage = mock.fetch('http://mock.test/api/v1/usage', { headers: { apikey: 'test' } });
    await new Promise((resolve) => setImmediate(resolve));
    for (const callback of due.splice(0)) callback();
    expect(mock.health().inFlight).toBe(1);
    release();
    for (const callback of due.splice(0)) callback();
    expect((await usage).status).toBe(200);
  });
});

describe('a skipping clock never stands still for a client that goes on', () => {
  /** Sends the request until it has this status; gives up after 200 times. */
  async function until(status: number, request: () => Promise<{ status: number }>): Promise<void> {
    for (let n = 0; n < 200; n++) if ((await request()).status === status) return;
    throw new Error(`200 requests, and none was answered with ${status}`);
  }

  it.each([
    ['a limited key', {}, 'limited-1'],
    ['a rate limit', { dialect: { 'limits.rate': 1 } }, 'a'],
    ['a quota', { network: [{ network: 'quota', requests: 2, per_ms: 5000, of: { poll: true } }] }, 'a'],
  ] as const)('%s lets a client go on that was refused', async (_, options, key) => {
    const mock = await startMock({ ...options, clock: 'skipping' } as TestMockOptions);
    const id = await mock.create({ task: 'x' }, key);
    const poll = () => mock.poll(id, 0, key);
    await until(429, poll);
    await until(200, poll);
  });

  it('an outage is over after its time', async () => {
    const outage = { network: 'fail', status: 503, of: { poll: true }, expires_ms: 3000 } as const;
    const mock = await startMock({ clock: 'skipping', network: [outage] });
    const id = await mock.create({ task: 'x' });
    await until(503, () => mock.poll(id));
    await until(200, () => mock.poll(id));
  });

  it('the list of tasks shows their end', async () => {
    const mock = await startMock({ clock: 'skipping' });
    await mock.create({ task: 'x' });
    const list = async () => ({ status: (await mock.send('GET', '/task')).r[0].status === 'done' ? 1 : 0 });
    await until(1, list);
  });

  it.each(['session.total-timeout', 'event.retention'])('%s comes', async (point) => {
    const mock = await startMock({ clock: 'skipping', dialect: { [point]: 20_000 } });
    const id = await mock.create({ task: null });
    await mock.sendEvent(id, {
      id: 'a',
      name: 'browser_action',
      payload: { name: 'goto', input: { url: 'https://a.example' } },
    });
    const isOver = async () => {
      const { status, r } = await mock.poll(id);
      return {
        status:
          status === 200 ||
          (mock.service.organisations.get('a')!.tasks.get(id)!.log.dropped > 0 && r.events.length === 0)
            ? 1
            : 0,
      };
    };
    await until(1, isOver);
  });

  it('a call that nobody replies to does not stop it', async () => {
    const timeline: Step[] = [
      { service: 'tool_call', tool: 'get_weather', input: {}, id: 'call' },
      { service: 'finish', after: { time_ms: 20_000 } },
    ];
    const mock = await startMock({ clock: 'skipping', scenarios: [createScenario('t', timeline)] });
    const id = await mock.create({ task: 't' });
    await until(200, () => mock.poll(id, Number.MAX_SAFE_INTEGER));
  });
});

describe.each(['skipping', 'eager'] as const)('with a clock that is %s', (clock) => {
  const result = (to: string, time_ms: number) => ({ service: 'result' as const, to, after: { time_ms } });
  const session = [
    { client: 'action' as const, name: 'goto' as const, id: 'open', input: { url: 'https://a.example' } },
    result('open', 300),
    { service: 'finish' as const, after: { time_ms: 100 } },
  ];
  const start = async (timeline: Step[]) => {
    const mock = await startMock({
      clock,
      wall: () => 1_800_000_000_000,
      scenarios: [createScenario('t', timeline, { task: null })],
    });
    mock.service.scenarios.queued.push('t', 't');
    const id = await mock.create({ task: null });
    const goto = { name: 'browser_action', payload: { name: 'goto', input: { url: 'https://a.example' } } };
    return { mock, id, goto };
  };

  it('a result that is thrown away and asked for again is still there before the end', async () => {
    const { mock, id, goto } = await start(session);
    await mock.sendEvent(id, { id: 'e', ...goto });
    await mock.poll(id);
    const first = await mock.poll(id);
    expect([first.status, first.r.events.length]).toEqual([202, 1]);
    expect(await mock.poll(id)).toEqual(first);
    const next = await mock.poll(id, first.r.events[0].timestamp);
    expect([next.status, next.r.events]).toEqual([202, []]);
  });

  it('the end waits for a second reader too', async () => {
    const { mock, id, goto } = await start(session);
    await mock.sendEvent(id, { id: 'e', ...goto });
    await mock.poll(id);
    const { timestamp } = (await mock.poll(id)).r.events[0];
    for (let n = 0; n < 3; n++) expect((await mock.poll(id, timestamp)).status).toBe(202);
    expect(await mock.poll(id)).toMatchObject({ status: 202, r: { events: [{ id: 'e' }] } });
  });

  it('the polls of one task do not pass the news of another that is polled', async () => {
    const { mock, id, goto } = await start([...session.slice(0, 2), result('open', 60_000)]);
    const other = await mock.create({ task: null });
    for (const task of [id, other]) {
      await mock.poll(task);
      await mock.sendEvent(task, { id: 'e', ...goto });
    }
    const { events } = (await mock.poll(id)).r;
    expect(events).toHaveLength(1);
    await mock.poll(id, events[0].timestamp);
    expect((await mock.poll(other)).r.events).toHaveLength(1);
  });
});

describe('an eager clock', () => {
  /** A wall clock that stands still, and timers that fire when they are told. */
  async function start(options: TestMockOptions = {}) {
    const wall = { now: 1_800_000_000_000 };
    const due: { at: number; callback: () => void }[] = [];
    const timers = {
      set: (callback: () => void, delay_ms: number) =>
        due[due.push({ at: wall.now + delay_ms, callback }) - 1],
      clear: (timer: unknown) => void due.splice(due.indexOf(timer as (typeof due)[number]) >>> 0, 1),
    };
    const mock = await startMock({ ...options, clock: 'eager', wall: () => wall.now, timers });
    const pass = async (ms: number) => {
      wall.now += ms;
      for (const timer of due.filter(({ at }) => at <= wall.now)) {
        timers.clear(timer);
        timer.callback();
      }
      await flushMicrotasks();
    };
    return { ...mock, pass, organisation: () => mock.service.organisations.get('a')! };
  }

  it('jumps to what comes next when a poll would learn nothing', async () => {
    const mock = await start();
    const id = await mock.create({ task: 'x' });
    await mock.poll(id);
    expect((await mock.poll(id)).status).toBe(200);
    expect(mock.organisation().now).toBeGreaterThan(1_800_000_000_000);
  });

  it('lets what a request waits for take its real time', async () => {
    const mock = await start({ network: [{ network: 'delay', time_ms: 500, of: { poll: 2 } }] });
    const id = await mock.create({ task: 'x' });
    await mock.poll(id);
    let answered = false;
    const second = mock.poll(id).then((answer) => {
      answered = true;
      return answer;
    });
    await mock.pass(499);
    expect(answered).toBe(false);
    await mock.pass(1);
    expect((await second).status).toBe(200);
  });

  it('wakes who waits when the wall clock says so, however far it has jumped before', async () => {
    const timeline: Step[] = [
      { network: 'hold', of: { poll: 3 }, until: { step: 'later' } },
      { service: 'open', gate: 'later', id: 'later', after: { time_ms: 10_500 }, meanwhile: true },
      { service: 'live_url', value: 'auto', after: { time_ms: 10_000 } },
      { service: 'finish', after: { time_ms: 60_000 } },
    ];
    const mock = await start({ scenarios: [createScenario('t', timeline)] });
    const id = await mock.create({ task: 't' });
    await mock.poll(id);
    await mock.poll(id);
    expect(mock.organisation().now).toBe(1_800_000_010_000);
    let answered = false;
    void mock.poll(id).then(() => {
      answered = true;
    });
    await mock.pass(500);
    expect(answered).toBe(true);
  });

  it('does not hurry a client that is busy with a call', async () => {
    const mock = await start();
    const id = await mock.create({ task: 'x', custom_tools: [WEATHER] });
    await mock.poll(id);
    const { r } = await mock.poll(id);
    const { now } = mock.organisation();
    expect(r.events).toHaveLength(1);
    await mock.poll(id, r.events[0].timestamp);
    await mock.poll(id, r.events[0].timestamp);
    expect(mock.organisation().now).toBe(now);
  });
});
