import { API_PREFIX } from '../../spec/vocabulary.js';

/** Removes the API prefix and truncates ids. */
export function shortenUrl(url: string): string {
  const below = url.startsWith(API_PREFIX) ? url.slice(API_PREFIX.length) : url;
  return below.replace(/[0-9a-f]{8}-?[0-9a-f-]{12,}/gi, (id) => `${id.slice(0, 6)}…`);
}
