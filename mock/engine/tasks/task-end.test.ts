import { describe, expect, it } from 'vitest';
import { advanceClock, createOrganisation, startTimeline } from '../../../test/support/mock/organisation.js';
import { poll, viewTask } from '../../../test/support/mock/task-actions.js';

describe('the end of a task', () => {
  it('shows a result on a 202 for two seconds before the status turns terminal, polled or not', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [
      { service: 'event', name: 'browser_action', payload: { code: 200 } },
      { service: 'finish' },
    ]);
    advanceClock(organisation, 1000);
    expect(poll(task)).toEqual([{ code: 200 }]);
    advanceClock(organisation, 999);
    expect(task.status).toBe('running');
    advanceClock(organisation, 1);
    expect(task.status).toBe('done');
  });

  it('does not wait if the script ends it later, or if an event has another timestamp', () => {
    const event = { service: 'event', name: 'browser_action', payload: {} } as const;
    const later = createOrganisation();
    const task = startTimeline(later, [event, { service: 'finish', after: { time_ms: 5000 } }]);
    advanceClock(later, 5000);
    expect(task.status).toBe('done');
    const organisation = createOrganisation();
    const odd = startTimeline(organisation, [{ ...event, timestamp: 9e12 }, { service: 'finish' }]);
    advanceClock(organisation, 1999);
    expect(odd.status).toBe('running');
    advanceClock(organisation, 1);
    expect(odd.status).toBe('done');
  });

  it.each([
    ['at_once in the script', { at_once: true }, {}],
    ['the dialect', {}, { 'event.result-with-terminal': 'with' }],
  ])('arrives together with the result by %s', (_, finish, dialect) => {
    const organisation = createOrganisation({ dialect });
    const task = startTimeline(organisation, [
      { service: 'event', name: 'browser_action', payload: { code: 200 } },
      { service: 'finish', ...finish },
    ]);
    expect(task.status).toBe('done');
  });

  it('shows the address of the recording, or null first if the dialect is late', () => {
    const prompt = createOrganisation();
    expect(viewTask(startTimeline(prompt, [{ service: 'finish' }])).recording_url).not.toBeNull();
    const organisation = createOrganisation({ dialect: { 'recording.delay': 1000 } });
    const task = startTimeline(organisation, [{ service: 'finish' }]);
    expect(viewTask(task).recording_url).toBeNull();
    advanceClock(organisation, 1500);
    expect(viewTask(task).recording_url).toBe(`http://mock.test/recordings/${task.id}`);
  });

  it('shows the recording at the scripted time, also after the end and after polls', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [
      { service: 'finish' },
      { service: 'recording_url', value: 'auto', after: { time_ms: 5000 } },
      { service: 'downloads_url', value: '', after: { polls: 1 } },
    ]);
    advanceClock(organisation, 4999);
    expect(viewTask(task).recording_url).toBeNull();
    advanceClock(organisation, 1);
    expect(viewTask(task).recording_url).toBe(`http://mock.test/recordings/${task.id}`);
    expect(task.downloads_url).toBeNull();
    poll(task);
    expect([task.downloads_url, task.runs]).toEqual(['', []]);
  });

  it('has its recording at once if the finish step has auto', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [{ service: 'finish', recording_url: 'auto' }]);
    expect(viewTask(task).recording_url).toBe(`http://mock.test/recordings/${task.id}`);
  });

  it('keeps a limited number of finished tasks and removes the oldest first', () => {
    const organisation = createOrganisation();
    organisation.setup.limits = { ...organisation.setup.limits, finishedTasks: 5 };
    const ids = Array.from({ length: 20 }, () => startTimeline(organisation, [{ service: 'finish' }]).id);
    expect([...organisation.tasks.keys()]).toEqual(ids.slice(-5));
  });

  it('keeps fewer finished tasks where many organisations share the bound', () => {
    const organisation = createOrganisation();
    const { limits } = organisation.setup;
    Object.assign(organisation.setup, {
      limits: { ...limits, finishedTasks: 1000 },
      countOrganisations: () => 50,
    });
    for (let n = 0; n < 1000; n++) startTimeline(organisation, [{ service: 'finish' }]);
    expect(organisation.tasks.size).toBeLessThanOrEqual(200 + (200 >> 4));
  });
});
