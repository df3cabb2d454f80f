import { expect, it, vi } from 'vitest';
import { runTask } from './test-support/poller.js';

const DONE = { status: 'done', polls: 31 };

it('fake timers before everything is loaded: nothing remembers the fake ones', async () => {
  vi.useFakeTimers();
  const { createMock: createLate } = await import('../../create.js');
  const late = createLate({ clock: 'manual' });
  expect(await late.time.run(() => runTask(late.fetch, 'http://mock.test'))).toEqual(DONE);
  vi.useRealTimers();
  expect(await late.time.run(() => runTask(late.fetch, 'http://mock.test'))).toEqual(DONE);
  await late.close();
});
