import { field } from '../../rules/body.js';
import type { Played } from '../player-types.js';
import type { Probing } from '../probe.js';
import type { Answer } from '../talk.js';
import { creationOf, serviceTime } from './beginning.js';
import { listIn, observe } from './observe.js';

/** Two tasks made so far apart are made in different seconds with one between them, ms. */
export const APART_MS = 2100;
/** The largest list there is. Section "Limits". */
const MOST = 128;

/** `task.created-at`, `task.list-order` and `task.list-t`, by two tasks made `APART_MS` apart. */
export async function observeLists(t: Probing, older: Played, newer: Played): Promise<Answer> {
  const list = await t.send('listTasks', { query: { l: MOST } });
  const first = placeOf(list, older);
  const second = placeOf(list, newer);
  if (first >= 0 && second >= 0) {
    observe(t, 'task.list-order', second < first ? 'newest-first' : 'oldest-first', list);
  }
  const creation = creationOf(listIn(list)[first]) ?? creationOf(older.created.r);
  observe(t, 'task.created-at', creation?.unit, list);
  const ms = serviceTime(older.created);
  const between = { seconds: Math.floor(ms / 1000) + 1, milliseconds: Math.floor(ms + APART_MS / 2) };
  if (creation?.unit === 'seconds') between.seconds = creation.time! + 1;
  if (creation?.unit === 'milliseconds') between.milliseconds = Math.floor(creation.time! + APART_MS / 2);
  // A task that does not tell its unit takes either; in the wrong one both tasks are on the same side.
  const units = creation?.unit === 'milliseconds' ? (['milliseconds', 'seconds'] as const) : UNITS;
  for (const unit of units) {
    const some = await t.send('listTasks', { query: { t: between[unit], l: MOST } });
    const has = [placeOf(some, older) >= 0, placeOf(some, newer) >= 0];
    if (!some.ok || has[0] === has[1]) continue;
    observe(t, 'task.list-t', has[0] ? 'created-before' : 'created-after', list, some);
    break;
  }
  return list;
}

const UNITS = ['seconds', 'milliseconds'] as const;

export function placeOf(list: Answer, { id }: Played): number {
  return listIn(list).findIndex((each) => field(each, 'id') === id);
}
