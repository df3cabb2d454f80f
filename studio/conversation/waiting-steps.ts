import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Wire } from '../../mock/admin/admin-request.js';
import type { WaitingStep } from '../../mock/control/views.js';
import type { HeldExchange } from '../../mock/network/pending-requests.js';
import { admin } from '../live/admin-client.js';
import { clocks, gates, readNow, rules, tasks, updatesByTask } from '../live/live-state.js';
import { serializeRuns } from '../live/serialize-runs.js';

/** What a task of the mock waits for. */
export interface Waiting {
  steps: readonly Wire<WaitingStep>[];
  held: readonly HeldExchange[];
}

/** Minimum time between two requests, ms. */
const INTERVAL_MS = 300;

/** Undefined until loaded. Give the component of each task its own `key`. */
export function useWaiting(id: string): Waiting | undefined {
  const [waiting, setWaiting] = useState<Waiting | undefined>(undefined);
  const load = useMemo(
    () =>
      serializeRuns(async () => {
        const { runs, held } = await admin.fetchRuns(id).catch(() => ({ runs: [], held: [] }));
        const steps = runs.flatMap(({ next, meanwhile }) => [...(next ? [next] : []), ...meanwhile]);
        setWaiting({ steps, held });
        return INTERVAL_MS;
      }),
    [id],
  );
  const organisation = tasks.value.get(id)?.organisation ?? '';
  // The stream reports every change that can release a step, except the passing of time.
  const news = updatesByTask.value.get(id);
  const [clock, gate, rule] = [clocks, gates, rules].map(({ value }) => value.get(organisation));
  const now = readNow(organisation) ?? 0;
  const isTimed = waiting?.steps.some(({ due = 0 }) => due > now);
  useEffect(load, [load, news, clock, gate, rule, isTimed ? now : undefined]);
  return waiting;
}
