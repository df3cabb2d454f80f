import { http, type RequestHandler } from 'msw';
import { API_PREFIX } from '../../spec/vocabulary.js';
import type { Fetch } from './fetch.js';

/**
 * Handlers for `setupServer` and `setupWorker`: one that catches everything below `{base_url}/api/v1`. One catch-all is
 * several times as fast as a handler for each operation.
 */
export function handlers(mock: { fetch: Fetch }, options: { baseUrl: string }): RequestHandler[] {
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '');
  return [
    http.all(`${base}${API_PREFIX}/*`, async ({ request }) => {
      try {
        return await mock.fetch(request);
      } catch {
        // The network lost it: what MSW offers for that is an error response.
        return Response.error();
      }
    }),
  ];
}
