import { parseUrl } from '../../../spec/addresses.js';

/**
 * Normalizes a user's address to `{base_url}`: removes `/api/v1` or `/api` and slashes at the end, and adds a missing `http://`.
 * Throws TypeError if it is not an http or https address.
 */
export function parseBaseUrl(given: string): string {
  const address = addScheme(given);
  const url = parseUrl(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`expected an address such as http://127.0.0.1:4010, got ${JSON.stringify(given)}`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new TypeError(`expected an address without a query or a fragment, got ${JSON.stringify(given)}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('expected an address without a user name and password in it');
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '');
  return url.origin + path;
}

/** A key is sent unencrypted only to a host that looks local: an IP address, a name without a dot, or one with a port. */
function addScheme(given: string): string {
  const looksLikeOne = given === 'localhost' || /[.:/]/.test(given);
  if (!looksLikeOne || given.includes('://') || !parseUrl(`http://${given}`)) return given;
  const { hostname, port } = new URL(`http://${given}`);
  const isLocal = port !== '' || !hostname.includes('.') || /^[\d.]+$/.test(hostname);
  return `${isLocal ? 'http' : 'https'}://${given}`;
}
