import { describe, expect, it } from 'vitest';
import { settle } from '../../mock/control/mock-clock.js';
import { Mock } from '../../mock/mock.js';
import type { Step } from '../../scenarios/format/types.js';
import { scenario, startMock, type TestMockOptions, WEATHER } from '../support/mock/mock.js';

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
      await settle();
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
    const mock = await start({ scenarios: [scenario('t', timeline)] });
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
