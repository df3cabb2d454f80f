import { type Finding, RESULT_CODES } from '../../../spec/vocabulary.js';
import { show } from '../../conversation/json.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import type { ListedEvent } from '../../conversation/task-conversation.js';
import { MOST_READERS } from '../../rules/client/retries.js';
import { clientRules, untimedRules } from '../../rules/client-rules.js';
import { type Judge, judgeExchanges } from '../../rules/judge.js';
import type { ClientRun, Job } from '../types.js';
import {
  checkActionContent,
  checkActionOrder,
  checkClosing,
  checkRefusedActions,
  checkRepeatedActions,
  checkUnsentActions,
} from './actions.js';
import { checkLineAsks } from './asks.js';
import { checkCancellation } from './cancel.js';
import { checkAnyRequest, checkOtherJob, checkRequestBody, checkTaskCreation } from './create.js';
import { checkDroppedRequests, checkInsistence, collectLostRequests } from './dropped-requests.js';
import { createAdvice, isCausedByLostEvent } from './findings.js';
import { findGiveUpReasons, type GiveUpReasons } from './give-up-reasons.js';
import {
  checkExitCode,
  checkLineForm,
  checkLineOutput,
  checkLineStatus,
  checkNeedlessError,
} from './line.js';
import { checkLineResults } from './line-results.js';
import { ObservedRun, orderExchanges, readClientTimes } from './observed-run.js';
import { checkRunEnd } from './run-end.js';
import {
  checkAbandonedReplies,
  checkLineToolRuns,
  checkMissingReplies,
  checkReplyOutcomes,
} from './tools.js';

/**
 * All findings about one run of a client: broken rules in the exchanges, and the result line, exit code and end compared with the
 * exchanges. Level `must` fails the run. Empty for an aborted run.
 */
export function judgeRun(run: ClientRun): Finding[] {
  const { other, scenario } = run;
  if (!other) return judgeJob(run);
  const how = scenario.other_job?.starts === 'before' ? 'two jobs' : 'two jobs at the same time';
  const place = (which: string, findings: readonly Finding[]) =>
    findings.map((each) => ({ ...each, message: `The ${which} of ${how} in one process: ${each.message}` }));
  return [...place('second', judgeJob(run, other.job)), ...place('first', judgeJob(other, run.job))];
}

/** `other`: a job of the same process. */
function judgeJob(run: ClientRun, other?: Job): Finding[] {
  if (run.end === 'aborted') return [];
  const exchanges = orderExchanges(run);
  // The rules and all later checks share one conversation.
  const judge = run.kind === 'command' ? undefined : judgeExchanges(clientRules, exchanges);
  const whole = new ObservedRun(run, exchanges, judge?.collectClientTasks());
  const observed = ObservedRun.beforeGivingUp(whole);
  const end = checkRunEnd(observed);
  const none = checkAnyRequest(observed);
  if (none.length > 0 || run.end === 'not-started' || run.end === 'not-virtual')
    return [...end, ...none, ...(end.length > 0 ? [] : checkLineForm(observed))];
  const troubles = findGiveUpReasons(observed);
  const lost = collectLostRequests(observed);
  const abandoned = [...checkCancellation(observed, troubles), ...checkAbandonedReplies(observed, lost)];
  // An abandoned reply or cancel is more specific than a dropped request.
  const dropped = abandoned.length > 0 ? [] : checkDroppedRequests(observed, lost);
  const found = [
    collectRuleFindings(observed, judge),
    end,
    checkTaskCreation(observed, troubles),
    checkInsistence(observed),
    checkRequestBody(observed),
    other ? checkOtherJob(observed, other) : [],
    checkRepeatedActions(observed),
    dropped,
    // Actions after a dropped action may be left out.
    dropped.length > 0 ? [] : checkUnsentActions(observed, troubles),
    checkActionContent(observed),
    checkRefusedActions(observed),
    checkClosing(observed, troubles),
    checkActionOrder(observed),
    checkReplyOutcomes(observed),
    checkMissingReplies(observed, troubles),
    abandoned,
    checkLineForm(observed),
    checkLineStatus(whole, dropped.length > 0),
    checkLineOutput(whole),
    checkLineResults(observed, troubles),
    checkLineToolRuns(observed),
    checkLineAsks(observed),
    // The error of a client that waited until its deadline is a consequence.
    dropped.length + abandoned.length > 0 ? [] : checkNeedlessError(observed, troubles),
    checkExitCode(observed),
  ].flat();
  return excuseServiceFault(observed, [
    ...adjustLevels(found, observed, troubles),
    ...checkMissedRetry(observed, troubles, found),
  ]);
}

const timedRules = clientRules.filter((rule) => rule.timed);

/** In real time, rules that compare times use the client's own clock. */
function collectRuleFindings(observed: ObservedRun, judge: Judge | undefined): Finding[] {
  const findings = judge?.findings() ?? judgeInRealTime(observed);
  return findings.map((finding) => ({ ...finding, about: findSubject(finding, observed) }));
}

function judgeInRealTime({ run, exchanges }: ObservedRun): Finding[] {
  const onClock = run.exchanges.map((each) => new ReadExchange(each, 0, readClientTimes(run, each)));
  return [
    ...judgeExchanges(untimedRules, [...exchanges]).findings(),
    ...judgeExchanges(timedRules, onClock).findings(),
  ];
}

/** The step of the call or action that a rule's finding is about: the last one in its evidence, else the one that it names. */
function findSubject({ evidence, event }: Finding, observed: ObservedRun): string | undefined {
  const sent = evidence.map((seq) => observed.findExchange(seq)?.sent?.id).reverse();
  for (const id of [...sent, event]) {
    const known = typeof id === 'string' ? (observed.calls.get(id) ?? observed.actions.get(id)) : undefined;
    if (known) return known.about;
  }
  return undefined;
}

/** Advice about the cursor is the cause if events were handled twice. */
const CAUSES_OF_REPETITION = new Set(['polling/event-t-back', 'polling/event-t-still']);
const REPETITIONS = new Set(['replies/once', 'line/tool-runs', 'line/results']);

/** Adjusts levels that depend on other findings. */
function adjustLevels(found: readonly Finding[], observed: ObservedRun, troubles: GiveUpReasons): Finding[] {
  const isRepeated = found.some(
    ({ rule, requirement, level }) => REPETITIONS.has(rule) && requirement === 'POLL-06' && level === 'must',
  );
  return found.map((finding) => {
    if (isPardoned(finding, observed, troubles)) return { ...finding, level: 'advice' };
    return isRepeated && CAUSES_OF_REPETITION.has(finding.rule) ? { ...finding, level: 'must' } : finding;
  });
}

function isPardoned(
  { rule, evidence }: Finding,
  observed: ObservedRun,
  { onTheWay }: GiveUpReasons,
): boolean {
  const { gaveUp, run } = observed;
  switch (rule) {
    case 'run/late-request':
      // A client that may give up can have a request on its way, one for each of its readers.
      return gaveUp !== undefined && onTheWay && evidence.length <= MOST_READERS;
    case 'limits/immediate-retry':
      // The poll after it may be that of the other wait.
      return run.job.asks.includes('second_wait');
    case 'actions/after-close':
      return run.job.cancel_after_ms !== null && isLedByLatePoll(evidence, observed);
    default:
      return false;
  }
}

/** A poll that was under way when the cancel was confirmed may bring the result for which the next action waits. */
function isLedByLatePoll([closeSeq, actionSeq]: readonly number[], observed: ObservedRun): boolean {
  const [close, action] = [observed.findExchange(closeSeq!), observed.findExchange(actionSeq!)];
  if (!close || !action) return false;
  return observed.exchanges.some(
    (each) =>
      each.is('getTask') &&
      each.at < close.respondedAt &&
      each.respondedAt > close.respondedAt &&
      each.respondedAt <= action.at &&
      each.status === 'running',
  );
}

/** A client gave up although a repeated request would have succeeded. */
function checkMissedRetry(
  { gaveUp: error, last }: ObservedRun,
  { mendable, isBadEnd }: GiveUpReasons,
  found: readonly Finding[],
): Finding[] {
  // A client that gave up a request, and then waited, did not give up the task.
  const polledInVain = found.some(({ rule }) => rule === 'replies/given-up' || rule === 'requests/dropped');
  if (error === undefined || mendable === undefined || isBadEnd || polledInVain) return [];
  const message = `The client gave up (${JSON.stringify(error)}), as it may: ${mendable}. A client that repeats the request a limited number of times succeeds more often.`;
  return [createAdvice('line/gave-up', message, last)];
}

/**
 * If the service broke a rule on purpose, or used freedom in the API that a client need not expect, the consequences are no fault of the
 * client. Advice replaces those findings.
 */
function excuseServiceFault(observed: ObservedRun, found: readonly Finding[]): Finding[] {
  const isHung = found.some(({ rule }) => rule === 'run/ended');
  const isFailed = found.some((finding) => finding.level === 'must' && isCausedByLostEvent(finding));
  const fault =
    findMissedEvent(observed, isHung) ??
    (isFailed ? (findPollWithoutEvents(observed, isHung) ?? findUnknownCode(observed, isHung)) : undefined);
  if (fault === undefined) return [...found];
  const isLostCall = ({ rule, about }: Finding) => rule === 'replies/each-call' && about === fault.about;
  const kept = found.filter((finding) => !isCausedByLostEvent(finding) && !isLostCall(finding));
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
function findLostEvent(observed: ObservedRun): string | undefined {
  const { run, conversation, end } = observed;
  if (!run.rules.some(({ rule, fired }) => rule.network === 'same-instant' && fired > 0)) return undefined;
  for (const { id: task, calls, actions } of run.tasks) {
    const seen = conversation.tasks.get(task);
    const events = [
      ...calls.map(({ id, step }) => ({ step, listed: seen?.calls.get(id) })),
      ...actions
        .filter(({ name }) => name !== 'close')
        .map(({ id, step }) => ({ step, listed: seen?.results.get(id) })),
    ];
    const all = events.flatMap(({ listed }) => listed ?? []);
    const lost = events.find(({ step, listed }) => {
      // A client does not wait for an event after the end.
      const isLost =
        listed === undefined ||
        (end !== undefined && listed.seq > end.seq) ||
        isReadAgain(listed, all, observed);
      return isLost && step !== undefined && isPolledAfter(step, run);
    });
    if (lost) return lost.step;
  }
  return undefined;
}

/** Only a poll that reads again what was read, such as a look at the status alone, listed the event. */
function isReadAgain(
  { seq, event }: ListedEvent,
  all: readonly ListedEvent[],
  observed: ObservedRun,
): boolean {
  const poll = observed.findExchange(seq)!;
  const isPast = (other: ListedEvent) =>
    other.seq < seq && other.event.timestamp === event.timestamp && poll.canKnow(other);
  return all.some(isPast);
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
