import { signal } from '@preact/signals';
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

const STORED_ZONE = 'taskdouble-time-zone';

/** The zone of every time on the page. */
export const timeZone = signal<'UTC' | 'local'>(readStoredZone());

function readStoredZone(): 'UTC' | 'local' {
  try {
    return localStorage.getItem(STORED_ZONE) === 'local' ? 'local' : 'UTC';
  } catch {
    // A page from a file may have no storage.
    return 'UTC';
  }
}

export function chooseTimeZone(zone: 'UTC' | 'local'): void {
  timeZone.value = zone;
  try {
    localStorage.setItem(STORED_ZONE, zone);
  } catch {
    // The choice lasts until the page is closed.
  }
}

/** `2026-01-01 12:36:18.123` in the zone of the page, from ms. */
function formatInstant(ms: number): string {
  const offset = timeZone.value === 'local' ? new Date(ms).getTimezoneOffset() * 60_000 : 0;
  return new Date(ms - offset).toISOString().slice(0, 23).replace('T', ' ');
}

/** `UTC`, `UTC+02:00`: the zone of a time, from ms. */
export function formatZone(ms: number): string {
  const minutes = timeZone.value === 'local' ? -new Date(ms).getTimezoneOffset() : 0;
  if (minutes === 0) return 'UTC';
  const pad = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `UTC${minutes < 0 ? '-' : '+'}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`;
}

/** `2026-01-01 12:36:18 UTC`, from ms. */
export function formatDate(ms: number): string {
  return `${formatInstant(ms).slice(0, 19)} ${formatZone(ms)}`;
}

/** `12:36:18.123` in the zone of the page, from ms. Show the zone beside it: `formatZone`. */
export function formatTimeOfDay(ms: number): string {
  return formatInstant(ms).slice(11);
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
