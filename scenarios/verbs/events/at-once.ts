import { includeIf, type Verb } from '../verb.js';

export const atOnce: Verb<{ network: 'at-once' }, 'at-once'> = {
  name: 'at-once',
  description: 'The finish `of` ends the task at once: the last event need not be readable on a 202 first.',
  phase: 'step',
  requests: 'none',
  step: {
    kind: 'finish',
    expected: '{ step: id of the finish }, which then ends the task at once, with its last event',
  },
  examples: [{ network: 'at-once', of: { step: 'end' } }],
  describe: ({ of }) =>
    `${of?.step === undefined ? 'the next step' : `step ${of.step}`} ends the task at once, with its last event`,
  deviations: {
    ranks: { 'at-once': 3 },
    changes: {
      'at-once': { sort: 'time', clause: () => 'the last result came together with the end' },
    },
    forStep: ({ step, hasResults }) =>
      includeIf(step.service === 'finish' && !step.at_once && hasResults, ['at-once', {}]),
  },
};
