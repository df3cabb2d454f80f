import type { DialectChoices } from '../../../spec/generated/documents.js';
import { asFields, field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import type { TaskHandle } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { observe, recordOf, textIn } from './observe.js';
import { resultsOf } from './results.js';
import { goto, sendNew } from './task.js';

/** Smaller than this, a time can only be in seconds (the year 5138); larger, only in ms (from 1973 on). */
const SECONDS_BELOW = 100_000_000_000;
/** A live address that is late is waited for so long, ms. */
const LATE_MS = 15_000;

/** `task.first-status` and `task.live-url-first`, by the answer to a new session; waits until it runs. */
export async function observeBeginning(t: TestContext, session: TaskHandle): Promise<void> {
  const { created } = session;
  const status = recordOf(created)?.status;
  if (status === 'running' || status === 'waiting') observe(t, 'task.first-status', status, created);
  if (status !== 'running') await t.pollUntil(session, (task) => task.status === 'running');
  if (session.status !== 'running')
    t.inconclusive(`a new session is ${session.status || 'without a status'}`);
  if (textIn(created, 'live_url') !== undefined) {
    observe(t, 'task.live-url-first', 'at-once', created);
    return;
  }
  if (!hasAddress(session)) await waitForAddress(t, session);
  if (hasAddress(session)) observe(t, 'task.live-url-first', 'late', created, session.last);
}

function hasAddress({ last }: TaskHandle): boolean {
  return textIn(last, 'live_url') !== undefined;
}

/** Polls that have something to tell, as a service may hold the others: the address alone is no news. */
async function waitForAddress(t: TestContext, session: TaskHandle): Promise<void> {
  const { pollIntervalMs } = t.settings;
  const until = t.now() + LATE_MS;
  const { id, answer } = await sendNew(t, session, goto(t));
  const hasResult = () => resultsOf(session.events, id).length > 0;
  if (answer.ok) await t.pollUntil(session, () => hasAddress(session) || hasResult(), LATE_MS);
  while (!hasAddress(session) && t.now() < until) {
    await t.sleep(2 * pollIntervalMs);
    await t.poll(session, 0);
  }
}

/** When a task was created as it tells it itself, and in which unit. */
export interface Creation {
  unit: DialectChoices['task.created-at'];
  time: number | undefined;
}

/** `task.created-at` of a task as a list or an answer shows it; undefined where it shows something else. */
export function creationOf(record: unknown): Creation | undefined {
  if (asFields(record) === undefined) return undefined;
  const time = field(record, 'created_at');
  if (time === undefined || time === null) return { unit: 'absent', time: undefined };
  if (typeof time !== 'number' || !(time > 0)) return undefined;
  return { unit: time < SECONDS_BELOW ? 'seconds' : 'milliseconds', time };
}

/** When the service made an answer, ms: by its own clock where it tells. */
export function serviceTime({ headers, at }: ApiResponse): number {
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) ? at : date;
}
