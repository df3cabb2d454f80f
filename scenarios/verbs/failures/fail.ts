import { duration, httpStatus, type NetworkSide, side, text, type Verb } from '../verb.js';

export interface FailRule {
  network: 'fail';
  status: number;
  detail?: string;
  retry_after_s?: number;
  retry_after_form?: 'seconds' | 'date';
  side?: NetworkSide;
}

export const fail: Verb<
  FailRule,
  'limited' | 'unavailable' | 'refused' | 'rejected' | 'limited-otherwise' | 'unavailable-otherwise'
> = {
  name: 'fail',
  description: "An error response in place of the service's own.",
  phase: 'request',
  fields: {
    status: httpStatus(400),
    detail: text('Text in the field `detail` of the body. Left out: a text that names the rule.'),
    retry_after: duration('Header Retry-After, rounded up to whole seconds. Left out: no such header.', {
      unit: 's',
    }),
    retry_after_form: {
      description: 'Retry-After in seconds, or as a date of HTTP.',
      enum: ['seconds', 'date'],
      default: 'seconds',
    },
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
    { network: 'fail', status: 503, retry_after: '2s', retry_after_form: 'date', of: 'poll' },
  ],
  describe({ side: where, status, detail, retry_after_s, retry_after_form }) {
    const quoted = detail ? ` "${detail}"` : '';
    const later =
      retry_after_s === undefined
        ? ''
        : `, Retry-After ${retry_after_s}${retry_after_form === 'date' ? ' as a date' : ''}`;
    return `fail${where ? ` ${where}` : ''} with ${status}${quoted}${later}`;
  },
  onRequest: (rule, { now }) => ({ note: `failed with ${rule.status}`, error: buildError(rule, now) }),
  onResponse: (rule, { now }) => ({
    note: `response replaced by ${rule.status}`,
    error: buildError(rule, now),
  }),
  deviations: {
    ranks: {
      limited: { poll: 2, reply: 5, action: 14, create: 15 },
      unavailable: { reply: 8, poll: 13, action: 23, create: 24 },
      refused: { reply: 34, cancel: 34 },
      rejected: {},
      'limited-otherwise': {},
      'unavailable-otherwise': {},
    },
    changes: {
      limited: { sort: 'limited', clause: ({ request }) => `${request} got 429` },
      unavailable: { sort: 'no response', clause: ({ request }) => `${request} got 503` },
      refused: { sort: 'refused', clause: ({ request }) => `${request} got 409` },
      rejected: { sort: 'refused', clause: ({ request }) => `${request} was refused` },
      'limited-otherwise': { sort: 'limited', clause: ({ request }) => `${request} got 429` },
      'unavailable-otherwise': { sort: 'no response', clause: ({ request }) => `${request} got 500` },
    },
    alone: ['rejected', 'limited-otherwise', 'unavailable-otherwise'],
    isFault: true,
    isOfAnyPoll: true,
    *forRequest({ kind, isFirst }) {
      yield ['limited', { status: 429, retry_after_s: 1 }];
      yield ['unavailable', { status: 503 }];
      // To the client it makes no difference whether a poll was handled.
      if (kind !== 'poll') yield ['unavailable', { status: 503, side: 'response' }];
      // Too late, or a repetition. Once it is handled, a client that does not repeat it leaves nothing open.
      const isHandled = kind === 'reply' || kind === 'cancel';
      if (isHandled) yield ['refused', { status: 409, side: 'response' }];
      // The scenarios of "client" refuse polls, which several readers of one task may send.
      if (!isFirst || kind === 'poll') return;
      for (const status of [401, 404, 422])
        yield ['rejected', { status, ...(isHandled && { side: 'response' as const }) }];
      yield ['limited-otherwise', { status: 429 }];
      yield ['limited-otherwise', { status: 429, retry_after_s: 1, retry_after_form: 'date' }];
      yield ['unavailable-otherwise', { status: 500 }];
    },
  },
};

/** `now`: ms since 1970 on the mock's clock. */
function buildError({ status, detail, retry_after_s, retry_after_form }: FailRule, now: number) {
  const text = detail ?? `Made to fail with status ${status} by a network rule.`;
  if (retry_after_s === undefined) return { status, detail: text };
  const seconds = Math.ceil(retry_after_s);
  // Dates have whole seconds.
  const date = () => new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();
  return { status, detail: text, retryAfter: retry_after_form === 'date' ? date() : String(seconds) };
}
