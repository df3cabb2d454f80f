import { toVisible } from '../../spec/visible.js';
import { tasks } from '../live/live-state.js';
import { selectedTask } from '../selection.js';
import { ClockControl } from './clock-control.js';
import { outcome } from './control-parts.js';
import { Faults } from './faults.js';
import { Gates } from './gates.js';
import { NextScenario } from './next-scenario.js';
import { State } from './state-control.js';
import { TaskControl } from './task-control.js';

/** Undefined: all organisations. */
function findOrganisation(): string | undefined {
  return tasks.value.get(selectedTask.value ?? '')?.organisation;
}

export function Controls({ target }: { target: 'mock' | 'proxy' }) {
  const organisation = findOrganisation();
  return (
    <section class="controls" aria-label="Controls">
      <p class="scope soft" role="status">
        {organisation === undefined ? 'For all organisations' : `For ${organisation}, of the selected task`}
        {outcome.value && (
          <span class={outcome.value.isError ? 'bad' : 'good'}> · {toVisible(outcome.value.text, 300)}</span>
        )}
      </p>
      <Faults organisation={organisation} />
      {target === 'mock' && <ClockControl organisation={organisation} />}
      <Gates organisation={organisation} />
      {target === 'mock' && <NextScenario organisation={organisation} />}
      {target === 'mock' && <TaskControl />}
      <State target={target} />
    </section>
  );
}
