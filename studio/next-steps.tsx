import { useEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../spec/visible.js';
import { admin, type RunView } from './live/admin-client.js';
import { clocks, gates, newsOfTask, nowOf, tasks } from './live/live-state.js';

/** Steps that are shown; of more, the number. */
const MOST_SHOWN = 4;
/** The state of the task is asked for so often at most, ms. */
const EVERY_MS = 300;

/** What the timelines of the task wait for. */
export function NextSteps({ id }: { id: string }) {
  const runs = useRuns(id);
  const task = tasks.value.get(id);
  if (!task || !runs) return <div class="next" role="status" />;
  const isOver = task.status !== 'running' && task.status !== 'waiting';
  const steps = runs.flatMap(({ next, meanwhile }) => [...(next ? [next] : []), ...meanwhile]);
  // The others wait until a timeline before theirs is done.
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
          <strong>next:</strong> <code>{visible(step, 120)}</code>{' '}
          {`waits for ${visible(waitsFor.join(' and '), 160)}`}
        </span>
      ))}
      {closed.map((gate) => (
        <button
          key={gate}
          type="button"
          class="small"
          onClick={() => admin.openGate(task.organisation, gate)}
        >
          Open {visible(gate)}
        </button>
      ))}
      {left > 0 && <span class="soft">{left === 1 ? 'one more step' : `${left} more steps`} after that</span>}
    </div>
  );
}

/** The timelines of a task, kept up to date; undefined until they are known. */
function useRuns(id: string): readonly RunView[] | undefined {
  const [state, setState] = useState<{ id: string; runs: readonly RunView[] } | undefined>(undefined);
  const asked = useRef(0);
  const news = newsOfTask.value.get(id) ?? 0;
  const task = tasks.value.get(id);
  const organisation = task?.organisation ?? '';
  const due = clocks.value.get(organisation)?.next_due;
  const seconds = Math.floor((nowOf(organisation) ?? 0) / 1000);
  // What is waited for changes with each of them.
  useEffect(() => {
    let isGone = false;
    const ask = async () => {
      asked.current = Date.now();
      const runs = await admin.task(id).then(
        (view) => view.runs ?? [],
        () => [],
      );
      if (!isGone) setState({ id, runs });
    };
    const timer = setTimeout(ask, Math.max(0, asked.current + EVERY_MS - Date.now()));
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [id, news, task?.status, due, seconds]);
  return state?.id === id ? state.runs : undefined;
}
