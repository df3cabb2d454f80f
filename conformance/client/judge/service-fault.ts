import { type Finding, RESULT_CODES } from '../../../spec/vocabulary.js';
import { show } from '../../conversation/json.js';
import type { ClientRun } from '../types.js';
import type { ObservedRun } from './observed-run.js';
import { createAdvice, isCausedByLostEvent } from './run-rules.js';

/**
 * If the service broke a rule on purpose, or used freedom in the API that a client need not expect, the consequences are no fault of the
 * client. Advice replaces those findings.
 */
export function excuseServiceFault(observed: ObservedRun, found: readonly Finding[]): Finding[] {
  const isHung = found.some(({ rule }) => rule === 'run/ended');
  const isFailed = found.some((finding) => finding.level === 'must' && isCausedByLostEvent(finding));
  const fault =
    findMissedEvent(observed, isHung) ??
    (isFailed ? (findPollWithoutEvents(observed, isHung) ?? findUnknownCode(observed, isHung)) : undefined);
  if (fault === undefined) return [...found];
  const kept = found.filter((finding) => !isCausedByLostEvent(finding));
  // A client that missed only what it could not know proves nothing.
  return kept.length === found.length && observed.gaveUp === undefined ? kept : [...kept, fault];
}

/** Two events of one instant with a poll between them: the second is never listed, because it is not after `event_t`. */
function findMissedEvent(observed: ObservedRun, isHung: boolean): Finding | undefined {
  const lost = findLostEvent(observed);
  if (lost === undefined) return undefined;
  const message = `Two events had the same timestamp, and the second (${lost}) was created after the client had polled: no later poll lists it, because it is not after event_t. This is a fault of the service, and ${isHung ? 'the client waits forever' : 'the client missed it'}. A careful client sends event_t - 1 and skips the events that it has handled.`;
  const lists = observed.exchanges.filter((each) => each.is('getTask') && each.events.length > 0);
  const evidence = lists.slice(-2).map(({ seq }) => seq);
  return createAdvice('cursor/same-instant', message, evidence, { about: lost });
}

/** The response to the last poll has no list of events. */
function findPollWithoutEvents({ exchanges }: ObservedRun, isHung: boolean): Finding | undefined {
  const last = exchanges.findLast((each) => each.is('getTask'));
  const { record, seq } = last ?? {};
  if (!last?.ok || record === undefined || Array.isArray(record.events)) return undefined;
  const what =
    record.events === undefined ? 'leaves out "events"' : `has ${show(record.events)} for "events"`;
  const message = `The response in exchange ${seq} ${what}, and ${isHung ? 'the client waits forever' : 'the client did not continue'}. The API description says that polls have events, and does not define the response without events. A careful client reads it as an empty list.`;
  return createAdvice('polling/without-events', message, [last.seq]);
}

/** The result of the last action has a code that the API does not define, and the client did not react to it. */
function findUnknownCode({ actions, stop, gaveUp }: ObservedRun, isHung: boolean): Finding | undefined {
  const { result, name, about } = [...actions.values()].at(-1) ?? {};
  if (!result || stop || !(isHung || gaveUp !== undefined)) return undefined;
  if (RESULT_CODES.some((known) => known === result.code)) return undefined;
  const message = `The result of ${name} in exchange ${result.seq} has the code ${show(result.code)}: only 200, 400 and 500 are defined. This is a fault of the service, and ${isHung ? 'the client waits forever' : 'the client did not continue'}. A careful client treats every code except 200 as a failure.`;
  return createAdvice('results/odd-code', message, [result.seq], { about });
}

/** The step of an event that shared its instant with another and was not listed although the client continued to poll. */
function findLostEvent({ run, conversation, end }: ObservedRun): string | undefined {
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
      // A client does not wait for an event after the end.
      const isLost = listed === undefined || (end !== undefined && listed.seq > end.seq);
      return isLost && step !== undefined && isPolledAfter(step, run);
    });
    if (lost) return lost.step;
  }
  return undefined;
}

/** A poll got a response after the service had sent the event. */
function isPolledAfter(step: string, { trace }: ClientRun): boolean {
  const at = trace.findIndex(
    (entry) => entry.what === 'step' && (entry.step === step || entry.about === step),
  );
  const isPolled = (entry: (typeof trace)[number]) =>
    entry.what === 'response' && entry.kind === 'poll' && entry.status >= 200 && entry.status < 300;
  return at !== -1 && trace.slice(at).some(isPolled);
}
