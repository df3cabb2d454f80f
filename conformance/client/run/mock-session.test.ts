import { expect, it } from 'vitest';
import { scriptThread } from '../../../mock/evaluate/script-thread.js';
import type { Job } from '../types.js';
import { MockSession } from './mock-session.js';

async function open(name: string): Promise<void> {
  const actions = [{ payload: { name } }] as unknown as Job['actions'];
  await MockSession.open({ clock: 'manual', origin: `http://${name}.test` }, { actions });
}

it('a session has the thread of scripts started before a run with scripts, and only then', async () => {
  await scriptThread.close();
  await open('goto');
  expect(scriptThread.isOpen).toBe(false);
  await open('evaluate_js');
  expect(scriptThread.isOpen).toBe(true);
});
