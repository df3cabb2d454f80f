import { useEffect, useState } from 'preact/hooks';
import type { QueueView } from '../../../mock/control/scenario-queue.js';
import { toVisible } from '../../../spec/visible.js';
import { admin } from '../../live/admin-client.js';
import { clocks, tasks } from '../../live/live-state.js';
import { formatKeyName } from '../../parts/key-name.js';
import { Button, Group, outcome, perform } from '../control-parts.js';
import { ScenarioBrowser } from './scenario-browser.js';

const REFRESH_MS = 2000;

/** The queue of the next tasks, and the browser that adds to it. */
export function NextScenario({ organisation }: { organisation: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const queues = useQueues(organisation);
  return (
    <Group title="Scenario of the next task" docs={['build-a-client', 'choose-what-happens']}>
      {queues.map((queue) => (
        <Queue key={queue.organisation} queue={queue} />
      ))}
      <div class="line">
        <Button label="Choose a scenario …" onClick={() => setOpen(true)} />
      </div>
      {isOpen && <ScenarioBrowser organisation={organisation} onClose={() => setOpen(false)} />}
    </Group>
  );
}

/** The queues that are not empty. */
function useQueues(organisation: string | undefined): QueueView[] {
  const [queues, setQueues] = useState<QueueView[]>([]);
  const load = () =>
    admin.fetchQueues(organisation).then(
      (all) => setQueues(all.filter(({ queued }) => queued.length > 0)),
      () => {},
    );
  // A new task takes the first scenario of its queue; `outcome` changes with each control.
  useEffect(() => void load(), [organisation, tasks.value.size, clocks.value.size, outcome.value]);
  // Tests fill the queues too, and the stream does not report it.
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && void load(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [organisation]);
  return queues;
}

function Queue({ queue: { organisation, queued } }: { queue: QueueView }) {
  const remove = (name: string) =>
    perform(
      `removed ${name} from the queue`,
      // The queue of later organisations cannot be selected alone.
      admin.removeQueued(organisation ?? undefined, name),
    );
  return (
    <div class="queue">
      <span class="soft">{organisation === null ? 'each later key' : formatKeyName(organisation)}:</span>
      {queued.map((name, index) => (
        <button
          key={`${index} ${name}`}
          type="button"
          class="small chip"
          aria-label={`Remove ${name} from the queue`}
          onClick={() => remove(name)}
        >
          {toVisible(name, 60)} ✕
        </button>
      ))}
    </div>
  );
}
