import { afterAll, describe, expect, it, vi } from 'vitest';
import { Mock } from '../mock.js';
import { isFetchingModules } from './internals.js';

const mock = new Mock({ clock: 'manual' });
afterAll(() => mock.close());

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('a module that is imported for the first time in a run', () => {
  it('is awaited, with all its imports: no virtual time passes', async () => {
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

  it('that does not exist rejects', async () => {
    const name = '../../test/support/virtual-time/lazy/none.js';
    await expect(mock.time.run(() => import(name))).rejects.toThrow(/none\.js/);
  });
});

describe('the module state of vitest', () => {
  it.each<[string, object | undefined, boolean]>([
    ['nothing: another test runner', undefined, false],
    ['something else', {}, false],
    ['none under way', { resolvingModules: new Set() }, false],
    ['one under way', { resolvingModules: new Set(['a']) }, true],
  ])('%s', (_, worker, fetching) => {
    vi.stubGlobal('__vitest_worker__', worker);
    try {
      expect(isFetchingModules()).toBe(fetching);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
