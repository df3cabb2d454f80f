import { describe, expect, it } from 'vitest';
import { withMock } from '../../conformance/in-tests/create-mock.js';
import { Mock } from '../mock.js';
import { replayMock } from '../replay/replay-mock.js';

function readError(options: unknown): string {
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
    [{ limits: { exchange: 3 } }, 'createMock: unknown key "exchange" in limits; did you mean exchanges?'],
    [{ limits: { exchanges: -1 } }, 'createMock: limits.exchanges: expected a whole number from 1; found -1'],
    [{ limits: [] }, 'createMock: limits: expected an object; found []'],
    [
      { timers: { set: () => 0, claer: () => 0 } },
      'createMock: unknown key "claer" in timers; did you mean clear?',
    ],
    [{ network: 7 }, /: network: expected a list of rules, a path, or rules in shorthand such as/],
    ['network', 'createMock: expected an object of options; found "network"'],
  ])('%j is refused', (options, message) => {
    if (message instanceof RegExp) expect(readError(options)).toMatch(message);
    else expect(readError(options)).toBe(message);
  });

  it('of network rules are checked before the mock is ready', async () => {
    const readError = (network: unknown) =>
      new Mock({ network: network as never }).ready.catch((error) => error.message);
    expect(await readError([{ network: 'drop' }, { network: 'fial', status: 503 }])).toMatch(
      /^network: network: expected one of delay, .*; found "fial"; did you mean fail\? \(at \[1\]\.network\)$/,
    );
    expect(await readError([{ network: 'delay', tim_ms: 5 }])).toMatch(
      /unknown key "tim_ms" in step network: delay; /,
    );
    expect(await readError([{ network: 'drop', of: { pol: true } }])).toContain(
      'unknown key "pol" in of; did you mean poll?',
    );
    const rules = [
      { network: 'delay', time_ms: 5, jitter_ms: 2, side: 'request', of: { poll: 2 }, times: 1, skip: 0 },
      { network: 'delay', time: '5ms', of: 'poll' },
      { network: 'hold', until: { response: { create: true } }, at_most_ms: 5, probability: 0.5 },
      { network: 'fail', status: 503, detail: 'x', retry_after_s: 1, expires_ms: 10 },
      { network: 'quota', requests: 3, per_ms: 1000 },
      { network: 'reshape', events: null, extra: { x: 1 } },
    ];
    expect(await readError(rules)).toBeUndefined();
  });

  it('are checked for withMock too', async () => {
    const options = { limits: { exchange: 3 } } as never;
    await expect(withMock(() => {}, options)).rejects.toThrow('did you mean exchanges?');
  });
});

describe('options of the methods of a mock', () => {
  const mock = new Mock();

  it('are refused if the name is unknown', async () => {
    const wrong = <T>(options: object) => options as T;
    await expect(mock.listen(wrong({ prot: 1 }))).rejects.toThrow(
      'mock.listen: unknown key "prot"; did you mean port?',
    );
    await expect(mock.time.run(() => {}, wrong({ deadline: 1 }))).rejects.toThrow(
      'mock.time.run: unknown key "deadline"; did you mean deadlineMs?',
    );
    expect(() => mock.journal(wrong({ taks: 'x' }))).toThrow('did you mean task?');
    expect(() => mock.openGate('x', wrong({ tsak: 'x' }))).toThrow('did you mean task?');
  });

  it('are refused where they do not apply', async () => {
    await expect(mock.listen({ port: 70_000 })).rejects.toThrow(
      'mock.listen: port: expected a whole number from 0 to 65535; found 70000',
    );
    await expect(mock.listen(8080 as never)).rejects.toThrow('expected an object of options; found 8080');
    await expect(mock.time.run(() => {}, { signal: {} as never })).rejects.toThrow('expected an AbortSignal');
  });
});

describe('options of replayMock', () => {
  it('are refused if the name is unknown, also where it listens', async () => {
    expect(() => replayMock([], { onNotes() {} } as never)).toThrow(
      'replayMock: unknown key "onNotes"; did you mean onNote?',
    );
    await expect(replayMock([]).listen({ hots: '' } as never)).rejects.toThrow(
      'replay.listen: unknown key "hots"; did you mean host?',
    );
  });
});
