import { useEffect, useState } from 'preact/hooks';
import { ReadExchange } from '../../conformance/conversation/read-exchange.js';
import type { Wire } from '../../mock/admin/admin-request.js';
import type { TaskView } from '../../mock/control/views.js';
import { toVisible } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { admin } from '../live/admin-client.js';
import { tasks } from '../live/live-state.js';
import { DocsLink } from '../parts/docs-link.js';

/** The reasons for a response: operation, scenario and steps, network rules, and notes of the mock. */
export function Why({ exchange, isLive }: { exchange: Exchange; isLive: boolean }) {
  const { operation, task, network = [], notes = [] } = exchange;
  const scenario = exchange.scenario ?? tasks.value.get(task ?? '')?.scenario ?? undefined;
  // Calls have steps only in a scenario.
  const calls = useCalls(exchange, isLive && scenario !== undefined);
  return (
    <div class="why">
      <h3>Why</h3>
      <ul>
        <li>
          {operation ? (
            <>
              handled as <code>{operation}</code>{' '}
              <DocsLink page="api-reference" anchor={operation} about={`the operation ${operation}`} />
            </>
          ) : (
            'no operation has this path and method'
          )}
        </li>
        {scenario && (
          <li>
            the task follows the scenario <code>{toVisible(scenario, 200)}</code>
          </li>
        )}
        {calls.map(({ id, tool, step }) => (
          <li key={id}>
            the call of <code>{toVisible(tool, 80)}</code> is step <code>{toVisible(step, 80)}</code>
          </li>
        ))}
        {network.map(({ verb, note }, index) => (
          <li key={index} class="effect">
            network{verb ? ` (${verb})` : ''}: {note}{' '}
            {verb && (
              <DocsLink page="scenario-reference" anchor={`network-${verb}`} about={`the fault ${verb}`} />
            )}
          </li>
        ))}
        {notes.map((note, index) => (
          <li key={index}>{toVisible(note, 500)}</li>
        ))}
      </ul>
    </div>
  );
}

type ScenarioCall = Wire<TaskView>['calls'][number] & { step: string };

/** Calls made by a step that the response lists or the request replies to. */
function useCalls(exchange: Exchange, hasSteps: boolean): readonly ScenarioCall[] {
  const [calls, setCalls] = useState<readonly ScenarioCall[]>([]);
  useEffect(() => {
    const { task } = exchange;
    const { events, reply } = new ReadExchange(exchange);
    const ids = new Set([...events.map(({ id }) => id), reply?.id]);
    if (!hasSteps || task === undefined || ids.size === 1) return;
    admin.fetchTask(task).then(
      ({ calls: all }) =>
        setCalls(all.filter((each): each is ScenarioCall => ids.has(each.id) && each.step !== undefined)),
      // The task may have been removed.
      () => {},
    );
  }, [exchange, hasSteps]);
  return calls;
}
