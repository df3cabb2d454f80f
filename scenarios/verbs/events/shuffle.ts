import type { Verb } from '../verb.js';
import { changeTask } from './task-body.js';

/** Waits for a response that has two events or more. */
export const shuffle: Verb<{ network: 'shuffle' }, 'shuffle'> = {
  name: 'shuffle',
  description: 'The events in the response to a poll are in reverse order.',
  phase: 'response',
  requests: 'polls',
  fields: {},
  examples: [{ network: 'shuffle', of: 'poll' }],
  describe: () => 'events in reverse order',
  onResponse(_rule, _hit, response) {
    const body = changeTask(response, (task, events) =>
      events.length < 2 ? undefined : { ...task, events: [...events].reverse() },
    );
    return body === undefined ? undefined : { note: 'response with events in reverse order', body };
  },
  deviations: {
    ranks: { shuffle: { poll: 9 } },
    isHidden: true,
    *forRequest({ kind, events }) {
      if (kind === 'poll' && events > 1) yield ['shuffle', {}];
    },
  },
};
