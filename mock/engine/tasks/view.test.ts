import { describe, expect, it } from 'vitest';
import { view } from '../../../test/support/mock/acts.js';
import { createWorld, startTimeline } from '../../../test/support/mock/world.js';
import { pollText } from './view.js';

describe('the text of a poll', () => {
  it.each([
    [
      'a running task',
      { task: 'x' },
      [{ service: 'tool_call', tool: 't', input: { a: '"\u2028' } } as const],
    ],
    [
      'a finished task with structure',
      { task: 'x', device: 'mobile' },
      [{ service: 'finish', output: { a: [1, null] } } as const],
    ],
    ['a failed task', { task: 'x' }, [{ service: 'finish', status: 'failed' } as const]],
    ['a late live address', { task: 'x' }, [{ service: 'live_url', value: 'https://x.test/"' } as const]],
  ])('is the JSON of the view, field by field: %s', (_, request, timeline) => {
    const world = createWorld();
    const task = startTimeline(world, [...timeline], request);
    const whole = { r: { ...view(world, task), events: task.log.after(0) } };
    expect(pollText(world, task, 0, false).text).toBe(JSON.stringify(whole));
  });

  it('is made anew when something has changed, and only then', () => {
    const world = createWorld();
    const task = startTimeline(world, [{ service: 'finish', after: { time_ms: 10 } }]);
    const first = pollText(world, task, 0, false);
    expect(pollText(world, task, 0, false)).toBe(first);
    world.advanceTo(world.now + 10);
    expect(pollText(world, task, 0, false).text).toContain('"status":"done"');
  });
});
