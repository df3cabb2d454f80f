import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Wire } from '../../../mock/admin/admin-request.js';
import type { DueWork, DueWorkView } from '../../../mock/control/due-work.js';
import { admin } from '../../live/admin-client.js';
import { clocks, gates, tasks } from '../../live/live-state.js';
import { serializeRuns } from '../../live/serialize-runs.js';

/** Minimum time between two requests, ms. */
const INTERVAL_MS = 500;

export type DueViews = readonly Wire<DueWorkView>[];

/** What is due in an organisation, or in all. */
export function useDueWork(organisation: string | undefined): DueViews {
  const [views, setViews] = useState<DueViews>([]);
  const load = useMemo(
    () =>
      serializeRuns(async () => {
        setViews(await admin.fetchDueWork(organisation).catch((): DueViews => []));
        return INTERVAL_MS;
      }),
    [organisation],
  );
  // What is due changes with the time, with a task, and with a gate.
  useEffect(load, [load, clocks.value, tasks.value, gates.value]);
  return views;
}

/** A movement of the clock, in the form of the admin API. */
export type Move = { advance: number } | { to: 'next' };

/** The time-outs that a movement reaches: each clock moves on its own. */
export function listEndedTasks(views: DueViews, move: Move): DueWork[] {
  return views.flatMap(({ now, due, timeouts }) => {
    const target = 'advance' in move ? now + move.advance : (due[0]?.at ?? now);
    return timeouts.filter(({ at }) => at <= target);
  });
}

/** What is due in the shown organisations, in the order in which it happens. `left`: time from now, ms. */
export function listDueWork(views: DueViews): (DueWork & { left: number })[] {
  return views
    .flatMap(({ now, due }) => due.map((each) => ({ ...each, left: Math.max(0, each.at - now) })))
    .sort((one, other) => one.left - other.left);
}
