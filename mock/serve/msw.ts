import { http, type RequestHandler } from 'msw';
import { parseUrl } from '../../spec/addresses.js';
import { text } from '../../spec/json-schema/build-schema.js';
import { PAGES } from '../exchange/route.js';
import { assertOptions, createOptionsSchema } from '../options/check-options.js';
import type { Fetch } from './fetch.js';

/** Paths below the base URL that the handlers serve: the API and the pages it links to, not the admin API. */
const BELOW = `/(?:api/v1|${PAGES.join('|')})/`;

const OPTIONS = createOptionsSchema<{ baseUrl: string }>({ baseUrl: text });

/** The part of a mock that the handlers use. */
export interface MockForHandlers {
  readonly fetch: Fetch;
  setBaseUrl(baseUrl: string): void;
  readonly ready?: Promise<void>;
}

/**
 * Handlers for `setupServer` and `setupWorker`: one handler for everything below `baseUrl`, which is several times as fast as one for each
 * operation. Links in the mock's responses lead to `baseUrl` from now on, unless the mock has an `origin`.
 *
 * `baseUrl`: an address, or in a page a path of its own host (`/service`, or `/` for the host itself). Throws TypeError
 * for what is neither, and for one with a query or a hash.
 *
 * A response that the mock's network drops, and every request to a closed mock, is a network error for the client. If `ready` of the mock
 * rejects, the response is a 500 with the reason, and MSW logs it.
 */
export function handlers(mock: MockForHandlers, options: { baseUrl: string }): RequestHandler[] {
  assertOptions('handlers', options, OPTIONS);
  const base = readBaseUrl(options.baseUrl);
  mock.setBaseUrl(base);
  return [
    http.all(new RegExp(`^${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}${BELOW}`), async ({ request }) => {
      // MSW turns a rejection into a 500 with the reason.
      await mock.ready;
      const { method, headers, signal } = request;
      try {
        const body = request.body ? new Uint8Array(await request.arrayBuffer()) : null;
        return await mock.fetch(request.url.slice(base.length), { method, headers, body, signal });
      } catch {
        // MSW's form of a network error.
        return Response.error();
      }
    }),
  ];
}

/** Normalized as in requests: no slash at the end, no default port, host in lower case. */
function readBaseUrl(given: string): string {
  const { origin, pathname, search, hash } = parse(given || '/');
  if (search !== '' || hash !== '') {
    throw new TypeError(
      `baseUrl: expected an address that ends with its path, such as ${origin}${pathname === '/' ? '' : pathname}, got ${JSON.stringify(given)}: leave ${search !== '' ? `the query "${search}"` : `"${hash}"`} out, because clients append their paths to this address`,
    );
  }
  return (origin + pathname).replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '');
}

/** A path is sufficient in a page, which has a host. */
function parse(given: string): URL {
  const here = globalThis.location?.href;
  const url = parseUrl(given, here);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new TypeError(
    `baseUrl: expected an address such as https://service.example, got ${JSON.stringify(given)}`,
  );
}
