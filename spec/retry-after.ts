/**
 * The delay of a Retry-After header, in seconds or as a date (RFC 9110, section 10.2.3), in ms after `now` (ms since 1970);
 * undefined if there is none, or if it is over or cannot be read.
 */
export function readRetryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return ms > 0 ? ms : undefined;
}
