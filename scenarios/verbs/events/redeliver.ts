import type { TaskEvent } from '../../../spec/vocabulary.js';
import { includeIf, type Verb, wholeNumber } from '../verb.js';
import { changeTask } from './task-body.js';

/** Waits for a response in which it repeats an event. */
export const redeliver: Verb<{ network: 'redeliver'; first?: number }, 'redeliver'> = {
  name: 'redeliver',
  description: 'The response to a poll lists all events from the beginning, whatever its event_t says.',
  phase: 'response',
  requests: 'polls',
  fields: {
    first: wholeNumber(
      'Only so many of the events that were listed before, the oldest. Left out: all of them.',
      1,
    ),
  },
  examples: [{ network: 'redeliver', of: 'poll', first: 1 }],
  describe: ({ first }) =>
    first === undefined ? 'list all events again' : `list the first ${first} events again`,
  onResponse({ first }, { task: seen }, response) {
    const what = first === undefined ? 'all events from the beginning' : `the first ${first} events again`;
    return changeTask(response, what, (task, events) => {
      // Events after the response was created are not part of it.
      const until = events.at(-1)?.timestamp ?? seen?.shown ?? 0;
      const listed = new Set(events.map(formatEventKey));
      const earlier = (seen?.log.list() ?? [])
        .slice(0, first)
        .filter((event) => event.timestamp <= until && !listed.has(formatEventKey(event)));
      return earlier.length === 0 ? undefined : { ...task, events: [...earlier, ...events] };
    });
  },
  deviations: {
    ranks: { redeliver: { poll: 0 } },
    changes: {
      redeliver: { sort: 'listed again', clause: () => 'a poll response listed earlier events again' },
    },
    isHidden: true,
    forRequest: ({ kind, hasEarlierEvents }) =>
      includeIf(kind === 'poll' && hasEarlierEvents, ['redeliver', {}]),
  },
};

function formatEventKey({ id, timestamp }: TaskEvent): string {
  return `${timestamp} ${id}`;
}
