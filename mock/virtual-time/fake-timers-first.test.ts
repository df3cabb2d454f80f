import { expect, it, vi } from 'vitest';
import { runTask } from '../../test/support/virtual-time/poller.js';

const DONE = { status: 'done', polls: 31 };

it('fake timers before everything is loaded: no module stores the fake ones, and the platform’s are restored', async () => {
  const timers = () => [setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate];
  const own = timers();
  vi.useFakeTimers();
  const fake = timers();
  const { Mock } = await import('../mock.js');
  const late = new Mock({ clock: 'manual' });
  expect(await late.time.run(() => runTask(late.fetch, 'http://mock.test'))).toEqual(DONE);
  // The first run loads modules: for each module, vitest installs the platform's own timers, and then restores those of the client.
  expect(timers()).toEqual(fake);
  vi.useRealTimers();
  expect(timers()).toEqual(own);
  expect(await late.time.run(() => runTask(late.fetch, 'http://mock.test'))).toEqual(DONE);
  await late.close();
});
