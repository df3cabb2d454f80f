import { toVisible } from '../../spec/visible.js';
import { tasks } from '../live/live-state.js';
import { formatKeyName } from '../parts/key-name.js';
import { selectedTask } from '../selection.js';
import { ClockControl } from './clock/clock-control.js';
import { outcome } from './control-parts.js';
import { Faults } from './faults/faults.js';
import { Gates } from './gates.js';
import { NextScenario } from './scenarios/next-scenario.js';
import { StateControl } from './state-control.js';
import { TaskControl } from './task-control.js';
import './controls.css';

export function Controls({ target }: { target: 'mock' | 'proxy' }) {
  const task = selectedTask.value;
  // Of the selected task; undefined means all organisations.
  const organisation = tasks.value.get(task ?? '')?.organisation;
  return (
    <section class="controls" aria-label="Controls">
      <p class="scope soft" role="status">
        {organisation === undefined
          ? 'For all organisations'
          : `For ${formatKeyName(organisation)}, of the selected task`}
        {outcome.value && (
          <span class={outcome.value.isError ? 'bad' : 'good'}> · {toVisible(outcome.value.text, 300)}</span>
        )}
      </p>
      <Faults organisation={organisation} />
      {target === 'mock' && <ClockControl organisation={organisation} />}
      <Gates organisation={organisation} />
      {target === 'mock' && <NextScenario organisation={organisation} />}
      {target === 'mock' && <TaskControl />}
      <StateControl target={target} />
    </section>
  );
}
