import type { Scenario } from '../../../scenarios/format/types.js';
import type { ClientRun } from '../types.js';
import { advice, type RunFinding } from './finding.js';
import type { Story } from './story.js';

/** Rules that only say what follows from an event that never came. */
const FOLLOWS =
  /^(run\/ended|line\/(status|output|results|error|gave-up|missing)|exit\/code|actions\/as-told|sessions\/closed(-early)?)$/;

/**
 * Two events of one instant with a poll between them: the second one is never listed, for it is not after `event_t`. The
 * service broke a rule on purpose, and what comes of it is no fault of the client.
 */
export function excuseSameInstant(story: Story, found: readonly RunFinding[]): RunFinding[] {
  const lost = lostEvent(story.run, story.end?.seq);
  if (lost === undefined) return [...found];
  const hung = found.find(({ rule }) => rule === 'run/ended');
  const kept = found.filter(({ rule }) => !FOLLOWS.test(rule));
  if (kept.length === found.length && story.gaveUp === undefined) return kept;
  const message = `Two events had the same timestamp, and the second (${lost}) came after the client had polled: no later poll lists it, as it is not after event_t. That is the service's fault, and ${hung ? 'the client waits for ever' : 'the client missed it'}. A careful client sends event_t - 1 and passes over the events that it has dealt with.`;
  const evidence = story.seen
    .filter((seen) => seen.is('getTask') && seen.events.length > 0)
    .map(({ seq }) => seq);
  return [
    ...kept,
    advice({
      rule: 'cursor/same-instant',
      requirement: 'POLL-05',
      message,
      evidence: evidence.slice(-2),
      about: lost,
    }),
  ];
}

/** The step of an event that shared its instant with another and was not listed although the client polled on. */
function lostEvent({ scenario, rules, tasks, trace }: ClientRun, end = Infinity): string | undefined {
  if (!rules.some(({ rule, fired }) => rule.network === 'same-instant' && fired > 0)) return undefined;
  for (const { calls, actions } of tasks) {
    const lost = [...calls, ...actions.filter(({ name }) => name !== 'close')].find(
      // What comes only after the end comes too late to be waited for.
      (each) => (each.delivered === undefined || each.delivered > end) && wasPolledFor(each),
    );
    if (lost) return lost.step ?? lost.id;
  }
  return undefined;

  /** A poll was answered after the service had made the event. */
  function wasPolledFor({ step }: { step: string | undefined }): boolean {
    const at = trace.findIndex(
      (entry) => entry.what === 'step' && step !== undefined && isOf(entry, step, scenario),
    );
    if (at === -1) return false;
    return trace
      .slice(at)
      .some(
        (entry) =>
          entry.what === 'answer' && entry.kind === 'poll' && entry.status >= 200 && entry.status < 300,
      );
  }
}

/** Results go by the action that they answer, where their step has no id of its own. */
function isOf(
  entry: { name: string; step: string | undefined },
  step: string,
  { timeline }: Pick<Scenario, 'timeline'>,
): boolean {
  if (entry.step === step || entry.name.split(' ').at(-1) === step) return true;
  const made = timeline.find((each) => each.id !== undefined && each.id === entry.step);
  return made !== undefined && 'service' in made && made.service === 'result' && made.to === step;
}
