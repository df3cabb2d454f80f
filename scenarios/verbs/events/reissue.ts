import type { TaskEvent } from '../../../spec/vocabulary.js';
import { includeIf, type StepFacts, type TaskFacts, type TimelineFacts, type Verb } from '../verb.js';

export const reissue: Verb<{ network: 'reissue' }, 'reissue'> = {
  name: 'reissue',
  description:
    'The event of a step comes again under the same id with a later timestamp: a call once it has been replied to, a result once it has been delivered.',
  phase: 'step',
  requests: 'none',
  step: { kind: 'event', expected: '{ step: id of a tool_call or a result }, whose event comes again' },
  examples: [{ network: 'reissue', of: { step: 'first' } }],
  describe: ({ of }) =>
    `the event of ${of?.step === undefined ? 'the next step' : `step ${of.step}`} comes again`,
  formatStepNote: (step) => `the event of step ${step} comes again`,
  selectEvent(task, run, id) {
    if (!run.happened.has(id)) return undefined;
    const step = run.steps.find((each) => each.id === id);
    if (step?.service === undefined) return undefined;
    const event = findEvent(task, run.ids, step, id);
    if (!event) return undefined;
    const call = task.calls?.get(event.id);
    const isTime = call ? call.reply !== undefined : event.timestamp <= task.shown;
    return isTime ? event : undefined;
  },
  deviations: {
    ranks: { reissue: 12 },
    changes: {
      reissue: { sort: 'listed again', clause: ({ step }) => `the event of ${step} came a second time` },
    },
    isHidden: true,
    forStep: ({ step: { service } }) =>
      includeIf(service === 'tool_call' || service === 'result', ['reissue', {}]),
  },
};

/** Where the service lists what the client sent, replies come after their calls and actions before their results. */
function findEvent(
  { log }: TaskFacts,
  ids: TimelineFacts['ids'],
  step: StepFacts,
  id: string,
): TaskEvent | undefined {
  if (step.service === 'result' && step.to !== undefined) {
    const wanted = ids[step.to] ?? step.to;
    return log.list().findLast((event) => event.id === wanted);
  }
  const wanted = ids[id];
  return wanted === undefined ? undefined : log.find(wanted);
}
