import { describe, expect, it } from 'vitest';
import { createOrganisation, startTimeline } from '../../../test/support/mock/organisation.js';
import { viewTask } from '../../../test/support/mock/task-actions.js';
import { formatPollResponse } from './view.js';

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
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [...timeline], request);
    const whole = { r: { ...viewTask(task), events: task.log.listAfter(0) } };
    expect(formatPollResponse(task, 0, false).text).toBe(JSON.stringify(whole));
  });

  it('is created again only after a change', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [{ service: 'finish', after: { time_ms: 10 } }]);
    const first = formatPollResponse(task, 0, false);
    expect(formatPollResponse(task, 0, false)).toBe(first);
    organisation.advanceTo(organisation.now + 10);
    expect(formatPollResponse(task, 0, false).text).toContain('"status":"done"');
  });
});
