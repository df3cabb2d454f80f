import { describe, expect, it } from 'vitest';
import { REQUEST, TOOL_SCENARIO } from '../../test/support/admin/tool-scenario.js';
import { createScenario, startMock, WEATHER } from '../../test/support/mock/mock.js';
import { MANUAL_START_MS } from '../engine/clock.js';

describe('the clock', () => {
  it('runs due work in order, each at its own time, and returns when it has happened', async () => {
    const order: string[] = [];
    const timeline = (gap: number) => [
      { service: 'tool_call' as const, tool: 'get_weather', input: {}, after: { time_ms: gap } },
      { service: 'tool_call' as const, tool: 'get_weather', input: {}, after: { time_ms: gap } },
    ];
    const mock = await startMock({
      scenarios: [createScenario('slow', timeline(300)), createScenario('fast', timeline(200))],
    });
    const slow = await mock.create({ task: 'slow', custom_tools: [WEATHER] });
    const fast = await mock.create({ task: 'fast', custom_tools: [WEATHER] });
    const [clock] = await mock.control.clock.set({ advance: '5m' }, 'a');
    expect(clock).toMatchObject({ organisation: 'org-1', now: MANUAL_START_MS + 300_000, mode: 'manual' });
    expect(clock!.iso).toBe('2026-01-01T00:05:00.000Z');
    for (const [name, id] of [
      ['slow', slow],
      ['fast', fast],
    ] as const) {
      for (const event of mock.control.task(id).events)
        order.push(`${event.timestamp - MANUAL_START_MS} ${name}`);
    }
    expect(order.sort()).toEqual(['200 fast', '300 slow', '400 fast', '600 slow']);
  });

  it('moves to the next due work, and does not move without any', async () => {
    const mock = await startMock({ scenarios: [TOOL_SCENARIO], dialect: { 'task.total-timeout': 0 } });
    const id = await mock.create(REQUEST);
    expect(mock.control.clock.view('a')[0]).toMatchObject({ nextDue: MANUAL_START_MS + 300, pending: 1 });
    const [there] = await mock.control.clock.set({ to: 'next' }, 'a');
    expect(there).toMatchObject({ now: MANUAL_START_MS + 300, nextDue: null, pending: 0 });
    expect(mock.control.task(id).calls).toHaveLength(1);
    expect((await mock.control.clock.set({ to: 'next' }, 'a'))[0]!.now).toBe(MANUAL_START_MS + 300);
    expect((await mock.control.clock.set({ to: MANUAL_START_MS + 1000 }, 'a'))[0]!.now).toBe(
      MANUAL_START_MS + 1000,
    );
  });

  it('has delayed requests handled at their own time, not at the end of a long jump', async () => {
    const mock = await startMock();
    await mock.control.network.set([{ network: 'delay', time: '2s', of: 'create', side: 'request' }], 'a');
    const creating = mock.create({ task: 'x' });
    await mock.control.clock.set({ advance: '1m' }, 'a');
    const id = await creating;
    expect(mock.control.task(id).createdAt).toBe(MANUAL_START_MS + 2000);
    expect(mock.control.task(id)).toMatchObject({ status: 'done' });
  });

  it("is each organisation's own; without a key all move", async () => {
    const mock = await startMock();
    await mock.create({ task: 'x' }, 'a');
    await mock.create({ task: 'x' }, 'b');
    await mock.control.clock.set({ advance: 1000 }, 'a');
    expect(mock.control.clock.view().map(({ now }) => now - MANUAL_START_MS)).toEqual([1000, 0]);
    await mock.control.clock.set({ advance: '2s' });
    expect(mock.control.clock.view().map(({ now }) => now - MANUAL_START_MS)).toEqual([3000, 2000]);
  });

  it('pauses, continues and changes its speed, also for organisations that are opened later', async () => {
    let wall = 0;
    const mock = await startMock({ clock: 'real', wall: () => wall, timers: { set: () => 0, clear() {} } });
    const now = (key: string) => mock.control.clock.view(key)[0]!.now;
    mock.control.clock.view('a');
    await mock.control.clock.set({ pause: true });
    wall += 500;
    expect(now('a')).toBe(0);
    await mock.control.clock.set({ pause: false, speed: 10 });
    wall += 500;
    expect(now('a')).toBe(5000);
    expect(mock.control.clock.view('b')[0]).toMatchObject({ mode: 'real', speed: 10 });
    await mock.control.clock.set({ mode: 'manual' });
    expect(mock.control.clock.view('c')[0]).toMatchObject({ mode: 'manual', now: MANUAL_START_MS });
    mock.control.reset();
    expect(mock.control.clock.view('c')[0]).toMatchObject({ mode: 'real', speed: 1 });
  });

  it('keeps a speed for when it follows real time', async () => {
    const mock = await startMock({ timers: { set: () => 0, clear() {} } });
    await mock.control.clock.set({ speed: 5 });
    expect(mock.control.clock.view('a')[0]).toMatchObject({ mode: 'manual', speed: 5 });
    await mock.control.clock.set({ mode: 'real' });
    expect(mock.control.clock.view('a')[0]).toMatchObject({ mode: 'real', speed: 5 });
  });

  it('moves by a duration of several units', async () => {
    const mock = await startMock();
    const [clock] = await mock.control.clock.set({ advance: '4m59s' }, 'a');
    expect(clock!.now).toBe(MANUAL_START_MS + 299_000);
  });

  it('wakes clients that wait for time when it continues', async () => {
    const armed: (() => void)[] = [];
    let wall = 0;
    const timers = { set: (wake: () => void) => armed.push(wake), clear() {} };
    const mock = await startMock({ clock: 'real', wall: () => wall, timers });
    await mock.control.network.set([{ network: 'delay', time: '5s', of: 'create' }], 'a');
    await mock.control.clock.set({ pause: true }, 'a');
    let answered = false;
    const creating = mock.create({ task: 'x' }).then(() => {
      answered = true;
    });
    expect(armed).toEqual([]);
    await mock.control.clock.set({ pause: false, speed: 5 }, 'a');
    expect(armed).toHaveLength(1);
    wall += 1000;
    expect(answered).toBe(false);
    armed[0]!();
    await creating;
  });

  it.each([
    [{ advance: '5 minutes' }, /advance: expected a duration/],
    [{ advance: -1 }, /advance: expected a duration/],
    [{ advance: 1e300 }, /The time is out of range/],
    [{ to: 5 }, /a clock cannot go back/],
    [{ to: 'tomorrow' }, /to: expected "next", or a time/],
    [{ speed: 0 }, /speed: expected a number from 0.001/],
    [{ mode: 'fast' }, /mode: expected one of/],
    [{ pause: true, mode: 'real' }, /give one of them/],
    [{ advance: 1, to: 'next' }, /give one of them/],
    [{ ahead: 5 }, /unknown key "ahead"; known here: mode/],
  ])('%j is refused and changes nothing', async (change, message) => {
    const mock = await startMock();
    const before = mock.control.clock.view('a');
    await expect(mock.control.clock.set(change as never, 'a')).rejects.toThrow(message);
    expect(mock.control.clock.view('a')).toEqual(before);
  });
});
