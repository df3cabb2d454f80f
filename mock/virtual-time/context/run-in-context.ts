import type { Mock } from '../../mock.js';
import type { TimeOptions } from '../../options/mock-options.js';
import { releaseTimeouts } from '../socket-timeouts.js';
import { placeNow } from './context.js';
import { type Client, ContextRun } from './context-run.js';
import { putInPlace, takeAway } from './in-place.js';
import { ServiceOfAll } from './service-of-all.js';

export { handOverHere } from './fetch-in-run.js';

/** Runs `client` on the time of `mock`: what `mock.time.run` does in Node.js. */
export async function runInContext<T>(mock: Mock, client: Client<T>, options: TimeOptions): Promise<T> {
  options.signal?.throwIfAborted();
  const service = new ServiceOfAll(mock);
  service.take();
  putInPlace();
  const outer = placeNow()?.run;
  if (outer) outer.inner++;
  const run = new ContextRun(mock, service, client, options);
  try {
    return await run.play();
  } finally {
    releaseTimeouts(run.clock);
    if (outer) outer.inner--;
    takeAway();
    service.giveBack();
  }
}
