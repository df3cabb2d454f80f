/** The wait of a Retry-After header in seconds: a number, or a date. */
export function readSeconds(header) {
  const seconds = Number(header ?? 0);
  return Number.isNaN(seconds) ? Math.max(0, (Date.parse(header) - Date.now()) / 1000 || 0) : seconds;
}
