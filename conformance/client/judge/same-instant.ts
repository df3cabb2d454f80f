import type { ClientRun } from '../types.js';
import type { ObservedRun } from './observed-run.js';
import { advice, followsFromLostEvent, type RunFinding } from './run-rules.js';

/**
 * Two events of one instant with a poll between them: the second one is never listed, for it is not after `event_t`. The
 * service broke a rule on purpose, and what follows from it is no fault of the client.
 */
export function excuseSameInstant(observed: ObservedRun, found: readonly RunFinding[]): RunFinding[] {
  const lost = lostEvent(observed);
  if (lost === undefined) return [...found];
  const kept = found.filter((finding) => !followsFromLostEvent(finding));
  if (kept.length === found.length && observed.gaveUp === undefined) return kept;
  const isHung = found.some(({ rule }) => rule === 'run/ended');
  const message = `Two events had the same timestamp, and the second (${lost}) came after the client had polled: no later poll lists it, as it is not after event_t. That is the service's fault, and ${isHung ? 'the client waits for ever' : 'the client missed it'}. A careful client sends event_t - 1 and skips the events that it has handled.`;
  const lists = observed.exchanges.filter((each) => each.is('getTask') && each.events.length > 0);
  const evidence = lists.slice(-2).map(({ seq }) => seq);
  return [...kept, advice('cursor/same-instant', message, evidence, { about: lost })];
}

/** The step of an event that shared its instant with another and was not listed although the client polled on. */
function lostEvent({ run, conversation, end }: ObservedRun): string | undefined {
  if (!run.rules.some(({ rule, fired }) => rule.network === 'same-instant' && fired > 0)) return undefined;
  for (const { id: task, calls, actions } of run.tasks) {
    const seen = conversation.tasks.get(task);
    const events = [
      ...calls.map(({ id, step }) => ({ step, listed: seen?.calls.get(id) })),
      ...actions
        .filter(({ name }) => name !== 'close')
        .map(({ id, step }) => ({ step, listed: seen?.results.get(id) })),
    ];
    const lost = events.find(({ step, listed }) => {
      // A client does not wait for an event that comes after the end.
      const isLost = listed === undefined || (end !== undefined && listed.seq > end.seq);
      return isLost && step !== undefined && wasPolledFor(step, run);
    });
    if (lost) return lost.step;
  }
  return undefined;
}

/** A poll was answered after the service had sent the event. */
function wasPolledFor(step: string, { trace }: ClientRun): boolean {
  const at = trace.findIndex(
    (entry) => entry.what === 'step' && (entry.step === step || entry.about === step),
  );
  const isPolled = (entry: (typeof trace)[number]) =>
    entry.what === 'answer' && entry.kind === 'poll' && entry.status >= 200 && entry.status < 300;
  return at !== -1 && trace.slice(at).some(isPolled);
}
