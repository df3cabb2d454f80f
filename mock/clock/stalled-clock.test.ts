import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatTimeline } from '../../conformance/in-tests/timeline/timeline.js';
import { Mock } from '../mock.js';
import type { MockOptions } from '../options/mock-options.js';

/** A mock with injected real time, and a client that polls one task. */
async function startPolledMock(options: MockOptions = {}, scenario = 'polling/slow-agent') {
  const real = { now: 1_000_000 };
  const notes: string[] = [];
  const mock = new Mock({
    clock: 'manual',
    wall: () => real.now,
    onNote: (note) => notes.push(note),
    ...options,
  });
  mocks.push(mock);
  await mock.scenario(scenario, 'k');
  const send = async (path: string, init = {}) => {
    const response = await mock.fetch(`http://mock/api/v1${path}`, { headers: { apikey: 'k' }, ...init });
    return (await response.json()).r;
  };
  const headers = { apikey: 'k', 'content-type': 'application/json' };
  const { id } = await send('/task', { method: 'POST', headers, body: '{"task":"x"}' });
  /** Polls `times` times, each after `ms` of real time. */
  const poll = async (times: number, ms = 100) => {
    for (let i = 0; i < times; i++) {
      real.now += ms;
      await send(`/task/${id}`);
    }
  };
  const hints = () => notes.filter((note) => note.includes("this mock's clock is manual"));
  return { mock, id, poll, hints, real };
}

const mocks: Mock[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(mocks.splice(0).map((mock) => mock.close()));
});

describe('a manual clock that a client polls in real time', () => {
  it('is reported once with advice, in the journal too', async () => {
    const { mock, id, poll, hints } = await startPolledMock();
    await poll(19);
    expect(hints()).toEqual([]);
    await poll(1);
    expect(hints()).toEqual([
      `this mock's clock is manual, and a client has polled task ${id} 20 times without it moving: run the client in mock.time.run(() => …), move the clock with mock.clock.advance(ms) (over HTTP: POST /__admin/clock), or make the mock with { clock: 'real' }`,
    ]);
    expect(mock.journal().at(-1)?.notes).toEqual(hints());
    await poll(100);
    await mock.clock.advance('1s');
    await poll(100);
    expect(hints()).toHaveLength(1);
  });

  it('is a process warning without a listener for notes; on the console without a process', async () => {
    const emit = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const first = await startPolledMock({ onNote: undefined } as MockOptions);
    await first.poll(20);
    expect(emit.mock.calls).toEqual([
      [
        expect.stringContaining('mock.time.run'),
        { type: 'TaskdoubleWarning', code: 'TASKDOUBLE_STALLED_CLOCK' },
      ],
    ]);
    const logged = vi.spyOn(console, 'warn').mockReturnValue();
    const second = await startPolledMock({ onNote: undefined } as MockOptions);
    vi.stubGlobal('process', undefined);
    await second.poll(20).finally(() => vi.unstubAllGlobals());
    expect(logged.mock.calls).toEqual([[expect.stringMatching(/^taskdouble: this mock's clock is manual/)]]);
  });

  it('is reported at the end of the timeline after a few polls', async () => {
    const { mock, poll } = await startPolledMock();
    await poll(2, 1000);
    expect(formatTimeline(mock)).not.toContain('clock is manual');
    await poll(1, 1000);
    expect(formatTimeline(mock).split('\n').at(-1)).toMatch(
      /^ {2}\(this mock's clock .* polled task .* 3 times/,
    );
    expect(formatTimeline(mock, 'another key')).not.toContain('clock is manual');
    await mock.clock.advance(1);
    expect(formatTimeline(mock)).not.toContain('clock is manual');
  });
});

describe('nothing is reported', () => {
  it('for consecutive polls without real time', async () => {
    const { poll, hints } = await startPolledMock();
    await poll(200, 4);
    expect(hints()).toEqual([]);
  });

  it('if the clock is moved between polls', async () => {
    const { mock, poll, hints } = await startPolledMock();
    for (let i = 0; i < 30; i++) {
      await poll(5, 1000);
      await mock.clock.advance(1);
    }
    expect(hints()).toEqual([]);
  });

  it('if the task waits for the client, or for polls', async () => {
    const options: MockOptions = {
      scenarios: [
        {
          name: 'polls',
          title: 'Done at the hundredth poll',
          request: { task: 'x' },
          timeline: [{ service: 'finish', after: { polls: 100 } }],
        },
      ],
    };
    for (const scenario of ['tool-calls/one-call', 'polls']) {
      const { mock, poll, hints } = await startPolledMock(options, scenario);
      await mock.clock.advance('10s');
      await poll(60, 1000);
      expect(hints(), scenario).toEqual([]);
    }
  });

  it('for other clocks, and for a paused one', async () => {
    for (const clock of ['real', 'eager', 'skipping'] as const) {
      const { mock, poll, hints } = await startPolledMock({ clock });
      await mock.clock.set({ pause: true });
      await poll(60, 1000);
      expect(hints(), clock).toEqual([]);
      expect(formatTimeline(mock)).not.toContain('clock is manual');
    }
  });

  it('in mock.time.run, also for a client that never sleeps', async () => {
    const { mock, poll, hints } = await startPolledMock();
    await mock.time.run(() => poll(100, 1000));
    expect(hints()).toEqual([]);
    await poll(60, 1000);
    expect(hints()).toHaveLength(1);
  });
});
