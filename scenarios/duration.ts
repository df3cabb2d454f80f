const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/**
 * Reads `300ms`, `2s`, `1.5s`, `5m`, `1h` or a number of ms, and gives ms, rounded to a whole number. Undefined when
 * it is none of these, or negative, or not finite.
 */
export function parseDuration(written: unknown): number | undefined {
  if (typeof written === 'number') {
    return Number.isFinite(written) && written >= 0 ? Math.round(written) : undefined;
  }
  if (typeof written !== 'string') return undefined;
  const parts = DURATION.exec(written.trim());
  if (!parts) return undefined;
  return Math.round(Number(parts[1]) * UNITS[parts[2] as keyof typeof UNITS]);
}

/** Writes `ms` in the largest unit that gives at most one decimal: `300ms`, `1.5s`, `5m`, `2h`. Reads back the same. */
export function formatDuration(ms: number): string {
  for (const unit of ['h', 'm', 's'] as const) {
    if (ms >= UNITS[unit] && Number.isInteger((ms * 10) / UNITS[unit])) return `${ms / UNITS[unit]}${unit}`;
  }
  return `${ms}ms`;
}
