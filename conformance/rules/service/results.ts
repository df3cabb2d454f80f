import { groupBy } from '../../../spec/lists.js';
import { ACTIONS, type ActionName, isTerminal, RESULT_CODES } from '../../../spec/vocabulary.js';
import { isOneOf, isText, readField, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { ActionHistory, TaskConversation } from '../../conversation/task-conversation.js';
import { defineRules, type RuleContext, type RuleFinding, type Watcher } from '../rule.js';
import { IDLE_MS } from './sessions.js';

/** Time after which an action without a result is not expected to get one, ms. */
const PATIENCE_MS = 30_000;
/** Shorter if a later action has its result, ms: two actions may be pending at once. */
const PASSED_OVER_MS = 5000;
/** A session with work left that ends later than this after a close may have reached a time-out before it came to the close, ms. */
const CLOSED_AT_ONCE_MS = 2000;

/** Results of actions. Sections "Event endpoint rules" and "Events". */
export const resultRules = defineRules('service', 'task', 'all', {
  'results/confirmed': {
    requirements: ['EVENT-03'],
    title: 'An event that was taken is confirmed with its id, or with a new one where it was sent without.',
    only: ['sendTaskEvent'],
    check: (exchange) => {
      const r = exchange.ok ? readField(exchange.responseJson, 'r') : undefined;
      if (r === undefined) return undefined;
      const id = readField(r, 'id');
      if (!isText(id))
        return `An event has to be confirmed with {r: {id}}, the id a text, but "r" is ${show(r)}.`;
      const sent = exchange.sent?.id;
      if (!isText(sent) || id === sent) return 'kept';
      return `The event ${show(sent)} was confirmed with the id ${show(id)}: it has to be the id of the event, under which its result comes.`;
    },
  },
  'results/name': {
    requirements: ['EVENT-08'],
    title: 'A result has the name of its action.',
    start: watchResults(({ id, eventName }, { name }) => {
      if (typeof eventName !== 'string') return undefined;
      if (name === eventName) return 'kept';
      return `The result of the ${eventName} ${show(id)} has the name ${show(name)}: it has to be the name of the action.`;
    }),
  },
  'results/code': {
    requirements: ['EVENT-11'],
    title: 'A result holds a code, which is 200, 400 or 500, and an output.',
    start: watchResults(({ id }, { code, output }) => {
      if (!isOneOf(RESULT_CODES, code))
        return `The result of the action ${show(id)} has the code ${show(code)}: it is one of ${RESULT_CODES.join(', ')}.`;
      if (output !== undefined) return 'kept';
      return `The result of the action ${show(id)} has no output: it has to be there, if only as null.`;
    }),
  },
  'results/error-message': {
    requirements: ['EVENT-12'],
    title: 'The output of a result that failed is a message.',
    start: watchResults(({ id }, { code, output }) => {
      if (!isOneOf(RESULT_CODES, code) || output === undefined) return undefined;
      // Some services put the message into an object, as in results.
      if (code === 200 || hasText(output)) return 'kept';
      return `The result of the action ${show(id)} has the code ${code} and the output ${show(output)}: it has to be a message about the error.`;
    }),
  },
  'results/of-accepted': {
    requirements: ['ERROR-09'],
    title: 'An action that fails was accepted all the same: the error is in its result alone.',
    needs: ['requests'],
    start: watchResults(({ id, attempts }, { code }) => {
      if (code !== 400 && code !== 500) return undefined;
      if (attempts.some(({ ok }) => ok)) return 'kept';
      if (!attempts.every(({ isRefused }) => isRefused)) return undefined;
      return `The action ${show(id)} was refused and has a result with code ${code} besides: the request has to succeed where the result reports the error.`;
    }),
  },
  // Applies only if an action waits for a result: a service may report other events on its own.
  'results/own-id': {
    requirements: ['EVENT-08'],
    title: 'A result has the id of its action.',
    needs: ['requests', 'events'],
    start: watchResultIds,
  },
  'results/each': {
    requirements: ['EVENT-08'],
    title: 'Every action that was accepted has a result when the session ends well.',
    // With times in another unit `event_t` passes over results.
    consequenceOf: ['events/timestamp'],
    needs: ['requests', 'events'],
    start: watchEachResult,
  },
});

type ActionResult = { name: unknown; code: unknown; output: unknown };

/**
 * Calls `look` with each result and its action, at the end: a result may be read before the request that sent the action has
 * its response.
 */
function watchResults(check: (action: ActionHistory, result: ActionResult) => string | undefined) {
  return ({ task, reportKept: kept }: RuleContext): Watcher => ({
    conclude: () =>
      task.listActionResults().flatMap(({ action, result: { event, seq } }): RuleFinding[] => {
        const { code, output } = event.payload ?? {};
        const message = check(action, { name: event.name, code, output });
        if (message === 'kept') kept(seq);
        if (message === undefined || message === 'kept') return [];
        return [{ message, evidence: [action.attempts[0]!.seq, seq], about: action.id }];
      }),
  });
}

/** True if any text in it is not empty. */
function hasText(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (isText(each)) return true;
    if (each !== null && typeof each === 'object') for (const part of Object.values(each)) left.push(part);
  }
  return false;
}

/** A result of another client's action is no fault: the recording may lack the action. */
function watchResultIds({ task, reportKept: kept }: RuleContext): Watcher {
  const reading = watchReading(task);
  const isOverdue = ({ accepted }: ActionHistory) =>
    accepted !== undefined && (reading.last()?.measureMinUntilResponse(accepted) ?? 0) >= PASSED_OVER_MS;
  return {
    observe: reading.observe,
    conclude() {
      for (const seq of listResultSeqs(task)) kept(seq);
      const actions = [...task.actions.values()];
      if (!task.isSession || task.hasUnidentifiedAction || reading.hasGap()) return [];
      // A running agent may report its own events.
      if (actions.some(({ name }) => name === 'run_task')) return [];
      const strays = groupBy(
        [...task.results.values()].filter(
          ({ event }) => event.shape === 'result' && !task.actions.has(event.id!),
        ),
        ({ event }): unknown => event.name,
      );
      const findStray = (action: ActionHistory) => strays.get(action.eventName)?.[0];
      const action = actions.find(
        (each) => isValidAction(each) && isOverdue(each) && !task.results.has(each.id) && findStray(each),
      );
      const stray = action && findStray(action);
      if (!stray) return [];
      const { id, name } = stray.event;
      const message = `A response lists a ${name} with the id ${show(id)}, which no action has, while the action ${show(action.id)} has no result: a result carries the id of its action.`;
      return [{ message, evidence: [action.attempts[0]!.seq, stray.seq] }];
    },
  };
}

/** The time up to which events were read, and whether the polls skipped a time range. Polls after the deletion read none. */
function watchReading(task: TaskConversation) {
  /** Time up to which events were read, ms. */
  let readTo = 0;
  let hasGap = false;
  let last: ReadExchange | undefined;
  return {
    observe(exchange: ReadExchange): undefined {
      const { readFrom, wholeEvents } = exchange;
      if (readFrom === undefined || task.isDataDeleted) return undefined;
      if (readFrom > readTo) hasGap = true;
      if (readFrom === 0) hasGap = false;
      for (const { timestamp } of wholeEvents) readTo = Math.max(readTo, timestamp);
      last = exchange;
      return undefined;
    },
    hasGap: () => hasGap,
    last: () => last,
  };
}

/**
 * An action may be dropped by a close that follows it at once. An action without a result is forgotten if a later one has
 * its result, or after the time limit. A close has its result when the session ends.
 */
function watchEachResult({ task, reportKept: kept }: RuleContext): Watcher {
  const reading = watchReading(task);
  /** The polls read all events up to the end. */
  let isReadToEnd = false;
  /** The last response that showed the session open. */
  let open: ReadExchange | undefined;
  /** Ids of accepted closes of an open session. */
  const closes = new Set<unknown>();
  return {
    observe(exchange) {
      const { latest } = task;
      // After a longer silence the session may have ended by itself.
      const isOpen = latest && task.wasActive(exchange) && exchange.at - latest.respondedAt <= IDLE_MS;
      if (exchange.isClose && exchange.ok && isOpen && exchange.sent?.name === ACTIONS.close)
        closes.add(exchange.sent.id);
      const { readFrom, status } = exchange;
      if (status && !isTerminal(status)) open = exchange;
      if (readFrom === undefined) return undefined;
      reading.observe(exchange);
      if (task.end || (status && isTerminal(status))) isReadToEnd = !reading.hasGap();
      return undefined;
    },
    conclude() {
      for (const seq of listResultSeqs(task)) kept(seq);
      const { end } = task;
      if (!task.isSession || !end || task.isDeletedWhileActive || !isReadToEnd) return [];
      const isDone = end.status === 'done';
      // Some services count a closed session as cancelled.
      if (!isDone && end.status !== 'cancelled') return [];
      // Of several closes, one closed the session.
      const isSilent = ![...closes].some((id) => task.results.has(id as string));
      const without = [...task.actions.values()].filter(
        (action) =>
          (isSilent && closes.has(action.id) && !mayHaveTimedOut(action, task)) ||
          (isDone && isForgotten(action, task, task.stop ?? open)),
      );
      return without.map((action) => ({
        message: `The action ${show(action.name)} with the id ${show(action.id)} was accepted and never had a result, and the session is ${end.status}: every action has one.`,
        evidence: [action.accepted!.seq, end.seq],
        about: action.id,
      }));
    },
  };
}

/** The close waited for an action before it, and the time-outs of sessions are not stated. */
function mayHaveTimedOut(
  { accepted: close }: ActionHistory,
  { actions, results, end }: TaskConversation,
): boolean {
  const hasWaited = [...actions.values()].some(
    (action) =>
      action.accepted && action.accepted.seq < close!.seq && isValidAction(action) && !results.has(action.id),
  );
  return hasWaited && end!.measureMaxSince(close!) >= CLOSED_AT_ONCE_MS;
}

/** `until`: the last exchange that shows the session open. After it, the session may have ended at any time. */
function isForgotten(
  action: ActionHistory,
  task: TaskConversation,
  until: ReadExchange | undefined,
): boolean {
  const { accepted, id, name } = action;
  // A run_task runs as long as its agent needs.
  if (!accepted || !isValidAction(action) || task.results.has(id) || name === 'run_task') return false;
  const waitedMs = until?.measureMinUntilResponse(accepted) ?? 0;
  const isPassedOver = [...task.actions.values()].some(({ id: other, name: its, attempts: [first] }) => {
    const isLater = first!.seq > accepted.seq && first!.at >= accepted.respondedAt;
    return its !== 'close' && isLater && task.results.has(other);
  });
  return waitedMs >= (isPassedOver ? PASSED_OVER_MS : PATIENCE_MS);
}

/** `seq` of the responses with results other than those of closes. */
function listResultSeqs(task: TaskConversation): number[] {
  return task
    .listActionResults()
    .flatMap(({ action, result }) => (action.name === 'close' ? [] : [result.seq]));
}

/** An action other than close, under its own event name. */
function isValidAction({ name, eventName }: ActionHistory): boolean {
  if (typeof name !== 'string' || name === 'close' || !Object.hasOwn(ACTIONS, name)) return false;
  return ACTIONS[name as ActionName] === eventName;
}
