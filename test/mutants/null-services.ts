import type { FetchFunction } from '../../conformance/service/http-client/target.js';

/** Servers that are no service at all: nothing that they say may be taken for a rule that is kept. */
export const nullServices: Readonly<Record<string, FetchFunction>> = Object.freeze({
  'constant 200 {}': createConstantService(200, '{}'),
  'constant 200 {"r":{}}': createConstantService(200, '{"r":{}}'),
  'constant 200 {"r":true}': createConstantService(200, '{"r":true}'),
  'constant 200 with one task': createConstantService(
    200,
    '{"r":{"id":"t","status":"running","live_url":"http://a.test"}}',
  ),
  'constant 404': createConstantService(404, '{"detail":"Not Found"}'),
  'constant 401': createConstantService(401, '{"detail":"Not authenticated"}'),
  'constant 500': createConstantService(500, '{"detail":"Internal error"}'),
  'constant 429': createConstantService(429, '{"detail":"Slow down"}'),
  'constant 503 that says when to try again': createConstantService(
    503,
    '{"detail":"Later"}',
    'application/json',
    '1',
  ),
  '200 with HTML': createConstantService(200, '<!doctype html><title>Hello</title>', 'text/html'),
  'empty 204': async () => new Response(null, { status: 204 }),
  'never answers': (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal!.reason), { once: true });
    }),
  'redirects to itself': async (address) =>
    new Response(null, { status: 307, headers: { location: String(address) } }),
  'closes every connection': async () => {
    throw new TypeError('fetch failed: the connection was closed');
  },
});

function createConstantService(
  status: number,
  body: string,
  type = 'application/json',
  after?: string,
): FetchFunction {
  const headers = { 'content-type': type, ...(after === undefined ? {} : { 'retry-after': after }) };
  return async () => new Response(body, { status, headers });
}
