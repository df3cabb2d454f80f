import { createRandom } from '../../../mock/generate/random.js';
import { MutantResponse } from '../../mutants/operators/mutant-response.js';
import { type Variation, variation } from '../variation.js';

/** How requests and responses get through: refusals that pass, connections that break, forms of JSON, time. */

/** One request in so many is refused before it has any effect. */
function createRefusalVariation(
  status: 429 | 503,
  oneIn: number,
  seed: number,
  after = (_now: number) => '1',
): Variation {
  const what = `refuses one request in ${oneIn} with ${status} and Retry-After: ${after(0)}, by seed ${seed}`;
  return variation(what, ({ now }) => {
    const random = createRandom(seed);
    return (request, next) => {
      if (random.next() * oneIn >= 1) return next(request);
      const response = new MutantResponse(status, { detail: 'Try again in a second.' });
      if (status === 503) response.write('<h1>Service Unavailable</h1>', 'text/html');
      response.headers['retry-after'] = after(now());
      return response;
    };
  });
}

/** What fetch throws where a connection that was idle is closed as the next request is sent. */
function createResetError(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
  return new TypeError('fetch failed', { cause });
}

const resetting = variation('resets one connection in fifty before any byte of the response', () => {
  const random = createRandom('resets');
  return (request, next) => {
    if (random.next() < 0.02) throw createResetError();
    return next(request);
  };
});

/** Takes its time, of the mock's clock. */
function createDelayVariation(what: string, delayMs: (nth: number) => number): Variation {
  return variation(what, ({ now }) => {
    let nth = 0;
    return async (request, next) => {
      const response = await next(request);
      const until = now() + delayMs(++nth);
      while (now() < until) await new Promise((resolve) => setImmediate(resolve));
      return response;
    };
  });
}

/** A JSON text that says the same. */
function rewriteJson(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(rewriteJson).join(' ,\n')} ]`;
  if (typeof value === 'string')
    return JSON.stringify(value)
      .replaceAll('/', '\\/')
      .replace(/[^\x20-\x7e]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (typeof value === 'number' && Number.isInteger(value)) return `${value}.0`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).reverse();
  return `{\r\n${fields.map(([name, each]) => `${rewriteJson(name)}:\t${rewriteJson(each)}`).join(',\r\n')}\r\n}\n`;
}

const otherJson = variation(
  'writes JSON with spaces, escapes, fractions of zero and its fields reversed',
  () => {
    return async (request, next) => {
      const response = await next(request);
      if (response.body !== undefined)
        response.write(rewriteJson(response.body), response.headers['content-type']);
      return response;
    };
  },
);

const otherTypes = variation('names JSON more exactly, and its errors as problems', () => {
  return async (request, next) => {
    const response = await next(request);
    const type = response.ok ? 'application/vnd.service.v1+json' : 'application/problem+json';
    response.headers['content-type'] = `${type}; charset="UTF-8"`;
    return response;
  };
});

const moreHeaders = variation('has headers of its own', () => {
  let nth = 0;
  return async (request, next) => {
    const response = await next(request);
    Object.assign(response.headers, {
      connection: 'close',
      'set-cookie': `session=${++nth}; Path=/; HttpOnly`,
      etag: `"${nth}"`,
      'cache-control': 'no-store',
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': String(100 - (nth % 100)),
      'retry-after': '30',
      link: '</api/v1/task?l=32&t=1>; rel="next"',
      deprecation: '@1767225600',
    });
    return response;
  };
});

export const transport: readonly Variation[] = [
  createRefusalVariation(429, 100, 1),
  createRefusalVariation(503, 100, 3),
  createRefusalVariation(429, 20, 5),
  createRefusalVariation(503, 20, 6),
  createRefusalVariation(503, 100, 7, () => '0'),
  createRefusalVariation(503, 50, 8, (now) => new Date(now + 2000).toUTCString()),
  resetting,
  createDelayVariation('takes a second for one response in 20, and six for another', (nth) =>
    nth % 100 === 0 ? 6000 : nth % 20 === 0 ? 1000 : 0,
  ),
  otherJson,
  otherTypes,
  moreHeaders,
];
