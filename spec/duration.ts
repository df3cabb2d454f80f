/** In ms, in the order in which they are written. */
const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
/** One part after another, each of a smaller unit than the one before. */
const DURATION =
  /^(?=\d)(\d+(?:\.\d+)?d)?(\d+(?:\.\d+)?h)?(\d+(?:\.\d+)?m(?!s))?(\d+(?:\.\d+)?s)?(\d+(?:\.\d+)?ms)?$/;

/**
 * Reads `300ms`, `2s`, `1.5s`, `5m`, `1h`, `32d`, several of them together (`4m59s`) or a number of ms, and gives ms, rounded
 * to a whole number. Undefined when it is none of these, or negative, or not finite.
 */
export function parseDuration(written: unknown): number | undefined {
  if (typeof written === 'number') {
    return Number.isFinite(written) && written >= 0 ? Math.round(written) : undefined;
  }
  if (typeof written !== 'string') return undefined;
  const parts = DURATION.exec(written.trim());
  if (!parts) return undefined;
  const sum = Object.values(UNITS).reduce(
    (total, ms, index) => total + Number.parseFloat(parts[index + 1] ?? '0') * ms,
    0,
  );
  return Math.round(sum);
}

/** Writes `ms` in the largest unit that gives at most one decimal: `300ms`, `1.5s`, `5m`, `2h`, `32d`. Reads back the same. */
export function formatDuration(ms: number): string {
  const units = Object.entries(UNITS);
  const [unit, size] = units.find(([, each]) => ms >= each && Number.isInteger((ms * 10) / each)) ?? [
    'ms',
    1,
  ];
  return `${ms / size}${unit}`;
}
