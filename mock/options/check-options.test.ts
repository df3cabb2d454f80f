import { describe, expect, it } from 'vitest';
import { withMock } from '../../conformance/in-tests/with-mock.js';
import { replayMock } from '../journal/replay/replay-mock.js';
import { Mock } from '../mock.js';

/** What is said about these options of `createMock`. */
function said(options: unknown): string {
  try {
    new Mock(options as never);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
  return 'nothing';
}

describe('options within the options of createMock', () => {
  it.each([
    [
      { limits: { exchange: 3 } },
      'createMock: there is no option "limits.exchange"; did you mean "limits.exchanges"?',
    ],
    [
      { limits: { exchanges: -1 } },
      'createMock: option "limits.exchanges": expected a whole number from 1, got -1.',
    ],
    [{ limits: [] }, 'createMock: option "limits": expected an object, got [].'],
    [
      { timers: { set: () => 0, claer: () => 0 } },
      'createMock: there is no option "timers.claer"; did you mean "timers.clear"?',
    ],
    [{ network: 7 }, /option "network": expected a list of rules, a path, or rules in short/],
    [
      { network: [{ network: 'drop' }, { network: 'fial', status: 503 }] },
      'createMock: option "network[1].network": expected "fail", got "fial".',
    ],
    [{ network: [{}] }, /option "network\[0\]\.network": expected one of delay, hold, /],
    [
      { network: [{ network: 'delay', time: '2s' }] },
      'createMock: there is no option "network[0].time"; did you mean "network[0].time_ms"?',
    ],
    [{ network: [{ network: 'delay' }] }, 'createMock: option "network[0]": a delay needs "time_ms".'],
    [
      { network: [{ network: 'drop', of: { pol: true } }] },
      'createMock: there is no option "network[0].of.pol"; did you mean "network[0].of.poll"?',
    ],
    [
      { network: [{ network: 'drop', of: 'poll' }] },
      'createMock: option "network[0].of": expected an object such as { poll: true }, got "poll".',
    ],
    [
      { network: [{ network: 'hold', until: { gat: 'x' } }] },
      'createMock: there is no option "network[0].until.gat"; did you mean "network[0].until.gate"?',
    ],
    [
      { network: [{ network: 'drop', status: 503 }] },
      /there is no option "network\[0\]\.status"; there are /,
    ],
    ['network', 'createMock: expected an object of options, got "network".'],
  ])('%j is refused', (options, message) => {
    if (message instanceof RegExp) expect(said(options)).toMatch(message);
    else expect(said(options)).toBe(message);
  });

  it('may be whatever they can be', () => {
    const rules = [
      { network: 'delay', time_ms: 5, jitter_ms: 2, side: 'request', of: { poll: 2 }, times: 1, skip: 0 },
      { network: 'hold', until: { answer: { create: true } }, at_most_ms: 5, probability: 0.5 },
      { network: 'fail', status: 503, detail: 'x', retry_after_s: 0.5, expires_ms: 10, line: 3 },
      { network: 'quota', requests: 3, per_ms: 1000 },
      { network: 'garble' },
      { network: 'truncate', bytes: 10 },
      { network: 'reshape', events: null, extra: {} },
    ];
    for (const rule of rules) expect(said({ network: [rule] })).toBe('nothing');
    expect(said({ limits: { exchanges: undefined, records: Number.POSITIVE_INFINITY } })).toBe('nothing');
  });

  it('are checked for withMock too', async () => {
    const options = { limits: { exchange: 3 } } as never;
    await expect(withMock(() => {}, options)).rejects.toThrow('did you mean "limits.exchanges"?');
  });
});

describe('options of what a mock can do', () => {
  const mock = new Mock();

  it('are refused where there is none of that name', async () => {
    const wrong = <T>(options: object) => options as T;
    await expect(mock.listen(wrong({ prot: 1 }))).rejects.toThrow(
      'mock.listen: there is no option "prot"; did you mean "port"?',
    );
    await expect(mock.time.run(() => {}, wrong({ deadline: 1 }))).rejects.toThrow(
      'mock.time.run: there is no option "deadline"; did you mean "deadlineMs"?',
    );
    expect(() => mock.journal(wrong({ taks: 'x' }))).toThrow('did you mean "task"?');
    expect(() => mock.openGate('x', wrong({ tsak: 'x' }))).toThrow('did you mean "task"?');
  });

  it('are refused where they cannot be', async () => {
    await expect(mock.listen({ port: 70_000 })).rejects.toThrow(
      'mock.listen: option "port": expected a whole number from 0 to 65535, got 70000.',
    );
    await expect(mock.listen(8080 as never)).rejects.toThrow('expected an object of options, got 8080.');
    await expect(mock.time.run(() => {}, { signal: {} as never })).rejects.toThrow('expected an AbortSignal');
  });
});

describe('options of replayMock', () => {
  it('are refused where there is none of that name, also where it listens', async () => {
    expect(() => replayMock([], { onNotes() {} } as never)).toThrow(
      'replayMock: there is no option "onNotes"; did you mean "onNote"?',
    );
    await expect(replayMock([]).listen({ hots: '' } as never)).rejects.toThrow(
      'replay.listen: there is no option "hots"; did you mean "host"?',
    );
  });
});
