import { expect, it } from 'vitest';
import { play } from '../../conformance/client/run/play.js';
import { oneCall } from '../../test/support/client/scenarios.js';
import { loadClientFunction } from './client-command.js';

it('--function: what the module keeps of the platform when it is loaded is on virtual time, and has the seed', async () => {
  const { random } = Math;
  const client = await loadClientFunction('test/support/client/remembering-function.mjs');
  expect(Math.random).toBe(random);
  const [one, again] = [await play(oneCall, client), await play(oneCall, client)];
  expect(one.end).toBe('by-itself');
  expect(again.trace).toEqual(one.trace);
});
