import { describeAtMost, duration, type Verb, wholeNumber } from '../verb.js';

const AT_MOST_MS = 10_000;

/** The headers leave at once. An empty body has nothing to slow down. */
export const throttle: Verb<{ network: 'throttle'; bytes_per_second: number; at_most_ms?: number }, never> = {
  name: 'throttle',
  description:
    'The body of the response arrives slowly: the status and the headers at once, then so many bytes per second.',
  phase: 'response',
  fields: {
    bytes_per_second: wholeNumber('Bytes of the body per second.', 1),
    at_most: duration('The rest of the body follows after so long at the latest.', { default: '10s' }),
  },
  required: ['bytes_per_second'],
  first: 'bytes_per_second',
  examples: [{ network: 'throttle', bytes_per_second: 200, of: 'poll', at_most: '5s' }],
  describe: ({ bytes_per_second, at_most_ms }) =>
    `throttle to ${bytes_per_second} bytes/s${describeAtMost(at_most_ms)}`,
  onResponse({ bytes_per_second: bytesPerSecond, at_most_ms: atMostMs = AT_MOST_MS }, _hit, { body }) {
    if (body.length === 0) return undefined;
    return { note: `response body at ${bytesPerSecond} bytes/s`, pace: { bytesPerSecond, atMostMs } };
  },
};
