import { useState } from 'preact/hooks';
import { isActive } from '../../spec/vocabulary.js';
import { admin } from '../live/admin-client.js';
import { tasks } from '../live/live-state.js';
import { selectedTask } from '../selection.js';
import { Button, Group, perform } from './control-parts.js';

export function TaskControl() {
  const task = tasks.value.get(selectedTask.value ?? '');
  if (!task || !isActive(task.status)) return null;
  const finishTask = (status: string, output?: string) =>
    perform(
      (after) => (after.status === status ? `the task is ${status}` : describeWait(after.status)),
      admin.injectStep(task.id, { service: 'finish', status, output }),
    );
  return (
    <Group title="Selected task" docs={['admin-api', 'steps-by-hand']}>
      <div class="line">
        <Button label="Complete it" onClick={() => finishTask('done', 'Completed from studio.')} />
        <Button label="Fail it" onClick={() => finishTask('failed', 'Failed from studio.')} />
        <Button label="Cancel it" onClick={() => finishTask('cancelled')} />
      </div>
      <InjectStep id={task.id} />
    </Group>
  );
}

function describeWait(status: string): string {
  return `the task is still ${status}: see below the diagram what the step waits for`;
}

/** Templates in the scenario format. */
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
    return perform(
      ({ status }) => (status === 'waiting' ? describeWait(status) : 'the step happens now'),
      sent,
    );
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
