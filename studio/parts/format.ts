import { toVisible } from '../../spec/visible.js';

/** JSON in one line, truncated. */
export function formatInline(value: unknown, most = 80): string {
  if (value === undefined) return '';
  try {
    return toVisible(JSON.stringify(value) ?? '', most);
  } catch {
    return '…';
  }
}

/** `+1.20 s`, `+2 min 5 s`: a time after the start, from ms. */
export function formatOffset(ms: number): string {
  return `+${formatDuration(Math.max(0, ms))}`;
}

/** `340 ms`, `1.20 s`, `2 min 5 s`, `3 h 4 min`, from ms. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
  return `${Math.floor(ms / 86_400_000)} d`;
}

/** `12:36:18.123` in UTC, from ms. */
export function formatTimeOfDay(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

/** `1.2 kB` of a number of characters or bytes. */
export function formatSize(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

/** `1 check`, `2 checks`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
