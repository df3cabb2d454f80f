import type { Mock } from '../../../mock/mock.js';
import type { FetchFunction, ServiceTarget } from './target.js';

/** Turns of the event loop that a response may take that waits for nothing but the machine. */
const TURNS = 20;
/** Microtasks within which most responses are there: without a turn of the event loop they take half the time. */
const LINKS = 10;
/**
 * How far the mock's time moves at once while a response is held, and in all, ms. A read that is held for longer than some
 * steps is a long poll: then time moves to what is due next. (An action may wait for the machine, which loads what runs its script.)
 */
const STEP_MS = 50;
const STEPS = 20;
const LONGEST_WAIT_MS = 120_000;

/**
 * A mock with a manual clock as a target: its time moves when the client sleeps, and while a response is held. Nothing
 * waits for real. One case at a time (`concurrency: 1`), as all share this time.
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
      // What has to be loaded takes real time, which must not pass for the mock's.
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
