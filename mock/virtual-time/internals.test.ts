import { afterAll, describe, expect, it, vi } from 'vitest';
import { Mock } from '../mock.js';
import { isFetchingModules } from './internals.js';

const mock = new Mock({ clock: 'manual' });
afterAll(() => mock.close());

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('a module that is imported for the first time in a run', () => {
  it('is waited for, with all that it imports: no time of the client passes', async () => {
    await mock.warmUp();
    const seen = await mock.time.run(async () => {
      const timer = wait(1).then(() => 'timer');
      const loaded = import('../../test/support/virtual-time/lazy/first.js').then(({ tea }) => tea);
      return Promise.race([loaded, timer]);
    });
    expect(seen).toBe('tea');
  });

  it('may itself wait for time', async () => {
    const seen = await mock.time.run(async () => {
      const began = Date.now();
      const { tea } = await import('../../test/support/virtual-time/lazy/waiting.js');
      return [tea, Date.now() - began];
    });
    expect(seen).toEqual(['tea', 60_000]);
  });

  it('and that there is not: its error comes', async () => {
    const name = '../../test/support/virtual-time/lazy/none.js';
    await expect(mock.time.run(() => import(name))).rejects.toThrow(/none\.js/);
  });
});

describe('what vitest keeps of its modules', () => {
  const cache = (cached: object) => ({ moduleCache: new Map([['a', cached]]) });
  const promise = Promise.resolve();

  it.each<[string, object | undefined, boolean]>([
    ['nothing: another test runner', undefined, false],
    ['something else', {}, false],
    ['version 4: none under way', { resolvingModules: new Set() }, false],
    ['version 4: one under way', { resolvingModules: new Set(['a']) }, true],
    ['version 3: a name to be resolved', cache({ resolving: true }), true],
    ['version 3: a module asked for', cache({ promise, evaluated: false }), true],
    ['version 3: one being evaluated', cache({ promise, evaluated: false, code: '', exports: {} }), false],
    ['version 3: one that Node.js has loaded', cache({ promise, evaluated: false, exports: {} }), false],
    ['version 3: one that is there', cache({ promise, evaluated: true, code: '' }), false],
    ['version 3: one that was never asked for', cache({}), false],
  ])('%s', (_, worker, fetching) => {
    vi.stubGlobal('__vitest_worker__', worker);
    try {
      expect(isFetchingModules()).toBe(fetching);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
