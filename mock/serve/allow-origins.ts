import type { WireRequest, WireResponse } from '../exchange/wire.js';
import type { Handle } from './listeners.js';

/**
 * Lets pages of any origin send the key in a cookie (`credentials: 'include'`): a browser then requires its own origin instead of the `*`
 * of API responses. Every transport calls it, so that journals keep the response of the service. Responses without the `*`, such as those
 * of the admin API, stay inaccessible to pages.
 */
export function allowOrigins(handle: Handle): Handle {
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined) return handle(request);
    const handled = handle(request);
    return handled instanceof Promise
      ? handled.then((response) => allowOrigin(response, request))
      : allowOrigin(handled, request);
  };
}

/** Characters that are allowed in the header. */
const ORIGIN = /^[\x21-\x7e]+$/;

function allowOrigin(response: WireResponse, { headers: { origin = '' } }: WireRequest): WireResponse {
  const { headers } = response;
  if (headers['access-control-allow-origin'] !== '*' || !ORIGIN.test(origin)) return response;
  const own = {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: extendVary('origin', headers),
  };
  return { ...response, headers: { ...headers, ...own } };
}

/** The value of the header `vary` with one more name. */
export function extendVary(name: string, { vary }: Readonly<Record<string, string>>): string {
  return vary === undefined ? name : `${vary}, ${name}`;
}
