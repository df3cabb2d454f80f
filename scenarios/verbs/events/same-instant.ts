import { includeIf, type Verb } from '../verb.js';

/** Breaks the rule that timestamps strictly increase, on purpose: a poll between the two never sees the second event. */
export const sameInstant: Verb<{ network: 'same-instant' }, 'same-instant'> = {
  name: 'same-instant',
  description: 'The event of a service step gets the same timestamp as the event before it.',
  phase: 'step',
  requests: 'none',
  step: {
    kind: 'event',
    expected: '{ step: id of a service step }, whose event shares the timestamp of the one before',
  },
  examples: [{ network: 'same-instant', of: { step: 'second' } }],
  describe: ({ of }) => `same instant for ${of?.step ?? 'the next event'}`,
  formatStepNote: (step) => `event ${step} shares the timestamp of the event before it`,
  deviations: {
    ranks: { 'same-instant': 4 },
    changes: {
      'same-instant': {
        sort: 'same instant',
        clause: ({ step }) => `the event of ${step} had the timestamp of the one before`,
      },
    },
    isHidden: true,
    forStep: ({ step: { service }, hasEarlierEvents }) =>
      includeIf(['tool_call', 'result', 'event'].includes(service) && hasEarlierEvents, ['same-instant', {}]),
  },
};
