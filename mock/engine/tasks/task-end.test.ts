import { describe, expect, it } from 'vitest';
import { poll, view } from '../../../test/support/mock/acts.js';
import { createWorld, pass, startTimeline } from '../../../test/support/mock/world.js';

describe('the end of a task', () => {
  it('shows a result on a 202 for two seconds before the status turns terminal, polled or not', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'event', name: 'browser_action', payload: { code: 200 } },
      { service: 'finish' },
    ]);
    pass(world, 1000);
    expect(poll(world, task)).toEqual([{ code: 200 }]);
    pass(world, 999);
    expect(task.status).toBe('running');
    pass(world, 1);
    expect(task.status).toBe('done');
  });

  it('waits no longer where the script ends it later, or where an event is of another time', () => {
    const event = { service: 'event', name: 'browser_action', payload: {} } as const;
    const later = createWorld();
    const task = startTimeline(later, [event, { service: 'finish', after: { time_ms: 5000 } }]);
    pass(later, 5000);
    expect(task.status).toBe('done');
    const world = createWorld();
    const odd = startTimeline(world, [{ ...event, timestamp: 9e12 }, { service: 'finish' }]);
    pass(world, 1999);
    expect(odd.status).toBe('running');
    pass(world, 1);
    expect(odd.status).toBe('done');
  });

  it.each([
    ['at_once in the script', { at_once: true }, {}],
    ['the dialect', {}, { 'event.result-with-terminal': 'with' }],
  ])('comes together with the result by %s', (_, finish, dialect) => {
    const world = createWorld({ dialect });
    const task = startTimeline(world, [
      { service: 'event', name: 'browser_action', payload: { code: 200 } },
      { service: 'finish', ...finish },
    ]);
    expect(task.status).toBe('done');
  });

  it('brings the address of the recording, or null first where the dialect says late', () => {
    const prompt = createWorld();
    expect(view(prompt, startTimeline(prompt, [{ service: 'finish' }])).recording_url).not.toBeNull();
    const world = createWorld({ dialect: { 'recording.delay': 1000 } });
    const task = startTimeline(world, [{ service: 'finish' }]);
    expect(view(world, task).recording_url).toBeNull();
    pass(world, 1500);
    expect(view(world, task).recording_url).toBe(`http://mock.test/recordings/${task.id}`);
  });

  it('brings the recording when the script says, also after the end and after polls', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'finish' },
      { service: 'recording_url', value: 'auto', after: { time_ms: 5000 } },
      { service: 'downloads_url', value: '', after: { polls: 1 } },
    ]);
    pass(world, 4999);
    expect(view(world, task).recording_url).toBeNull();
    pass(world, 1);
    expect(view(world, task).recording_url).toBe(`http://mock.test/recordings/${task.id}`);
    expect(task.downloads_url).toBeNull();
    poll(world, task);
    expect([task.downloads_url, task.runs]).toEqual(['', []]);
  });

  it('has its recording at once where the end says auto', () => {
    const world = createWorld();
    const task = startTimeline(world, [{ service: 'finish', recording_url: 'auto' }]);
    expect(view(world, task).recording_url).toBe(`http://mock.test/recordings/${task.id}`);
  });

  it('keeps only so many finished tasks, oldest first', () => {
    const world = createWorld();
    world.setup.limits = { ...world.setup.limits, finishedTasks: 5 };
    const ids = Array.from({ length: 20 }, () => startTimeline(world, [{ service: 'finish' }]).id);
    expect([...world.tasks.keys()]).toEqual(ids.slice(-5));
  });
});
