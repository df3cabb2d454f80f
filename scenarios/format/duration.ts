const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
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
  const [, d = '0', h = '0', m = '0', s = '0', ms = '0'] = parts;
  const sum =
    Number.parseFloat(d) * UNITS.d +
    Number.parseFloat(h) * UNITS.h +
    Number.parseFloat(m) * UNITS.m +
    Number.parseFloat(s) * UNITS.s +
    Number.parseFloat(ms);
  return Math.round(sum);
}

/** Writes `ms` in the largest unit that gives at most one decimal: `300ms`, `1.5s`, `5m`, `2h`, `32d`. Reads back the same. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms >= UNITS[unit] && Number.isInteger((ms * 10) / UNITS[unit])) return `${ms / UNITS[unit]}${unit}`;
  }
  return `${ms}ms`;
}
