import type { DialectChoices } from '../../../spec/generated/documents.js';
import { asFields, field } from '../../rules/body.js';
import type { Played } from '../player-types.js';
import type { Probing } from '../probe.js';
import type { Answer } from '../talk.js';
import { observe, recordOf, textIn } from './observe.js';

/** Smaller than this, a time can only be in seconds (the year 5138); larger, only in ms (from 1973 on). */
const SECONDS_BELOW = 100_000_000_000;
/** A live address that is late is waited for so long, ms. */
const LATE_MS = 15_000;

/** `task.first-status` and `task.live-url-first`, by the answer to a new session; waits until it runs. */
export async function observeBeginning(t: Probing, session: Played): Promise<void> {
  const { created } = session;
  const status = recordOf(created)?.status;
  if (status === 'running' || status === 'waiting') observe(t, 'task.first-status', status, created);
  const hasAddress = ({ last }: Played) => textIn(last, 'live_url') !== undefined;
  if (status !== 'running') await t.player.pollUntil(session, (task) => task.status === 'running');
  if (session.status !== 'running')
    t.inconclusive(`a new session is ${session.status || 'without a status'}`);
  if (textIn(created, 'live_url') !== undefined) {
    observe(t, 'task.live-url-first', 'at-once', created);
    return;
  }
  if (!hasAddress(session)) await t.player.pollUntil(session, hasAddress, LATE_MS);
  if (hasAddress(session)) observe(t, 'task.live-url-first', 'late', created, session.last);
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
export function serviceTime({ headers, at }: Answer): number {
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) ? at : date;
}
