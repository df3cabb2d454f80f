import { formatDuration } from '../format/duration.js';
import type { NetworkSide } from '../format/types.js';
import { duration, httpStatus, includeIf, side, text, type Verb, wholeNumber } from './verb.js';

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

export const duplicate: Verb<{ network: 'duplicate' }, never> = {
  name: 'duplicate',
  description: 'The service handles the request twice; the client gets the first response.',
  phase: 'request',
  examples: [{ network: 'duplicate', of: 'action' }],
  describe: () => 'duplicate',
  onRequest: () => ({ note: 'handled twice', twice: true }),
};

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

/** A window begins with the first request after the end of the previous window. Refused requests do not count. */
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
        retryAfterS,
      },
    };
  },
};

export interface GarbleRule {
  network: 'garble';
  status?: number;
  body?: string;
  content_type?: string;
}

const GARBLED_STATUS = 502;
const GARBLED_CONTENT_TYPE = 'text/html';
const GATEWAY_PAGE = `<html>
<head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center></body>
</html>
`;

/** The response of a gateway that does not know the API. */
export const garble: Verb<GarbleRule, 'garble'> = {
  name: 'garble',
  description: 'A body that is not JSON.',
  phase: 'response',
  fields: {
    status: httpStatus(200, { default: GARBLED_STATUS }),
    body: text('The body. Left out: an HTML page of a gateway.'),
    content_type: {
      description: 'Content type of the response.',
      type: 'string',
      pattern: '^[ -~]+$',
      default: GARBLED_CONTENT_TYPE,
      'x-expected': 'a text of printable ASCII characters, as HTTP headers are',
    },
  },
  first: 'status',
  examples: [
    {
      network: 'garble',
      status: 502,
      body: '<h1>Bad Gateway</h1>',
      content_type: 'text/html',
      of: 'poll',
    },
  ],
  describe: ({ status = GARBLED_STATUS }) => `garble with ${status}`,
  onResponse: ({
    status = GARBLED_STATUS,
    body = GATEWAY_PAGE,
    content_type: contentType = GARBLED_CONTENT_TYPE,
  }) => ({
    note: 'response replaced by a body that is not JSON',
    page: { status, body, contentType },
  }),
  deviations: {
    ranks: { garble: { poll: 18, reply: 34 } },
    changes: {
      garble: { sort: 'no response', clause: ({ request }) => `the response to ${request} was not JSON` },
    },
    isFault: true,
    isHidden: true,
    isOfAnyPoll: true,
    forRequest: () => [['garble', {}]],
  },
};

/** At least one byte is removed; an empty body stays complete. */
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

/** A client that copies the headers of a browser accepts gzip, and may not be able to read it. */
export const compress: Verb<{ network: 'compress' }, never> = {
  name: 'compress',
  description:
    'The body of the response is compressed with gzip if the request accepts that (`accept-encoding`), as behind a CDN.',
  phase: 'response',
  examples: [{ network: 'compress', of: 'poll' }],
  describe: () => 'compress',
  onResponse(_rule, _hit, { body }) {
    if (body.length === 0) return undefined;
    return { note: 'response body compressed with gzip if the client accepts it', compress: true };
  },
};
