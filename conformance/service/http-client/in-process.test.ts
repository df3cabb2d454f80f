import { expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import { mockTarget } from './in-process.js';

it('gives up a response that never arrives, by the clock of the mock', async () => {
  const { fetch, clock } = mockTarget(new Mock({ clock: 'manual' }), () => new Promise(() => {}));
  const from = clock.now();
  await expect(fetch('http://mock.test/api/v1/task')).rejects.toThrow(/none within 2 minutes/);
  expect(clock.now() - from).toBeGreaterThanOrEqual(120_000);
});
