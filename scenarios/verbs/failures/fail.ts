import type { NetworkSide } from '../../format/types.js';
import { duration, httpStatus, side, text, type Verb } from '../verb.js';

export interface FailRule {
  network: 'fail';
  status: number;
  detail?: string;
  retry_after_s?: number;
  side?: NetworkSide;
}

export const fail: Verb<FailRule, 'limited' | 'unavailable'> = {
  name: 'fail',
  description: "An error response in place of the service's own.",
  phase: 'request',
  fields: {
    status: httpStatus(400),
    detail: text('Text in the field `detail` of the body. Left out: a text that names the rule.'),
    retry_after: duration('Header Retry-After, rounded up to whole seconds. Left out: no such header.', {
      unit: 's',
    }),
    side: side(
      'request: the service never sees it. response: it has handled the request all the same.',
      'request',
    ),
  },
  required: ['status'],
  first: 'status',
  examples: [
    {
      network: 'fail',
      status: 429,
      detail: 'Slow down.',
      retry_after: '2s',
      of: 'create',
      side: 'request',
    },
  ],
  describe({ side: where, status, detail, retry_after_s }) {
    const quoted = detail ? ` "${detail}"` : '';
    const later = retry_after_s === undefined ? '' : `, Retry-After ${retry_after_s}`;
    return `fail${where ? ` ${where}` : ''} with ${status}${quoted}${later}`;
  },
  onRequest: (rule) => ({ note: `failed with ${rule.status}`, error: buildError(rule) }),
  onResponse: (rule) => ({ note: `response replaced by ${rule.status}`, error: buildError(rule) }),
  deviations: {
    ranks: {
      limited: { poll: 2, reply: 5, action: 14, create: 15 },
      unavailable: { reply: 8, poll: 13, action: 23, create: 24 },
    },
    changes: {
      limited: { sort: 'limited', clause: ({ request }) => `${request} got 429` },
      unavailable: { sort: 'no response', clause: ({ request }) => `${request} got 503` },
    },
    isFault: true,
    isOfAnyPoll: true,
    *forRequest({ kind }) {
      yield ['limited', { status: 429, retry_after_s: 1 }];
      yield ['unavailable', { status: 503 }];
      // To the client it makes no difference whether a poll was handled.
      if (kind !== 'poll') yield ['unavailable', { status: 503, side: 'response' }];
    },
  },
};

function buildError({ status, detail, retry_after_s: retryAfterS }: FailRule) {
  return { status, detail: detail ?? `Made to fail with status ${status} by a network rule.`, retryAfterS };
}
