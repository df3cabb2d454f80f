import { type NetworkSide, side, type Verb } from '../verb.js';

export const drop: Verb<{ network: 'drop'; side?: NetworkSide }, 'response-lost' | 'request-lost'> = {
  name: 'drop',
  description: 'The request, or the response to it, is lost: the connection ends without a response.',
  phase: 'request',
  fields: {
    side: side(
      'request: it never reaches the service. response: the service handles it, and the client receives nothing.',
      'request',
    ),
  },
  first: 'side',
  examples: [{ network: 'drop', of: { reply: 'first' }, side: 'response' }],
  describe: ({ side: where }) => `drop${where ? ` ${where}` : ''}`,
  onRequest: () => ({ note: 'request dropped', fault: { kind: 'drop' } }),
  onResponse: () => ({ note: 'response dropped', fault: { kind: 'drop' } }),
  deviations: {
    ranks: {
      'response-lost': { reply: 1, create: 6, action: 16, poll: 19 },
      'request-lost': { reply: 17, action: 25, create: 35 },
    },
    changes: {
      'response-lost': {
        sort: 'no response',
        clause: ({ request }) => `the response to ${request} was lost`,
      },
      'request-lost': { sort: 'no response', clause: ({ request }) => `${request} was lost` },
    },
    isFault: true,
    isOfAnyPoll: true,
    *forRequest({ kind }) {
      yield ['response-lost', { side: 'response' }];
      // A client cannot distinguish a lost poll from a poll with a lost response.
      if (kind !== 'poll') yield ['request-lost', { side: 'request' }];
    },
  },
};
