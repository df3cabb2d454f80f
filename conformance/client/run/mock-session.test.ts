import { expect, it } from 'vitest';
import { scriptThread } from '../../../mock/evaluate/script-thread.js';
import type { Job } from '../types.js';
import { MockSession } from './mock-session.js';

function open(name: string): Promise<MockSession> {
  const actions = [{ payload: { name } }] as unknown as Job['actions'];
  return MockSession.open({ clock: 'manual', origin: `http://${name}.test` }, { actions });
}

it('a session has the thread of scripts started before a run with scripts, and only then', async () => {
  await scriptThread.close();
  await open('goto');
  expect(scriptThread.isOpen).toBe(false);
  await open('evaluate_js');
  expect(scriptThread.isOpen).toBe(true);
});

it('a session is used again, also after many others', async () => {
  const others = await Promise.all(Array.from({ length: 20 }, (_, index) => open(`other-${index}`)));
  for (const other of others) other.release();
  const session = await open('last');
  session.release();
  expect(await open('last')).toBe(session);
});
