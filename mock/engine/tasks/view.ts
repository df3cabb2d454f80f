import { isTerminal, TASK_STATUSES, type TaskStatus } from '../../../spec/vocabulary.js';
import { settle } from './lifecycle.js';
import type { AddressField, Task } from './task.js';

/** Some clients read `b` (base64url) and expect an address of a live browser in it. */
const BROWSER = btoa('https://browser-live.taskdouble.invalid/').replace(/=+$/, '');

/** An address of a task as clients see it: null means not ready yet, "" means not available. */
export function readAddress(task: Task, field: AddressField): string | null {
  const value = task[field];
  return value === 'auto' ? formatOwnAddress(task, field) : value;
}

function formatOwnAddress({ organisation, id }: Task, field: AddressField): string {
  const origin = organisation.setup.getOrigin();
  if (field === 'recording_url') return `${origin}/recordings/${id}`;
  if (field === 'downloads_url') return `${origin}/downloads/${id}.zip`;
  return `${origin}/live/${id}?b=${BROWSER}`;
}

/**
 * Formats a task as JSON, field by field: this is the most frequent response, and JSON.stringify takes
 * several times as long. `events` is JSON; undefined omits the field. Section "Task"; additional fields are
 * choices.
 */
export function formatTask(
  task: Task,
  events: string | undefined,
  downloads = formatAddress(task, 'downloads_url'),
): string {
  const { device } = task.request;
  const hasCreation = task.organisation.dialect['task.created-at'] !== 'absent';
  const output =
    task.output === null || task.output === undefined ? 'null' : (JSON.stringify(task.output) ?? 'null');
  // Joined, not concatenated: the journal should keep one flat text, not a tree of its parts.
  return [
    `{"id":"`,
    task.id,
    STATUS_TEXTS[task.status],
    output,
    ',"live_url":',
    formatAddress(task, 'live_url'),
    ',"recording_url":',
    formatAddress(task, 'recording_url'),
    ',"credits_used":',
    task.credits_used ?? 'null',
    ',"device":',
    typeof device === 'string' ? JSON.stringify(device) : '"desktop"',
    ',"downloads_url":',
    downloads,
    ',"created_at":',
    hasCreation ? task.shown_created_at : 'null',
    events === undefined ? '}' : `,"events":${events}}`,
  ].join('');
}

export function addEnvelope(text: string): string {
  return ['{"r":', text, '}'].join('');
}

const STATUS_TEXTS = Object.fromEntries(
  TASK_STATUSES.map((status) => [status, `","status":"${status}","output":`]),
) as Record<TaskStatus, string>;

/** The JSON of an address. Addresses on the mock contain no character that JSON escapes. */
function formatAddress(task: Task, field: AddressField): string {
  const value = task[field];
  if (value === null) return 'null';
  return value === 'auto' ? `"${formatOwnAddress(task, field)}"` : JSON.stringify(value);
}

/**
 * The response to a poll as JSON text, cached while nothing changes: most polls return nothing new. `shown`
 * is the largest timestamp among its events, 0 without any.
 */
export function formatPollResponse(
  task: Task,
  event_t: number,
  downloads: boolean,
): { text: string; shown: number } {
  dropOldEvents(task);
  settle(task);
  const cached = task.response;
  if (
    cached &&
    cached.version === task.version &&
    cached.event_t === event_t &&
    cached.downloads === downloads
  )
    return cached;
  const events = task.log.listAfter(event_t);
  const empty = events.length === 0 ? task.organisation.dialect['poll.events-when-empty'] : undefined;
  const list = empty === 'absent' ? undefined : empty === 'null' ? 'null' : JSON.stringify(events);
  let shown = 0;
  for (const event of events) if (event.timestamp > shown) shown = event.timestamp;
  const response = {
    version: task.version,
    event_t,
    downloads,
    text: addEnvelope(formatTask(task, list, downloads ? JSON.stringify(readDownloadsUrl(task)) : undefined)),
    shown,
  };
  // Long responses are read once and would only fill memory.
  task.response = response.text.length <= LONGEST_KEPT ? response : null;
  return response;
}

/** Dialect `event.retention`, ms; 0 keeps events as long as the task. */
function dropOldEvents(task: Task): void {
  const retention = task.organisation.dialect['event.retention'] as number;
  if (retention > 0 && task.log.dropUntil(task.organisation.now - retention)) task.version++;
}

const LONGEST_KEPT = 4096;

/** For `downloads=true` on a finished task; null means "not ready yet". */
function readDownloadsUrl(task: Task): string | null {
  if (task.downloads_url !== null) return readAddress(task, 'downloads_url');
  return isTerminal(task.status) ? formatOwnAddress(task, 'downloads_url') : null;
}

/** Why its scenario does not fit its request; undefined if it fits. */
export function describeMisfits({ misfits }: Pick<Task, 'misfits'>): string | undefined {
  const all = misfits?.map(({ message }) => message).join(' Also, ');
  return all && `does not fit the request: ${all}`;
}
