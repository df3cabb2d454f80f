import { describeAtMost, duration, includeIf, type Verb } from '../verb.js';

const AT_MOST_MS = 5_000;

export const reorder: Verb<{ network: 'reorder'; at_most_ms?: number }, 'reorder'> = {
  name: 'reorder',
  description: 'The response leaves only after the response to the next such request.',
  phase: 'response',
  fields: { at_most: duration('Waits for the next one so long at the latest.', { default: '5s' }) },
  examples: [{ network: 'reorder', of: 'poll', at_most: '1s' }],
  describe: ({ at_most_ms }) => `reorder${describeAtMost(at_most_ms)}`,
  needsNext: true,
  onResponse: ({ at_most_ms: atMostMs = AT_MOST_MS }) => ({
    note: 'response held until the next one has left',
    wait: {
      atMostMs,
      until: 'next response',
      late: `response released after ${atMostMs} ms: no next request got a response`,
    },
  }),
  deviations: {
    ranks: { reorder: {} },
    changes: {
      reorder: { sort: 'time', clause: ({ request }) => `the response to ${request} came late` },
    },
    forRequest: ({ kind, pollsOverlap, holdMs }) =>
      includeIf(kind === 'poll' && pollsOverlap, ['reorder', { at_most_ms: holdMs }]),
  },
};
