import type { Mock } from '../../../mock/mock.js';
import type { Clock } from '../runner/clock.js';
import type { FetchFunction } from './target.js';

/** Turns of the loop that an answer may take that waits for nothing but the machine. */
const TURNS = 20;

/**
 * A mock with a manual clock as a target: its time moves when the player sleeps, and while an answer is held. Nothing
 * waits for real. One case at a time (`concurrency: 1`), as all share this time.
 */
export function mockTarget(
  mock: Mock,
  fetch: FetchFunction = mock.fetch,
): { baseUrl: string; fetch: FetchFunction; clock: Clock } {
  let loaded: Promise<void> | undefined;
  let now = mock.clock.now();
  const pass = async (ms: number) => {
    now += ms;
    await mock.clock.advance(ms);
  };
  return {
    baseUrl: 'http://mock.test',
    clock: { now: () => now, sleep: (ms) => pass(Math.ceil(ms)) },
    async fetch(input, init) {
      // What has to be loaded takes real time, which must not pass for the mock's.
      loaded ??= mock.warmUp();
      await loaded;
      const answer = fetch(input, init);
      let settled = false;
      const done = () => {
        settled = true;
      };
      answer.then(done, done);
      for (let turn = 0; !settled; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (turn > TURNS && !settled) await pass(50);
      }
      return answer;
    },
  };
}
