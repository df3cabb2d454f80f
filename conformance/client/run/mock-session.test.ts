import { expect, it } from 'vitest';
import { serviceOf } from '../../../mock/service.js';
import type { Job } from '../types.js';
import { MockSession } from './mock-session.js';

const SCRIPT = { type: 'action', payload: { name: 'evaluate_js' } };
const request = { operation: { id: 'sendTaskEvent' }, body: SCRIPT } as unknown as Parameters<
  ReturnType<typeof serviceOf>['load']
>[0];

/** What the first script of a run would have to wait for; undefined for nothing. */
async function neededBy(name: string): Promise<unknown> {
  const actions = [{ payload: { name } }] as unknown as Job['actions'];
  const session = await MockSession.open({ clock: 'manual', origin: `http://${name}.test` }, { actions });
  return serviceOf(session.mock).load(request);
}

it('a session has the script interpreter loaded before a run with scripts, else it loads it on demand', async () => {
  expect(await neededBy('evaluate_js')).toBeUndefined();
  expect(await neededBy('goto')).toBeDefined();
});
