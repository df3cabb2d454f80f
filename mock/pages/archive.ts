import type { WireResponse } from '../pipeline/wire.js';
import type { TaskPage } from './task-page.js';

/**
 * The downloads of a task as a ZIP: output.json, events.json, conversation.json. The same task gives the same bytes.
 */
export async function archive(task: TaskPage): Promise<WireResponse> {
  const { strToU8, zipSync } = await import('fflate');
  const { events, conversation, ...summary } = task;
  const file = (value: unknown) => strToU8(`${JSON.stringify(value, null, 2)}\n`);
  const files = {
    'output.json': file(summary),
    'events.json': file(events),
    'conversation.json': file(conversation),
  };
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${task.id}.zip"`,
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers, body: zipSync(files, { mtime: dateOf(task.created_at) }) };
}

/** ZIP stores local dates from 1980 on. The parts of the UTC date make the bytes the same in every time zone. */
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
