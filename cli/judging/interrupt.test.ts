import { afterEach, describe, expect, it, vi } from 'vitest';
import { EXIT } from '../exit-codes.js';
import { createInterrupt, type Interrupt } from './interrupt.js';

const said: string[] = [];
let interrupt: Interrupt | undefined;
const begin = () => {
  said.length = 0;
  interrupt = createInterrupt((line) => said.push(line), 'removing what was created');
  return interrupt;
};
afterEach(() => {
  interrupt?.release();
  vi.restoreAllMocks();
});

describe('what ends a run early', () => {
  it.each([
    ['SIGINT', EXIT.interrupted],
    ['SIGTERM', EXIT.terminated],
    ['SIGHUP', EXIT.hungUp],
  ] as const)('%s, in order', (signal, code) => {
    const { signal: stop } = begin();
    process.emit(signal, signal);
    expect(stop.aborted).toBe(true);
    expect(interrupt!.code).toBe(code);
    expect(said).toEqual([expect.stringContaining('removing what was created')]);
  });

  it('an uncaught error: created resources are removed before the end', () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { signal: stop } = begin();
    process.emit('uncaughtException', new RangeError('odd'));
    expect(stop.aborted).toBe(true);
    expect(interrupt!.code).toBe(EXIT.fault);
    expect(String(written.mock.calls[0]![0])).toContain('a fault of taskdouble itself: RangeError: odd');
  });

  it('and the second time at once', () => {
    const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    begin();
    process.emit('SIGINT', 'SIGINT');
    expect(() => process.emit('SIGINT', 'SIGINT')).toThrow('exit 130');
    expect(exit).toHaveBeenCalledOnce();
  });

  it('nothing, once it is released: earlier listeners are restored', () => {
    const before = process.rawListeners('uncaughtException');
    const { signal: stop, release } = begin();
    expect(process.rawListeners('uncaughtException')).not.toEqual(before);
    release();
    expect(process.rawListeners('uncaughtException')).toEqual(before);
    const keep = () => {};
    process.once('SIGINT', keep);
    process.emit('SIGINT', 'SIGINT');
    expect(stop.aborted).toBe(false);
  });
});
