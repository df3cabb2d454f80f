import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Wire } from '../mock/admin/admin-request.js';
import type { RunView, WaitingStep } from '../mock/control/views.js';
import { toVisible } from '../spec/visible.js';
import { isActive } from '../spec/vocabulary.js';
import { admin } from './live/admin-client.js';
import { clocks, gates, readNow, rules, tasks, updatesByTask } from './live/live-state.js';
import { serializeRuns } from './live/serialize-runs.js';

/** Steps that are shown; of further steps only the number. */
const MOST_SHOWN = 4;
/** Minimum time between two requests, ms. */
const INTERVAL_MS = 300;

/** What the timelines of the task wait for. Give each task its own `key`. */
export function NextSteps({ id }: { id: string }) {
  const steps = useWaitingSteps(id);
  const task = tasks.value.get(id);
  if (!task || !steps) return <div class="next" role="status" />;
  const isOver = !isActive(task.status);
  // Steps without a condition wait for an earlier timeline.
  const shown = steps.filter(({ waits_for: waitsFor }) => waitsFor.length > 0).slice(0, MOST_SHOWN);
  const left = steps.length - shown.length;
  const waiting = gates.value.get(task.organisation)?.waiting ?? [];
  const closed = [...new Set(waiting.filter((each) => each.task === id).map(({ gate }) => gate))];
  return (
    <div class="next" role="status">
      {isOver && <span class={`status ${task.status}`}>The task is {task.status}.</span>}
      {!isOver && steps.length === 0 && <span class="soft">The agent has nothing planned.</span>}
      {shown.map(({ step, waits_for: waitsFor }, index) => (
        <span key={index}>
          <strong>next:</strong> <code>{toVisible(step, 120)}</code>{' '}
          {`waits for ${toVisible(waitsFor.join(' and '), 160)}`}
        </span>
      ))}
      {closed.map((gate) => (
        <button
          key={gate}
          type="button"
          class="small"
          onClick={() => admin.openGate(task.organisation, gate)}
        >
          Open {toVisible(gate)}
        </button>
      ))}
      {left > 0 && <span class="soft">{left === 1 ? 'one more step' : `${left} more steps`} after that</span>}
    </div>
  );
}

/** The waiting steps of a task; undefined until loaded. */
function useWaitingSteps(id: string): readonly Wire<WaitingStep>[] | undefined {
  const [steps, setSteps] = useState<readonly Wire<WaitingStep>[] | undefined>(undefined);
  const loadSteps = useMemo(
    () =>
      serializeRuns(async () => {
        const runs = await admin.fetchRuns(id).catch((): Wire<RunView>[] => []);
        setSteps(runs.flatMap(({ next, meanwhile }) => [...(next ? [next] : []), ...meanwhile]));
        return INTERVAL_MS;
      }),
    [id],
  );
  const organisation = tasks.value.get(id)?.organisation ?? '';
  // The stream reports every change that can release a step, except the passing of time.
  const news = updatesByTask.value.get(id);
  const [clock, gate, rule] = [clocks, gates, rules].map(({ value }) => value.get(organisation));
  const now = readNow(organisation) ?? 0;
  const isTimed = steps?.some(({ due = 0 }) => due > now);
  useEffect(loadSteps, [loadSteps, news, clock, gate, rule, isTimed ? now : undefined]);
  return steps;
}
