import { formatDuration } from '../../../spec/duration.js';
import { duration, type Verb, wholeNumber } from '../verb.js';

/** A window begins with the first request after the one before has ended. Refused requests do not count. */
export const quota: Verb<{ network: 'quota'; requests: number; per_ms: number }, never> = {
  name: 'quota',
  description: 'At most so many requests in each window of time, then 429 with Retry-After.',
  phase: 'request',
  fields: { requests: wholeNumber('Requests in a window.', 1), per: duration('Length of the window.') },
  required: ['requests', 'per'],
  first: 'requests',
  examples: [{ network: 'quota', requests: 2, per: '1s', of: 'poll', times: 3 }],
  describe: ({ requests, per_ms }) => `quota ${requests} per ${formatDuration(per_ms)}`,
  countsRequests: true,
  onRequest({ requests, per_ms }, { now, window }) {
    if (now >= window.from + per_ms) Object.assign(window, { from: now, used: 0 });
    if (window.used < requests) {
      window.used++;
      return undefined;
    }
    const retryAfterS = Math.max(1, Math.ceil((window.from + per_ms - now) / 1000));
    const length = per_ms % 1000 === 0 ? `${per_ms / 1000}s` : `${per_ms}ms`;
    return {
      note: `429 by quota ${requests}/${length}`,
      error: {
        status: 429,
        detail: `Too many requests: a network rule allows ${requests} in ${per_ms} ms. Try again in ${retryAfterS} s.`,
        retryAfter: String(retryAfterS),
      },
    };
  },
};
