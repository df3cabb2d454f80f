import type { Mock } from '../../../mock/mock.js';
import type { FetchFunction, ServiceTarget } from './target.js';

/** Event loop turns for a response that waits only for computation. */
const TURNS = 20;
/** Microtasks within which most responses resolve: without an event loop turn they take half the time. */
const LINKS = 10;
/**
 * Steps by which the mock's clock advances while a response is pending, and their limit, ms. A read that is pending after some
 * steps is a long poll: then the clock advances to the next due time. (An action may be waiting for modules that run its script.)
 */
const STEP_MS = 50;
const STEPS = 20;
const LONGEST_WAIT_MS = 120_000;

/**
 * A mock with a manual clock as a target. Its clock advances while the client sleeps and while a response is pending, so that a
 * run takes no real time. All cases share the clock, so they run one by one (`concurrency: 1`).
 */
export function mockTarget(
  mock: Mock,
  fetch: FetchFunction = mock.fetch,
): Pick<ServiceTarget, 'baseUrl' | 'fetch' | 'clock' | 'requestTimeoutMs'> {
  let loaded: Promise<void> | undefined;
  let now = mock.clock.now();
  const advance = async (ms: number) => {
    now += ms;
    await mock.clock.advance(ms);
  };
  const readNextDueMs = () => Math.min(...mock.clock.view().map(({ nextDue }) => nextDue ?? now)) - now;
  return {
    baseUrl: 'http://mock.test',
    clock: { now: () => now, sleep: (ms) => advance(Math.ceil(ms)) },
    requestTimeoutMs: Number.POSITIVE_INFINITY,
    async fetch(input, init) {
      // Modules are loaded before the start: real loading time must not advance the mock's clock.
      loaded ??= mock.warmUp();
      await loaded;
      let isSettled = false;
      const response = fetch(input, init).finally(() => {
        isSettled = true;
      });
      response.catch(() => {});
      const isRead = (init?.method ?? 'GET') === 'GET';
      const until = now + LONGEST_WAIT_MS;
      for (let link = 0; link < LINKS && !isSettled; link++) await undefined;
      for (let turn = 0; !isSettled; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (turn <= TURNS || isSettled) continue;
        const due_ms = isRead && turn > TURNS + STEPS ? Math.min(readNextDueMs(), until - now) : 0;
        await advance(Math.max(STEP_MS, due_ms));
        if (now > until && !isSettled)
          throw new Error(`none within ${LONGEST_WAIT_MS / 60_000} minutes of the mock's time`);
      }
      return response;
    },
  };
}
