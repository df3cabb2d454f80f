import { http, type RequestHandler } from 'msw';
import type { Fetch } from './fetch.js';

/** What lies below `{base_url}`: the API, and where the addresses in its answers lead. Never the admin API. */
const BELOW = '/(?:api/v1|live|recordings|downloads)/';

/**
 * Handlers for `setupServer` and `setupWorker`: one that catches everything of the service below `baseUrl`. One
 * catch-all is several times as fast as a handler for each operation. Make the mock with `origin: baseUrl`, so that the
 * addresses in its answers lead here too.
 */
export function handlers(mock: { fetch: Fetch }, options: { baseUrl: string }): RequestHandler[] {
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '');
  return [
    http.all(new RegExp(`^${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}${BELOW}`), async ({ request }) => {
      const { method, headers, signal } = request;
      const body = request.body ? new Uint8Array(await request.arrayBuffer()) : null;
      try {
        return await mock.fetch(request.url.slice(base.length), { method, headers, body, signal });
      } catch {
        // The network lost it: what MSW offers for that is an error response.
        return Response.error();
      }
    }),
  ];
}
