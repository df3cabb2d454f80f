import { includeIf, type Verb } from '../verb.js';
import { changeTask } from './task-body.js';

/** Waits for a response that has two events or more. */
export const shuffle: Verb<{ network: 'shuffle' }, 'shuffle'> = {
  name: 'shuffle',
  description: 'The events in the response to a poll are in reverse order.',
  phase: 'response',
  requests: 'polls',
  examples: [{ network: 'shuffle', of: 'poll' }],
  describe: () => 'list events in reverse order',
  onResponse(_rule, _hit, response) {
    return changeTask(response, 'events in reverse order', (task, events) =>
      events.length < 2 ? undefined : { ...task, events: events.toReversed() },
    );
  },
  deviations: {
    ranks: { shuffle: { poll: 9 } },
    changes: {
      shuffle: { sort: 'order', clause: () => 'the poll response listed its events in reverse order' },
    },
    isHidden: true,
    forRequest: ({ kind, events }) => includeIf(kind === 'poll' && events > 1, ['shuffle', {}]),
  },
};
