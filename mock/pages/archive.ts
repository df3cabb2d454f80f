import type { TaskPage } from './task-page.js';

/**
 * The downloads of a task as a ZIP: output.json, events.json, conversation.json. The same task gives the same bytes.
 * The library is loaded with the first one.
 */
export async function archive(task: TaskPage): Promise<Uint8Array> {
  const { strToU8, zipSync } = await import('fflate');
  const { events, conversation, ...summary } = task;
  const file = (value: unknown) => strToU8(`${JSON.stringify(value, null, 2)}\n`);
  const files = {
    'output.json': file(summary),
    'events.json': file(events),
    'conversation.json': file(conversation),
  };
  return zipSync(files, { mtime: dateOf(task.created_at) });
}

/** ZIP keeps the parts of a local date, from 1980 on: these are those of UTC, so that the bytes are the same everywhere. */
function dateOf(ms: number): Date {
  const date = new Date(Math.min(Math.max(ms, Date.UTC(1981, 0)), Date.UTC(2098, 0)));
  return new Date(
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  );
}
