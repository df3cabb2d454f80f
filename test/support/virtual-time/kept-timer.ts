import { runVirtually } from '../../../mock/virtual-time/virtual-run.js';
import { createStalledService } from './stalled-service.js';

/** Prints the result of a client that uses a timer function from before the run. */
const kept = globalThis.setTimeout;
const { ended, value } = await runVirtually(
  async () => {
    await new Promise((resolve) => kept(resolve, 20));
    return 'there';
  },
  { service: createStalledService(0), patience: { deadlineMs: 36_000_000, stalledMs: 36_000_000 } },
);
console.log(JSON.stringify({ ended, value }));
