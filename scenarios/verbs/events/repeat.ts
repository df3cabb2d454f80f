import { includeIf, type Verb } from '../verb.js';
import { changeTask } from './task-body.js';

/** Waits for a response that has an event. */
export const repeat: Verb<{ network: 'repeat' }, 'repeat'> = {
  name: 'repeat',
  description: 'Every event in the response to a poll is in it twice.',
  phase: 'response',
  requests: 'polls',
  examples: [{ network: 'repeat', of: 'poll', times: 2 }],
  describe: () => 'list every event twice',
  onResponse(_rule, _hit, response) {
    return changeTask(response, 'every event twice', (task, events) =>
      events.length === 0 ? undefined : { ...task, events: events.flatMap((event) => [event, event]) },
    );
  },
  deviations: {
    ranks: { repeat: { poll: 7 } },
    changes: {
      repeat: { sort: 'listed again', clause: () => 'the poll response listed each event twice' },
    },
    isHidden: true,
    forRequest: ({ kind, events }) => includeIf(kind === 'poll' && events > 0, ['repeat', {}]),
  },
};
