import { expect, it } from 'vitest';
import type { ClientFunction } from '../../client/types.js';
import { explore } from './explore.js';

// biome-ignore lint/suspicious/noExplicitAny: the reference client is plain JavaScript
type Run = any;

/** Every pair of deviations of the scenario, and some walks. */
const SCHEDULES = 2000;

it('a reply that is given up after three refusals is found near the pairs of refusals that reached new states', {
  timeout: 600_000,
}, async () => {
  const file = new URL('../../../fixtures/clients/reference.mjs', import.meta.url).href;
  const { makeClient, pieces } = await import(/* @vite-ignore */ file);
  const run: ClientFunction = makeClient({
    async reply(this: Run, ...reply: unknown[]) {
      const patient = Object.assign(Object.create(this), { mostTries: 3 });
      await pieces.reply.apply(patient, reply).catch(() => {});
    },
  });
  const { failures } = await explore({
    client: { kind: 'function', run },
    scenarios: ['tool-calls/two-calls'],
    schedules: SCHEDULES,
    timeLimitMs: 600_000,
  });
  const found = failures.find(({ rule }) => rule === 'replies/given-up');
  expect(found?.deviations).toHaveLength(3);
});
