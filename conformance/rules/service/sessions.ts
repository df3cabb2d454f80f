import type { RequirementId } from '../../../spec/generated/documents.js';
import { ACTIONS, type ActionName, isTerminal } from '../../../spec/vocabulary.js';
import { type Fields, isText, show, toFields } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import { defineRules, type RuleContext, type RuleFinding, type Watcher } from '../rule.js';

/** Time for which a session of a silent client stays open at least, ms. The API does not state the maximum. */
export const IDLE_MS = 10_000;
/** Time within which a closed session has to end, ms. */
const CLOSES_WITHIN_MS = 30_000;
/** Most refused actions remembered of a task. */
const MOST_REFUSED = 100;

/** Required input of an action. Section "Session action payloads". */
const NEEDS: Record<ActionName, { requirement: RequirementId; isComplete(input: Fields): boolean }> = {
  goto: { requirement: 'SESSION-06', isComplete: ({ url }) => /^https?:\/\//.test(String(url)) },
  extract: { requirement: 'SESSION-07', isComplete: ({ schema }) => toFields(schema) !== undefined },
  evaluate_js: { requirement: 'SESSION-08', isComplete: ({ js }) => isText(js) },
  run_task: { requirement: 'SESSION-09', isComplete: ({ task }) => isText(task) },
  close: { requirement: 'SESSION-10', isComplete: () => true },
};

/** Sessions. Sections "Events", rule 7, and "Session action payloads". */
export const sessionRules = defineRules('service', 'task', 'all', {
  'sessions/stays-open': {
    requirements: ['SESSION-01'],
    title: 'A session waits for actions.',
    needs: ['requests'],
    start: ({ task }) => {
      let activeAt = 0;
      let lastRequest: ReadExchange | undefined;
      let early: RuleFinding | undefined;
      return {
        observe(exchange) {
          const { at, status, seq } = exchange;
          const { end, stop } = task;
          // A close that was pending when the end was read may have caused it.
          if (exchange.isStop && end && at <= end.respondedAt) early = undefined;
          if (exchange.is('createTask', 'sendTaskEvent')) {
            activeAt = Math.max(activeAt, at);
            lastRequest = exchange;
          }
          if (!exchange.is('getTask') || !task.isSession || stop) return undefined;
          if (status === 'running') return 'kept';
          // The API does not state how a session with actions ends.
          const hasActions = task.actions.size > 0 || task.hasUnidentifiedAction;
          const idleMs = at - activeAt + exchange.inexact_ms;
          if (end || status !== 'done' || hasActions || idleMs > IDLE_MS) return undefined;
          const message = `A session without a close is "done" ${at - activeAt} ms after the client's last request to it: it has to wait for actions.`;
          early = { message, evidence: [lastRequest?.seq ?? seq, seq] };
          return undefined;
        },
        conclude: () => (early ? [early] : []),
      };
    },
  },
  ...Object.fromEntries(
    (Object.keys(ACTIONS) as ActionName[]).map((action) => [
      `sessions/takes-${action.replace('_', '-')}`,
      {
        requirements: [NEEDS[action].requirement] as const,
        title: `An open session takes a ${action}.`,
        needs: ['requests'] as const,
        start: (context: RuleContext) => watchRefusals(context, action),
      },
    ]),
  ),
  'sessions/closes': {
    requirements: ['SESSION-10'],
    title: 'A session that was closed is open no more.',
    only: ['getTask', 'sendTaskEvent'],
    start: ({ task }) => {
      let closed: ReadExchange | undefined;
      return (exchange) => {
        if (exchange.ok && isCompleteAction('close', exchange) && task.wasActive(exchange))
          closed ??= exchange;
        const { status } = exchange;
        if (!closed || !status || !task.isSession || !exchange.isAfter(closed)) return undefined;
        if (isTerminal(status)) return 'kept';
        // A task in the session may wait for the client.
        if (task.openCalls.size > 0 || exchange.wholeEvents.some(({ shape }) => shape === 'call'))
          return undefined;
        const afterMs = exchange.measureMinSince(closed);
        if (afterMs < CLOSES_WITHIN_MS || hasPendingAction(task, closed)) return undefined;
        const message = `The session took a close and is "${status}" ${afterMs} ms later: it has to be over.`;
        return { message, evidence: [closed.seq, exchange.seq] };
      };
    },
  },
});

/** A close may wait for the actions before it, and how long they take is not stated. */
function hasPendingAction({ actions, results }: TaskConversation, close: ReadExchange): boolean {
  return [...actions.values()].some(
    ({ id, accepted }) => accepted !== undefined && accepted.seq < close.seq && !results.has(id),
  );
}

/** A valid action is refused, and the session is open afterwards. Kept if its result shows that it was executed. */
function watchRefusals({ task, reportKept: kept }: RuleContext, action: ActionName): Watcher {
  const refused = new RefusedEvents(MOST_REFUSED);
  return {
    observe(exchange) {
      const { httpStatus } = exchange;
      const id = exchange.sent?.id as string;
      if (
        exchange.isRefused &&
        !exchange.mayBeRefused &&
        isCompleteAction(action, exchange) &&
        !task.actions.has(id)
      ) {
        const message = `The ${action} ${show(id)} was refused with ${httpStatus} by a session that is running before and afterwards: it has to be accepted.`;
        const isOpen = task.isSession && task.latest?.status === 'running';
        if (isOpen && task.wasActive(exchange)) refused.add({ exchange, message, about: id });
      }
      refused.observe(exchange);
      return undefined;
    },
    conclude() {
      for (const seq of listDoneSeqs(task, action)) kept(seq);
      return refused.list((id) => task.actions.get(id)?.accepted !== undefined);
    },
  };
}

/** True if the request sends the action with all required input. */
function isCompleteAction(action: ActionName, { sent }: ReadExchange): boolean {
  const payload = toFields(sent?.payload);
  if (payload?.name !== action || sent?.name !== ACTIONS[action]) return false;
  return (
    isText(sent.id) &&
    Number.isInteger(sent.timestamp) &&
    NEEDS[action].isComplete(toFields(payload.input) ?? {})
  );
}

/** `seq` of the exchanges that show that the action was executed. */
function listDoneSeqs(task: TaskConversation, action: ActionName): number[] {
  const seqs = task
    .listActionResults()
    .filter(({ action: { name }, result }) => name === action && result.event.payload?.code === 200)
    .map(({ result }) => result.seq);
  const { end } = task;
  const isClosed = [...task.actions.values()].some(({ name, accepted }) => name === 'close' && accepted);
  return action === 'close' && end && !task.isDeletedWhileActive && isClosed ? [...seqs, end.seq] : seqs;
}

interface RefusedEvent {
  exchange: ReadExchange;
  message: string;
  /** The id of the refused event. */
  about: string;
  /** `seq` of the first poll after it that shows a running task. */
  shownBy?: number;
}

/**
 * Refusals of valid events by a task that is running afterwards. They are listed at the end only: of two requests with the
 * same id at once one may be refused, and the response to the other may come after the poll. So may that to a close or a DELETE,
 * after which a task may take no events, even if it is running for a while.
 */
export class RefusedEvents {
  readonly #refusals: RefusedEvent[] = [];
  #stoppedAt = Number.POSITIVE_INFINITY;

  constructor(private readonly most: number) {}

  add(refusal: RefusedEvent): void {
    if (this.#refusals.length < this.most) this.#refusals.push(refusal);
  }

  observe(exchange: ReadExchange): void {
    if (exchange.isStop && !exchange.isRefused) this.#stoppedAt = Math.min(this.#stoppedAt, exchange.at);
    if (!exchange.is('getTask') || exchange.status !== 'running') return;
    for (const each of this.#refusals) if (exchange.isAfter(each.exchange)) each.shownBy ??= exchange.seq;
  }

  /** `isAccepted`: whether another request with this id was accepted. */
  list(isAccepted: (id: string) => boolean): RuleFinding[] {
    return this.#refusals.flatMap(({ exchange, message, about, shownBy }) =>
      shownBy === undefined || isAccepted(about) || this.#stoppedAt <= exchange.respondedAt
        ? []
        : [{ message, about, evidence: [exchange.seq, shownBy] }],
    );
  }
}
