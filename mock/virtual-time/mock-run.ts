import type { ControlledMock } from '../control/controlled-mock.js';
import type { TimeOptions, TimeRun } from '../options/mock-options.js';
import { MockServiceTime } from './mock-service-time.js';
import { createStallError } from './stalled-client.js';
import { runVirtually } from './virtual-run.js';

export { handOver } from './run-patches.js';
export { queueRun } from './virtual-run.js';

const DEADLINE_MS = 3_600_000;
const STALLED_MS = 600_000;

/** Number of runs: two runs of one mock must not draw the same ids. */
const runs = new WeakMap<ControlledMock, number>();

/** The implementation of `mock.time.run` in Node.js, after it left the queue. */
export async function runOnMock<T>(
  mock: ControlledMock,
  client: (run: TimeRun) => T | Promise<T>,
  { deadlineMs = DEADLINE_MS, stalledMs = STALLED_MS, signal }: TimeOptions,
): Promise<T> {
  signal?.throwIfAborted();
  const patience = { deadlineMs, stalledMs };
  const service = new MockServiceTime(mock);
  const start = service.now();
  const run = (runs.get(mock) ?? 0) + 1;
  runs.set(mock, run);
  try {
    const outcome = await runVirtually(client, {
      service,
      patience,
      seed: `${mock.seed}, run ${run}`,
      signal,
      baseUrl: () => mock.baseUrl,
      isContained: true,
    });
    if (outcome.ended === 'aborted') throw signal!.reason;
    if (outcome.ended !== 'by-itself') throw createStallError(mock, outcome.ended, outcome, start, patience);
    if ('error' in outcome) throw outcome.error;
    return outcome.value as T;
  } finally {
    service.release();
  }
}
