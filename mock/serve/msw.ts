import { http, type RequestHandler } from 'msw';
import type { Mock } from '../interface.js';

/** What lies below `{base_url}`: the API, and where the addresses in its answers lead. Never the admin API. */
const BELOW = '/(?:api/v1|live|recordings|downloads|billing|invite)/';

/**
 * Handlers for `setupServer` and `setupWorker`: one that catches everything of the service below `baseUrl`. One
 * catch-all is several times as fast as a handler for each operation. From now on
 * the addresses in the mock's answers lead here, unless it was made with an `origin`.
 */
export function handlers(
  mock: Pick<Mock, 'fetch' | 'reachedAt'>,
  options: { baseUrl: string },
): RequestHandler[] {
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '');
  mock.reachedAt(base);
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
