import { includeIf, type Verb, wholeNumber } from '../verb.js';

/** At least one byte is missing, however many are requested; an empty body stays complete. */
export const truncate: Verb<{ network: 'truncate'; bytes?: number }, 'truncate'> = {
  name: 'truncate',
  description: 'The body ends too early, and the connection with it.',
  phase: 'response',
  fields: { bytes: wholeNumber('After so many bytes. Left out: half of the body.', 0) },
  first: 'bytes',
  examples: [{ network: 'truncate', bytes: 20, of: 'poll' }],
  describe: ({ bytes }) => (bytes === undefined ? 'truncate' : `truncate after ${bytes} bytes`),
  onResponse(rule, _hit, { body }) {
    const length = typeof body === 'string' ? new TextEncoder().encode(body).length : body.length;
    if (length === 0) return undefined;
    const bytes = Math.min(rule.bytes ?? length >> 1, length - 1);
    return { note: `response cut off after ${bytes} bytes`, fault: { kind: 'truncate', bytes } };
  },
  deviations: {
    ranks: { truncate: { poll: 22 } },
    changes: {
      truncate: { sort: 'no response', clause: ({ request }) => `the response to ${request} was cut off` },
    },
    isFault: true,
    isHidden: true,
    isOfAnyPoll: true,
    forRequest: ({ kind }) => includeIf(kind === 'poll', ['truncate', {}]),
  },
};
