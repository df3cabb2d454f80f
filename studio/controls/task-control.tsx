import { useState } from 'preact/hooks';
import { admin } from '../live/admin-client.js';
import { tasks } from '../live/live-state.js';
import { selectedTask } from '../selection.js';
import { Button, Group, perform } from './control-parts.js';

export function TaskControl() {
  const task = tasks.value.get(selectedTask.value ?? '');
  if (!task || (task.status !== 'running' && task.status !== 'waiting')) return null;
  const inject = (what: string, step: object) => perform(what, admin.injectStep(task.id, step));
  return (
    <Group title="Selected task">
      <div class="line">
        <Button
          label="Complete it"
          onClick={() =>
            inject('completed', { service: 'finish', status: 'done', output: 'Completed from studio.' })
          }
        />
        <Button
          label="Fail it"
          onClick={() =>
            inject('failed', { service: 'finish', status: 'failed', output: 'Failed from studio.' })
          }
        />
        <Button
          label="Cancel it"
          onClick={() => inject('cancelled', { service: 'finish', status: 'cancelled' })}
        />
      </div>
      <InjectStep id={task.id} />
    </Group>
  );
}

/** Steps to begin with, as the scenario format has them. */
const STEPS: Readonly<Record<string, object>> = {
  'Tool call': { service: 'tool_call', tool: 'get_weather', input: { city: 'Paris' } },
  'Live URL': { service: 'live_url', value: 'auto' },
  'Event as it is': { service: 'event', name: 'tool_call', payload: { name: 'unknown_tool', input: {} } },
};

function InjectStep({ id }: { id: string }) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const sent = Promise.resolve().then(() => admin.injectStep(id, JSON.parse(text)));
    return perform('the step happens now', sent);
  };
  return (
    <form class="inject" onSubmit={submit}>
      <select
        aria-label="Kind of step"
        value=""
        onChange={({ currentTarget }) => setText(JSON.stringify(STEPS[currentTarget.value]))}
      >
        <option value="" disabled>
          Inject an event …
        </option>
        {Object.keys(STEPS).map((kind) => (
          <option key={kind}>{kind}</option>
        ))}
      </select>
      {text !== '' && (
        <>
          <textarea
            aria-label="Step of the service, in JSON"
            rows={4}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <button type="submit">Inject it</button>
        </>
      )}
    </form>
  );
}
