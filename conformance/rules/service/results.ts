import { ACTIONS, type ActionName, isTerminal, RESULT_CODES } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { ListedEvent, SentAction, TaskConversation } from '../../conversation/task-conversation.js';
import { type Complaint, defineRules, type RuleContext, type Watcher } from '../rule.js';

/** An action may take its time; one that has no result after this was not going to get one, ms. */
const PATIENCE_MS = 30_000;

/** Less where a later action had its result meanwhile, ms: two may still be under way at once. */
const PASSED_OVER_MS = 5000;

/** A session that was open so shortly before is open when it takes a close, ms. */
const IDLE_MS = 10_000;

/** Results of actions. Sections "Event endpoint rules" and "Events". */
export const resultRules = defineRules({ side: 'service', level: 'must', scope: 'task' }, [
  {
    id: 'results/confirmed',
    requirements: ['EVENT-03'],
    title: 'An event that was taken is confirmed with its id, or with a new one where it was sent without.',
    check: (exchange) => {
      if (!exchange.is('sendTaskEvent') || !exchange.ok) return undefined;
      const r = field(exchange.responseJson, 'r');
      if (r === undefined) return undefined;
      const id = field(r, 'id');
      const sent = exchange.sent?.id;
      if (typeof id === 'string' && id !== '') {
        if (typeof sent !== 'string' || sent === '' || id === sent) return 'kept';
        return {
          message: `The event ${show(sent)} was confirmed with the id ${show(id)}: it has to be the id of the event, under which its result comes.`,
        };
      }
      return {
        message: `An event has to be confirmed with {r: {id}}, the id a text, and ${show(r)} came in "r".`,
      };
    },
  },
  {
    id: 'results/name',
    requirements: ['EVENT-08'],
    title: 'A result has the name of its action.',
    start: (context) =>
      eachPair(context, ({ id, eventName }, { event }) => {
        if (typeof eventName !== 'string') return 'unknown';
        if (event.name === eventName) return undefined;
        return `The result of the ${eventName} ${show(id)} has the name ${show(event.name)}: it has to be the name of the action.`;
      }),
  },
  {
    id: 'results/code',
    requirements: ['EVENT-11'],
    title: 'A result holds a code, which is 200, 400 or 500, and an output.',
    start: (context) =>
      eachPair(context, ({ id }, { event: { payload = {} } }) => {
        if (!RESULT_CODES.some((code) => code === payload.code))
          return `The result of the action ${show(id)} has the code ${show(payload.code)}: it is one of ${RESULT_CODES.join(', ')}.`;
        if (Object.hasOwn(payload, 'output')) return undefined;
        return `The result of the action ${show(id)} has no output: it has to be there, if only as null.`;
      }),
  },
  {
    id: 'results/error-message',
    requirements: ['EVENT-12'],
    title: 'The output of a result that failed is a message.',
    start: (context) =>
      eachPair(context, ({ id }, { event: { payload = {} } }) => {
        const { code, output } = payload;
        if (code === 200 && output !== undefined) return undefined;
        if ((code !== 400 && code !== 500) || output === undefined) return 'unknown';
        // Some put the message into an object, as they do with results.
        if (holdsText(output)) return undefined;
        return `The result of the action ${show(id)} has the code ${code} and the output ${show(output)}: it has to be a message about the error.`;
      }),
  },
  {
    id: 'results/of-accepted',
    requirements: ['ERROR-09'],
    title: 'An action that fails was accepted all the same: the error is in its result alone.',
    start: (context) =>
      eachPair(context, ({ id, attempts }, { event: { payload = {} } }) => {
        if (payload.code !== 400 && payload.code !== 500) return 'unknown';
        if (attempts.some(({ isAccepted }) => isAccepted)) return undefined;
        if (!attempts.every(({ isRefused }) => isRefused)) return 'unknown';
        return `The action ${show(id)} was refused and has a result with code ${payload.code} besides: the request has to succeed where the result reports the error.`;
      }),
  },
  {
    id: 'results/own-id',
    requirements: ['EVENT-08'],
    title: 'A result has the id of its action.',
    start: ownId,
  },
  {
    id: 'results/each',
    requirements: ['EVENT-08'],
    title: 'Every action that was accepted has a result when the session ends well.',
    start: each,
  },
]);

/** Whether there is a text anywhere in it that is not empty. */
function holdsText(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each === 'string' && each !== '') return true;
    if (each !== null && typeof each === 'object') for (const part of Object.values(each)) left.push(part);
  }
  return false;
}

type Look = (action: SentAction, result: ListedEvent) => string | 'unknown' | undefined;

/**
 * Shows each result with its action to `look`: a message about what is wrong, undefined when it is right. Looks when it is
 * asked, because a result may be read before the request that sent the action has its answer.
 */
function eachPair({ task }: RuleContext, look: Look): Watcher {
  return {
    kept: () =>
      [...task.actionResults()].flatMap(({ action, result }) =>
        look(action, result) === undefined ? [result.seq] : [],
      ),
    end() {
      const complaints: Complaint[] = [];
      for (const { action, result } of task.actionResults()) {
        const message = look(action, result);
        if (message === undefined || message === 'unknown') continue;
        complaints.push({ message, evidence: [action.attempts[0]!.seq, result.seq], about: action.id });
      }
      return complaints;
    },
  };
}

/** Only where an action does wait for a result: what else a service may tell of its own accord is left open. */
function ownId({ task }: RuleContext): Watcher {
  const hasRunTask = () => [...task.actions.values()].some(({ name }) => name === 'run_task');
  return {
    kept: () => resultsOf(task),
    end() {
      if (!task.creation?.isSession || task.hasUnidentifiedAction) return undefined;
      // An agent at work may tell of what it does.
      if (hasRunTask()) return undefined;
      const strays = [...task.results.values()].filter(
        ({ event }) => event.shape === 'result' && !task.actions.has(event.id!),
      );
      const waiting = [...task.actions.values()].filter(
        (sent) => isProper(sent) && sent.accepted && !task.results.has(sent.id),
      );
      const action = waiting.find(({ eventName }) => strays.some(({ event }) => event.name === eventName));
      const stray = strays.find(({ event }) => event.name === action?.eventName);
      if (!action || !stray) return undefined;
      const { id, name } = stray.event;
      const message = `A ${name} with the id ${show(id)} came, which no action has, while the action ${show(action.id)} has no result: a result carries the id of its action.`;
      return { message, evidence: [action.attempts[0]!.seq, stray.seq] };
    },
  };
}

/**
 * An action may be dropped by the close that follows it at once. One that was passed over by a later one, or that was
 * waited for long enough, never had a result. A close has its result by the time the session is over.
 */
function each({ task }: RuleContext): Watcher {
  /** Time up to which events were read, ms. */
  let readTo = 0;
  let hasGap = false;
  /** Everything up to the end was read: no poll left a stretch of time out. */
  let isReadToEnd = false;
  function followLog(exchange: ReadExchange): void {
    const from = exchange.readFrom;
    if (from === undefined) return;
    if (from > readTo) hasGap = true;
    if (from === 0) hasGap = false;
    for (const { timestamp } of exchange.wholeEvents) readTo = Math.max(readTo, timestamp);
    if (task.end || (exchange.status && isTerminal(exchange.status))) isReadToEnd = !hasGap;
  }
  /** Ids of the closes that an open session took. */
  const closes = new Set<string>();
  function takeClose(exchange: ReadExchange): void {
    const { latest } = task;
    const { id, name, payload } = exchange.sent ?? {};
    if (typeof id !== 'string' || name !== ACTIONS.close || field(payload, 'name') !== 'close') return;
    if (!exchange.ok || !latest || !task.wasActive(exchange)) return;
    // After a longer silence it may have ended by itself.
    if (exchange.at - latest.respondedAt <= IDLE_MS) closes.add(id);
  }
  /** One of several that were sent is the one that closed it. */
  function isSilentClose({ id }: SentAction): boolean {
    return closes.has(id) && ![...closes].some((close) => task.results.has(close));
  }
  function isForgotten(action: SentAction): boolean {
    const { accepted } = action;
    if (!accepted || !isProper(action) || task.results.has(action.id)) return false;
    // A run_task goes on for as long as its agent likes.
    if (action.name === 'run_task') return false;
    const until = task.stop ?? task.end;
    const waitedMs = (until?.respondedAt ?? 0) - accepted.respondedAt;
    const isPassedOver = [...task.actions.values()].some(
      ({ id, name, attempts: [first] }) =>
        name !== 'close' &&
        first!.seq > accepted.seq &&
        first!.at >= accepted.respondedAt &&
        task.results.has(id),
    );
    return waitedMs >= (isPassedOver ? PASSED_OVER_MS : PATIENCE_MS);
  }
  return {
    kept: () => resultsOf(task),
    see(exchange) {
      takeClose(exchange);
      followLog(exchange);
      return undefined;
    },
    end() {
      const { creation, end } = task;
      if (!creation?.isSession || !end || task.isDeletedWhileActive || !isReadToEnd) return undefined;
      const isDone = end.status === 'done';
      // Some services count a session that was closed as cancelled.
      if (!isDone && end.status !== 'cancelled') return undefined;
      const silent = [...task.actions.values()].filter(
        (action) => isSilentClose(action) || (isDone && isForgotten(action)),
      );
      return silent.map((action) => ({
        message: `The action ${show(action.name)} with the id ${show(action.id)} was accepted and never had a result, and the session is ${end.status}: every action has one.`,
        evidence: [action.accepted!.seq, end.seq],
        about: action.id,
      }));
    },
  };
}

function resultsOf(task: TaskConversation): number[] {
  return [...task.actionResults()].flatMap(({ action, result }) =>
    action.name === 'close' ? [] : [result.seq],
  );
}

/** One of the actions there are, under its own event name. */
function isProper({ name, eventName }: SentAction): boolean {
  if (typeof name !== 'string' || name === 'close' || !Object.hasOwn(ACTIONS, name)) return false;
  return ACTIONS[name as ActionName] === eventName;
}
