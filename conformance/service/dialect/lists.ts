import { field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import type { TaskHandle } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { type Creation, creationOf, serviceTime } from './beginning.js';
import { listIn, observe } from './observe.js';

/** Two tasks made so far apart are made in different seconds with one between them, ms. */
export const APART_MS = 2100;
/** The largest list there is. Section "Limits". */
export const MOST = 128;

/** `task.created-at`, `task.list-order` and `task.list-t`, by two tasks made `APART_MS` apart. */
export async function observeLists(
  t: TestContext,
  older: TaskHandle,
  newer: TaskHandle,
): Promise<ApiResponse> {
  const list = await t.send('listTasks', { query: { l: MOST } });
  const first = placeOf(list, older);
  const second = placeOf(list, newer);
  if (first >= 0 && second >= 0) {
    observe(t, 'task.list-order', second < first ? 'newest-first' : 'oldest-first', list);
  }
  const creation = creationOf(listIn(list)[first]) ?? creationOf(older.created.r);
  observe(t, 'task.created-at', creation?.unit, list);
  for (const time of timesBetween(creation, serviceTime(older.created))) {
    const some = await t.send('listTasks', { query: { t: time, l: MOST } });
    const has = [placeOf(some, older) >= 0, placeOf(some, newer) >= 0];
    if (!some.ok || has[0] === has[1]) continue;
    observe(t, 'task.list-t', has[0] ? 'created-before' : 'created-after', list, some);
    break;
  }
  return list;
}

/**
 * Values of `t` that may select one of the two tasks alone. A service that does not show its unit takes either; in the
 * wrong one both tasks are on the same side. `created`: when the older task was made, ms.
 */
function timesBetween(creation: Creation | undefined, created: number): number[] {
  const seconds = Math.floor(created / 1000) + 1;
  const milliseconds = Math.floor(created + APART_MS / 2);
  const { unit, time = 0 } = creation ?? {};
  // The two may be as close as two integers can be: then `t` is the one or the other.
  if (unit === 'seconds') return [time + 1, time, milliseconds];
  if (unit === 'milliseconds') return [Math.floor(time + APART_MS / 2), seconds];
  return [seconds, milliseconds];
}

export function placeOf(list: ApiResponse, { id }: TaskHandle): number {
  return listIn(list).findIndex((each) => field(each, 'id') === id);
}
