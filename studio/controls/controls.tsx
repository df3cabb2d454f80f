import { useEffect, useState } from 'preact/hooks';
import type { ScenarioPreview, ScenarioView } from '../../mock/control/mock-scenarios.js';
import { toVisible } from '../../spec/visible.js';
import { admin } from '../live/admin-client.js';
import { clocks, gates, readNow, tasks } from '../live/live-state.js';
import { download } from '../parts/download.js';
import { formatDuration } from '../parts/format.js';
import { selectedTask } from '../selection.js';
import { ScenarioDiagram } from '../sequence/scenario-diagram.js';
import { Button, Group, outcome, perform } from './control-parts.js';
import { Faults } from './faults.js';
import { TaskControl } from './task-control.js';
import './controls.css';

/** Of the selected task; undefined means all organisations. */
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

function Gates({ organisation }: { organisation: string | undefined }) {
  const shown = [...gates.value.values()].filter(
    (each) => organisation === undefined || each.organisation === organisation,
  );
  const waiting = [
    ...new Set(shown.flatMap((each) => [...each.waiting, ...each.held].map(({ gate }) => gate))),
  ];
  const open = [...new Set(shown.flatMap((each) => each.open))];
  if (waiting.length + open.length === 0) return null;
  return (
    <Group title="Gates">
      <div class="line">
        {waiting.map((gate) => (
          <Button
            key={gate}
            label={`Open ${gate}`}
            onClick={() => perform(`opened ${gate}`, admin.openGate(organisation, gate))}
          />
        ))}
        {open.map((gate) => (
          <span key={gate} class="good">
            {gate} is open
          </span>
        ))}
      </div>
    </Group>
  );
}

/** Width of the controls. */
const PREVIEW_PX = 270;

function NextScenario({ organisation }: { organisation: string | undefined }) {
  const [all, setAll] = useState<readonly ScenarioView[]>([]);
  const [name, setName] = useState('');
  const [preview, setPreview] = useState<ScenarioPreview | undefined>(undefined);
  useEffect(() => void admin.fetchScenarios().then(setAll, () => {}), []);
  const isKnown = all.some((each) => each.name === name);
  useEffect(() => {
    setPreview(undefined);
    if (isKnown) admin.fetchPreview(name).then(setPreview, () => {});
  }, [name, isKnown]);
  return (
    <Group title="Scenario of the next task">
      <div class="line">
        <input
          type="text"
          list="scenarios"
          aria-label="Scenario"
          placeholder="races/reply-response-lost"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <datalist id="scenarios">
          {all.map((each) => (
            <option key={each.name} value={each.name}>
              {each.title}
            </option>
          ))}
        </datalist>
        <Button
          label="Queue it"
          isDisabled={!isKnown}
          onClick={() => perform(`the next task follows ${name}`, admin.queueScenario(organisation, name))}
        />
      </div>
      {preview && (
        <details open>
          <summary>{toVisible(preview.title)}</summary>
          <div class="preview">
            <ScenarioDiagram lines={preview.lines} width={PREVIEW_PX} />
          </div>
          <details>
            <summary>YAML</summary>
            <pre tabIndex={0}>{toVisible(preview.yaml)}</pre>
          </details>
        </details>
      )}
    </Group>
  );
}

function State({ target }: { target: 'mock' | 'proxy' }) {
  const save = async () =>
    download('taskdouble-state.json', JSON.stringify(await admin.fetchState()), 'application/json');
  const restore = async ({ currentTarget }: Event) => {
    const input = currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    if (!file) return;
    if (confirm(`Replace what this mock holds with ${file.name}?`))
      await perform(`restored ${file.name}`, file.text().then(admin.restore));
    // Without this, choosing the same file again fires no event.
    input.value = '';
  };
  const reset = () =>
    confirm('Remove all tasks, journals and organisations?') && perform('reset', admin.reset());
  return (
    <Group title={target === 'mock' ? 'State' : 'Journal'}>
      <div class="line">
        {target === 'mock' && (
          <Button label="Save snapshot" onClick={() => perform('saved: it contains API keys', save())} />
        )}
        {target === 'mock' && (
          <label class="file">
            Restore … <input type="file" accept=".json" aria-label="Restore a snapshot" onChange={restore} />
          </label>
        )}
        <Button label="Reset" onClick={reset} />
      </div>
    </Group>
  );
}

function ClockControl({ organisation }: { organisation: string | undefined }) {
  const clock = organisation === undefined ? [...clocks.value.values()][0] : clocks.value.get(organisation);
  const changeClock = (what: string, change: object) => perform(what, admin.setClock(organisation, change));
  const isPaused = clock?.mode === 'manual';
  const now = clock && (readNow(clock.organisation) ?? clock.now);
  return (
    <Group title="Clock">
      <p class="soft">
        {clock
          ? `${new Date(now!).toISOString().replace('T', ' ').slice(0, 19)} · ${clock.mode}`
          : 'no organisation yet'}
        {clock?.next_due != null && ` · next event in ${formatDuration(Math.max(0, clock.next_due - now!))}`}
      </p>
      <div class="line">
        <label>
          Mode{' '}
          <select
            aria-label="Clock mode"
            value={clock?.mode ?? 'real'}
            onChange={({ currentTarget }) =>
              changeClock(`clock is ${currentTarget.value}`, { mode: currentTarget.value })
            }
          >
            {['real', 'manual', 'skipping', 'eager'].map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
          </select>
        </label>
        <label>
          Speed{' '}
          <select
            aria-label="Speed"
            value={String(clock?.speed ?? 1)}
            onChange={({ currentTarget }) =>
              changeClock(`speed ${currentTarget.value}`, { speed: Number(currentTarget.value) })
            }
          >
            {[0.1, 1, 10, 100].map((speed) => (
              <option key={speed} value={speed}>
                {speed}×
              </option>
            ))}
          </select>
        </label>
        <Button
          label={isPaused ? 'Resume' : 'Pause'}
          onClick={() => changeClock(isPaused ? 'clock resumed' : 'clock paused', { pause: !isPaused })}
        />
        <Button label="+1 s" onClick={() => changeClock('1 s later', { advance: 1000 })} />
        <Button label="To the next event" onClick={() => changeClock('at the next event', { to: 'next' })} />
      </div>
    </Group>
  );
}
