import type { DialectChoices } from '../../../spec/generated/documents.js';
import { isActive } from '../../../spec/vocabulary.js';
import { readField, toFields } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import {
  findListed,
  LONGEST_LIST,
  readEvents,
  readStatus,
  readTaskId,
  type TaskHandle,
} from '../test-case/read-task.js';
import type { TestContext } from '../test-case/test-context.js';
import { listResults } from './events.js';
import { createGoto, type Observation, observeStatus, readRecord, readText } from './observe.js';

/** Distance between two task creations, ms: there is at least one full second between them. */
const APART_MS = 2100;
/** How long to wait for a late live address, ms. */
const LATE_MS = 15_000;
/** A lower time can only be in seconds (year 5138), a higher one only in ms (1973 or later). */
const SECONDS_BELOW = 100_000_000_000;
/** A poll without news of this duration is a long poll, ms; longer for a slow service. */
const HELD_MS = 1000;
const TIMES_AS_LONG = 5;

export const newSessions: Observation = {
  id: 'polling/point-new-sessions',
  title: 'How new sessions appear, are listed and are polled without news',
  parts: ['sessions'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'listTasks', 'deleteTask', 'deleteTaskData'],
  tasks: 2,
  async run(t) {
    const older = await t.createTask({ task: null });
    const begun = t.now();
    await observeStart(t, older);
    await t.sleep(Math.max(0, APART_MS - (t.now() - begun)));
    const newer = await createWithUnknownField(t);
    await observeLists(t, older, newer);
    await t.pollUntil(newer, ({ status }) => status === 'running');
    await observeStatus(t, 'task.delete-data-active', { task_id: newer.id });
    await observeStop(t, older);
  },
};

/** `task.first-status` and `task.live-url-first`, from the response to a new session; waits until it runs. */
async function observeStart(t: TestContext, session: TaskHandle): Promise<void> {
  const { created } = session;
  const status = readRecord(created)?.status;
  if (status === 'running' || status === 'waiting') t.observe('task.first-status', status);
  await t.pollUntil(session, () => session.status === 'running');
  if (session.status !== 'running') t.inconclusive('a new session does not run');
  if (readText(created, 'live_url') !== undefined) return t.observe('task.live-url-first', 'at-once');
  if (!hasLiveUrl(session)) await waitForLiveUrl(t, session);
  if (hasLiveUrl(session)) t.observe('task.live-url-first', 'late');
}

function hasLiveUrl({ last }: TaskHandle): boolean {
  return readText(last, 'live_url') !== undefined;
}

/** Creates events for the polls, since a long poll waits for events: a new address alone is none. */
async function waitForLiveUrl(t: TestContext, session: TaskHandle): Promise<void> {
  const until = t.now() + LATE_MS;
  const { id, response } = await t.act(session, ...createGoto(t));
  const hasResult = () => listResults(session.events, id).length > 0;
  if (response.ok) await t.pollUntil(session, () => hasLiveUrl(session) || hasResult(), LATE_MS);
  while (!hasLiveUrl(session) && t.now() < until) {
    await t.sleep(2 * t.settings.pollIntervalMs);
    await t.poll(session, 0);
  }
}

/** `task.unknown-fields`: a session with such a field, or else one without it. */
async function createWithUnknownField(t: TestContext): Promise<TaskHandle> {
  const response = await observeStatus(t, 'task.unknown-fields');
  const id = readTaskId(response);
  return id === undefined ? t.createTask({ task: null }) : t.adoptTask(response, id);
}

/** `task.created-at`, `task.list-order` and `task.list-t`, with two tasks created `APART_MS` apart. */
async function observeLists(t: TestContext, older: TaskHandle, newer: TaskHandle): Promise<void> {
  const list = await t.send('listTasks', { query: { l: LONGEST_LIST } });
  const records = [findListed(list, older.id), findListed(list, newer.id)];
  if (!records.includes(undefined)) {
    const [first, second] = records.map((record) => (list.r as unknown[]).indexOf(record));
    t.observe('task.list-order', second! < first! ? 'newest-first' : 'oldest-first');
  }
  const creation = readCreation(records[0]) ?? readCreation(older.created.r);
  t.observe('task.created-at', creation?.unit);
  for (const time of listTimesBetween(creation, older.created)) {
    const some = await t.send('listTasks', { query: { t: time, l: LONGEST_LIST } });
    const [hasOlder, hasNewer] = [older, newer].map(({ id }) => findListed(some, id) !== undefined);
    if (!some.ok || hasOlder === hasNewer) continue;
    return t.observe('task.list-t', hasOlder ? 'created-before' : 'created-after');
  }
}

/** The creation time in the record of a task, with its unit; undefined if it is not one. */
function readCreation(
  record: unknown,
): { unit: DialectChoices['task.created-at']; time: number } | undefined {
  if (toFields(record) === undefined) return undefined;
  const time = readField(record, 'created_at') ?? undefined;
  if (time === undefined) return { unit: 'absent', time: 0 };
  if (typeof time !== 'number' || !(time > 0)) return undefined;
  return { unit: time < SECONDS_BELOW ? 'seconds' : 'milliseconds', time };
}

/**
 * Values of `t` that may separate the two tasks. If the unit is unknown, both are tried; in the wrong unit both tasks are on the
 * same side. `created`: the response to the creation of the older task.
 */
function listTimesBetween(creation: ReturnType<typeof readCreation>, { headers, at }: ApiResponse): number[] {
  // By the clock of the service, if the response has a date.
  const created = Date.parse(headers.date ?? '') || at;
  const seconds = Math.floor(created / 1000) + 1;
  const milliseconds = Math.floor(created + APART_MS / 2);
  const { unit, time = 0 } = creation ?? {};
  // The two times may be consecutive integers: then `t` is one of them.
  if (unit === 'seconds') return [time + 1, time, milliseconds];
  if (unit === 'milliseconds') return [Math.floor(time + APART_MS / 2), seconds];
  return [seconds, milliseconds];
}

/** `poll.long-poll`, `poll.events-when-empty` and `empty-body.shape`: a poll without news, then the end of the session. */
async function observeStop(t: TestContext, session: TaskHandle): Promise<void> {
  const before = t.now();
  await t.send('listTasks', { query: { l: 1 } });
  const limitMs = Math.max(HELD_MS, TIMES_AS_LONG * (t.now() - before));
  let isPending = true;
  const poll = t.poll(session);
  const settled = poll.finally(() => {
    isPending = false;
  });
  await Promise.race([settled.catch(() => {}), t.sleep(limitMs)]);
  // On a stalled service, this request waits as well.
  if (isPending) await t.send('listTasks', { query: { l: 1 } });
  const wasHeld = isPending;
  const stopped = await t.cancel(session);
  const response = await poll;
  if (readEvents(response).length === 0) {
    t.observe('poll.events-when-empty', classifyEmptyEvents(response));
    const isNews = !isActive(readStatus(response) ?? 'running');
    if (wasHeld === isNews) t.observe('poll.long-poll', wasHeld ? 'on' : 'off');
  }
  if (stopped.ok) t.observe('empty-body.shape', BODIES[JSON.stringify(stopped.body)]);
}

/** The value of `events` in a response without events. */
function classifyEmptyEvents(response: ApiResponse): DialectChoices['poll.events-when-empty'] | undefined {
  const events = readField(response.r, 'events');
  if (events === undefined) return 'absent';
  if (events === null) return 'null';
  return Array.isArray(events) && events.length === 0 ? 'empty-array' : undefined;
}

const BODIES: Readonly<Record<string, DialectChoices['empty-body.shape']>> = {
  '{"r":true}': 'r-true',
  '{}': 'empty-object',
  null: 'null',
};
